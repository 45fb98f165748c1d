import { Check, Share2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, type ButtonProps } from '#pwa/components/button.tsx';
import { toast } from '#pwa/components/toast.ts';
import { isIos } from '#pwa/device/is-ios.ts';
import { canShareFiles, SHARE_MAX_BYTES, SHARE_MAX_FILES, shareFiles } from '#pwa/device/share-files.ts';
import { formatBytes, nb } from '#pwa/format.ts';
import { type DownloadTarget, type FileTarget, fetchOriginal, recordTaken } from './download-file.ts';
import { type TakeAway, type TakeAwayOptions, useTakeAway } from './use-download.tsx';

/** What can be shared: originals, and no ZIPs. */
export type ShareTarget = Extract<FileTarget, { kind: 'video' | 'image' | 'picture' }>;

export interface ShareButtonProps
  extends Omit<ButtonProps, 'onClick' | 'loading' | 'loadingText' | 'children'>,
    Pick<TakeAwayOptions, 'generationId'> {
  targets: readonly ShareTarget[];
}

/**
 * Shares originals through the sheet of the system. The first press fetches the files, the second one opens the sheet,
 * because browsers open it only within a press. Shows nothing where files cannot be shared.
 */
export function ShareButton({ targets, ...button }: ShareButtonProps) {
  const [first] = targets;
  if (!first || !canShare(targets)) return null;
  // Other files are another button: what was prepared is not theirs.
  return <SupportedShareButton key={targets.map(idOf).join()} targets={[first, ...targets.slice(1)]} {...button} />;
}

type ShareTargets = readonly [ShareTarget, ...ShareTarget[]];

function SupportedShareButton({
  targets,
  generationId,
  icon = <Share2 className="ic" />,
  ...button
}: Omit<ShareButtonProps, 'targets'> & { targets: ShareTargets }) {
  const share = useShareFiles(targets, { generationId });
  return (
    <>
      <Button
        variant="second"
        {...button}
        icon={share.isReady ? <Check className="ic" /> : icon}
        loading={share.busyText !== null}
        loadingText={share.busyText ?? ''}
        disabledReason={targets.length > SHARE_MAX_FILES ? nb(`Поделиться: до ${SHARE_MAX_FILES} файлов`) : null}
        onClick={share.press}
      >
        Поделиться
      </Button>
      {share.dialog}
    </>
  );
}

interface Share extends TakeAway {
  /** Whether the files are there, so that the next press opens the sheet. */
  isReady: boolean;
  press: () => void;
}

function useShareFiles(targets: ShareTargets, options: Pick<TakeAwayOptions, 'generationId'>): Share {
  const { run, ...taking } = useTakeAway(offerFor(targets), options);
  const [files, setFiles] = useState<File[] | null>(null);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);

  const prepare = () =>
    run(async (say) => {
      leaving.current = new AbortController();
      const { signal } = leaving.current;
      const fetched = await fetchAll(targets, signal, say).catch((error: unknown) => {
        if (signal.aborted) return null;
        throw error;
      });
      if (fetched === null) return;
      const refusal = refuseFiles(fetched);
      if (refusal) return void toast({ ...refusal, tone: 'danger' });
      setFiles(fetched);
      toast({ title: fetched.length > 1 ? 'Файлы готовы' : 'Файл готов', description: nb(describeNext()) });
    });

  const share = async (ready: File[]) => {
    try {
      if ((await shareFiles(ready)) !== 'shared') return;
      setFiles(null);
      targets.forEach(recordTaken);
    } catch {
      toast({ ...NOT_SHARED, tone: 'danger' });
    }
  };
  return { ...taking, isReady: files !== null, press: () => (files ? void share(files) : prepare()) };
}

async function fetchAll(targets: ShareTargets, signal: AbortSignal, say: (text: string) => void): Promise<File[]> {
  const files: File[] = [];
  for (const target of targets) {
    const place = targets.length > 1 ? ` ${files.length + 1} из ${targets.length}` : '';
    say(nb(`Готовим${place}…`));
    files.push(
      await fetchOriginal(target, { signal, onProgress: (percent) => say(nb(`Готовим${place}… ${percent} %`)) }),
    );
    // The rest would only make it worse.
    if (sumBytes(files) > SHARE_MAX_BYTES) break;
  }
  return files;
}

/** Why these files cannot be shared; null when they can. */
function refuseFiles(files: File[]): { title: string; description: string } | null {
  if (sumBytes(files) > SHARE_MAX_BYTES) {
    return {
      title: 'Файлы слишком большие',
      description: nb(
        `Поделиться можно не больше ${formatBytes(SHARE_MAX_BYTES)} сразу. Выберите меньше файлов или скачайте их`,
      ),
    };
  }
  return canShareFiles(files) ? null : NOT_SHARED;
}

const NOT_SHARED = {
  title: 'Не удалось поделиться',
  description: nb('Скачайте файл и отправьте его из загрузок'),
};

function describeNext(): string {
  return isIos(navigator)
    ? 'Нажмите «Поделиться»: в открывшемся меню можно и сохранить в Фото'
    : 'Нажмите «Поделиться», чтобы выбрать, куда отправить';
}

function sumBytes(files: readonly File[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** Whether this browser shares files of these kinds, judged by empty ones. */
function canShare(targets: readonly ShareTarget[]): boolean {
  const isVideo = ({ kind }: ShareTarget) => kind === 'video';
  const samples = [
    ...(targets.some(isVideo) ? [new File([], 'video.mp4', { type: 'video/mp4' })] : []),
    ...(targets.every(isVideo) ? [] : [new File([], 'image.jpg', { type: 'image/jpeg' })]),
  ];
  return canShareFiles(samples);
}

/** What the dialog offers to who may not share: the file, or a ZIP of all. */
function offerFor(targets: ShareTargets): DownloadTarget {
  const [first] = targets;
  if (targets.length === 1) return first;
  return { kind: 'archive', ids: targets.map(idOf), pictureUrl: first.pictureUrl };
}

function idOf(target: ShareTarget): string {
  if (target.kind === 'video') return target.videoId;
  return target.kind === 'image' ? target.imageId : target.url;
}
