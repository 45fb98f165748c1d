import { useMutation, useQuery } from '@tanstack/react-query';
import { Download, DropletOff, Headset, ImageUp, Infinity as InfinityIcon } from 'lucide-react';
import { useEffect } from 'react';
import { Button, ButtonLink } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { StarIcon } from '#pwa/components/star-icon.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { callApi } from '#pwa/lib/api-client.ts';
import { formatRubles, nb } from '#pwa/lib/format.ts';
import { BUY_STARS_PATH } from '#pwa/lib/paths.ts';
import { recordServerEvent } from '#pwa/lib/server-events.ts';
import { getVideoDownloadAccess } from '#shared/contract/videos.ts';
import { DOWNLOAD_TEXTS, describeAccessError, describePremiumStatus } from './download-access.ts';
import { DownloadError, downloadVideo } from './download-video.ts';

const CLOSE_DELAY_MS = 1000;
const EXAMPLE_ORDER_RUBLES = 2000;
const BENEFITS = [
  { Icon: DropletOff, text: 'Без водяных знаков' },
  { Icon: ImageUp, text: 'Оригинальное HD-качество' },
  { Icon: InfinityIcon, text: 'Безлимитное скачивание' },
  { Icon: Headset, text: 'Приоритетная поддержка' },
];

export interface DownloadVideoDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  videoId: string;
  posterUrl: string | null;
}

/** Whether the original may be downloaded; if so, the download, otherwise what opens it. */
export function DownloadVideoDialog({ open, onOpenChange, videoId, posterUrl }: DownloadVideoDialogProps) {
  const access = useQuery({
    queryKey: ['download-access', videoId],
    queryFn: ({ signal }) => callApi(getVideoDownloadAccess, { params: { id: videoId } }, { signal }),
    enabled: open,
    staleTime: 0,
    gcTime: 0,
  });
  useEffect(() => {
    if (open) recordServerEvent({ event_name: 'download_options_opened', video_id: videoId });
  }, [open, videoId]);
  const download = useMutation({ mutationFn: (url: string) => downloadVideo(videoId, url) });
  const { isSuccess, reset } = download;
  useEffect(() => {
    if (!isSuccess) return;
    const timer = setTimeout(() => {
      onOpenChange(false);
      reset();
    }, CLOSE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isSuccess, reset, onOpenChange]);

  const answer = access.data;
  const close = (
    <Button variant="quiet" onClick={() => onOpenChange(false)}>
      Закрыть
    </Button>
  );
  if (!answer) {
    const isChecking = access.isPending || access.isFetching;
    return (
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        title={isChecking ? DOWNLOAD_TEXTS.checking : 'Скачивание'}
        size="sm"
        footer={close}
      >
        {isChecking ? (
          <StitchProgress label={DOWNLOAD_TEXTS.checking} />
        ) : (
          <Notice
            tone="danger"
            title={describeAccessError(access.error)}
            action={
              <Button variant="second" size="sm" onClick={() => access.refetch()}>
                Повторить
              </Button>
            }
          />
        )}
      </Dialog>
    );
  }

  const { canDownload, downloadUrl, upgradeMessage, premiumStatus } = answer;
  const status = <span className="tag">{describePremiumStatus(premiumStatus)}</span>;
  if (canDownload && downloadUrl) {
    return (
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        title={DOWNLOAD_TEXTS.ready}
        tag={status}
        size="sm"
        footer={
          <>
            {close}
            <Button
              icon={<Download className="ic" />}
              loading={download.isPending}
              loadingText="Скачиваем…"
              onClick={() => download.mutate(downloadUrl)}
            >
              {DOWNLOAD_TEXTS.download}
            </Button>
          </>
        }
      >
        <p className="text-sm text-muted">
          {nb('Оригинал без логотипа сервиса. Коммерческое использование разрешено.')}
        </p>
        <p className="text-sm mt-3 min-h-5" role="status">
          {download.isSuccess && <span className="text-success">Файл сохранён</span>}
        </p>
        {download.isError && (
          <Notice
            tone="danger"
            title={download.error instanceof DownloadError ? download.error.message : DOWNLOAD_TEXTS.failed}
          />
        )}
      </Dialog>
    );
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={upgradeMessage ?? DOWNLOAD_TEXTS.premiumOnly}
      tag={status}
      size="lg"
      aside={posterUrl && <img className="size-full object-cover" src={posterUrl} alt="" />}
      footer={
        <>
          {close}
          <ButtonLink size="lg" to={BUY_STARS_PATH} icon={<StarIcon />} className="md:flex-1">
            Купить пакет звезд
          </ButtonLink>
        </>
      }
    >
      <ul className="border-t border-line">
        {BENEFITS.map(({ Icon, text }) => (
          <li key={text} className="flex items-center gap-3 py-3 border-b border-line">
            <Icon className="ic" />
            {nb(text)}
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted mt-4">
        {nb('Достаточно одной покупки, даже 1 звезды. Доступ остаётся навсегда.')}
      </p>
      <p className="text-sm text-muted mt-2">
        {nb(
          `Пример: при среднем чеке ${formatRubles(EXAMPLE_ORDER_RUBLES)} одна дополнительная продажа приносит ${formatRubles(EXAMPLE_ORDER_RUBLES)} — сравните с ценой пакета.`,
        )}
      </p>
    </Dialog>
  );
}
