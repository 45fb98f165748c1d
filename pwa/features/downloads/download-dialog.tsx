import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { UnlockButton, UnlockOffer, UnlockPicture } from '#pwa/components/unlock-offer.tsx';
import {
  DOWNLOAD_CLOSE_DELAY_MS,
  DOWNLOAD_TEXTS,
  describeAccessError,
  describePremiumStatus,
} from '#pwa/lib/download-access.ts';
import { formatRubles, nb } from '#pwa/lib/format.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { recordOpening } from '#pwa/lib/server-events.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { DownloadError, type DownloadTarget, downloadTarget } from './download-file.ts';
import { useDownloadAccess } from './use-download-access.ts';

const EXAMPLE_ORDER_RUBLES = 2000;

export interface DownloadDialogProps {
  target: DownloadTarget;
  onClose: () => void;
}

/** Mounted when a download is asked for: whether it may happen; if so, the download, otherwise what opens it. */
export function DownloadDialog({ target, onClose }: DownloadDialogProps) {
  const queryClient = useQueryClient();
  const access = useDownloadAccess(target);
  const download = useMutation({
    mutationFn: () => downloadTarget(target),
    onError: () => void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.premiumStatus }),
  });
  const { isSuccess } = download;
  const videoId = target.kind === 'video' ? target.videoId : undefined;
  useEffect(() => recordOpening({ event_name: 'download_options_opened', video_id: videoId }), [videoId]);
  useEffect(() => {
    if (!isSuccess) return;
    const timer = setTimeout(onClose, DOWNLOAD_CLOSE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isSuccess, onClose]);

  const shell = { open: true, onOpenChange: onClose };
  const close = (
    <Button variant="quiet" onClick={onClose}>
      Закрыть
    </Button>
  );
  if (access.isFetching && !download.isPending && !download.isSuccess && !download.isError) {
    return (
      <Dialog {...shell} title={DOWNLOAD_TEXTS.checking} size="sm" footer={close}>
        <StitchProgress label={DOWNLOAD_TEXTS.checking} />
      </Dialog>
    );
  }
  if (!access.data || (access.isError && !download.isError)) {
    return (
      <Dialog {...shell} title="Скачивание" size="sm" footer={close}>
        <Notice
          tone="danger"
          title={describeAccessError(access.error, target.kind === 'video' ? 'video' : 'image')}
          action={
            <Button variant="second" size="sm" onClick={() => access.refetch()}>
              Повторить
            </Button>
          }
        />
      </Dialog>
    );
  }
  const { canDownload, refusal, premium } = access.data;
  const status = <span className="tag">{describePremiumStatus(premium)}</span>;
  const reason = describeReason(target);
  if (!canDownload) {
    return (
      <Dialog
        {...shell}
        title={refusal}
        tag={status}
        size="lg"
        aside={target.pictureUrl && <UnlockPicture url={target.pictureUrl} />}
        footer={
          <>
            {close}
            <UnlockButton source="download" />
          </>
        }
      >
        <UnlockOffer>{reason && <p className="text-sm text-muted mt-2">{nb(reason)}</p>}</UnlockOffer>
      </Dialog>
    );
  }
  return (
    <Dialog
      {...shell}
      title={DOWNLOAD_TEXTS.ready}
      tag={status}
      size="sm"
      footer={
        <>
          {close}
          <Button
            icon={<Download className="ic" />}
            loading={download.isPending}
            loadingText={target.kind === 'export' ? 'Готовим файл…' : 'Скачиваем…'}
            onClick={() => download.mutate()}
          >
            {DOWNLOAD_TEXTS.download}
          </Button>
        </>
      }
    >
      <p className="text-sm text-muted">{describeTarget(target)}</p>
      <p className="text-sm mt-3 min-h-5" role="status">
        {isSuccess && (
          <span className="text-success">{target.kind === 'archive' ? 'Загрузка началась' : 'Файл сохранён'}</span>
        )}
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

/** Why an original is worth its price. */
function describeReason({ kind }: DownloadTarget): string | null {
  if (kind !== 'video') return null;
  const order = formatRubles(EXAMPLE_ORDER_RUBLES);
  return `Пример: при среднем чеке ${order} одна дополнительная продажа приносит ${order} — сравните с ценой пакета.`;
}

function describeTarget(target: DownloadTarget): string {
  const permission = 'Коммерческое использование разрешено.';
  if (target.kind === 'video') return nb(`Оригинал без логотипа сервиса. ${permission}`);
  if (target.kind === 'archive') {
    const files = `${target.count} ${pluralize(target.count, ['оригинал', 'оригинала', 'оригиналов'])}`;
    return nb(`${files} без водяного знака в одном архиве ZIP. ${permission}`);
  }
  return nb(`${target.kind === 'export' ? 'Файл для маркетплейса' : 'Оригинал'} без водяного знака. ${permission}`);
}
