import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { UnlockLink, UnlockOffer, UnlockPicture } from '#pwa/components/unlock-offer.tsx';
import { callApi } from '#pwa/lib/api-client.ts';
import {
  DOWNLOAD_CLOSE_DELAY_MS,
  DOWNLOAD_TEXTS,
  describeAccessError,
  describePremiumStatus,
} from '#pwa/lib/download-access.ts';
import { formatRubles, nb } from '#pwa/lib/format.ts';
import { recordServerEvent } from '#pwa/lib/server-events.ts';
import { getVideoDownloadAccess } from '#shared/contract/videos.ts';
import { DownloadError, downloadVideo } from './download-video.ts';

const EXAMPLE_ORDER_RUBLES = 2000;

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
    }, DOWNLOAD_CLOSE_DELAY_MS);
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
            title={describeAccessError(access.error, 'video')}
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
      aside={posterUrl && <UnlockPicture url={posterUrl} />}
      footer={
        <>
          {close}
          <UnlockLink />
        </>
      }
    >
      <UnlockOffer>
        <p className="text-sm text-muted mt-2">
          {nb(
            `Пример: при среднем чеке ${formatRubles(EXAMPLE_ORDER_RUBLES)} одна дополнительная продажа приносит ${formatRubles(EXAMPLE_ORDER_RUBLES)} — сравните с ценой пакета.`,
          )}
        </p>
      </UnlockOffer>
    </Dialog>
  );
}
