import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { describeError, isFileLost } from '#pwa/client/api-error.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { Button } from '#pwa/components/button.tsx';
import { Dialog, type DialogProps } from '#pwa/components/dialog.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { recordOpening } from '#pwa/features/consent/server-events.ts';
import { useLossReport } from '#pwa/features/generations/found-loss.ts';
import { UnlockButton, UnlockOffer, UnlockPicture } from '#pwa/features/generations/unlock-offer.tsx';
import { buildWayBack } from '#pwa/features/generations/wanted-download.ts';
import type { WayBack } from '#pwa/features/generations/way-back.ts';
import { formatRubles, nb } from '#pwa/format.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { FILE_LOST } from './describe-failure.ts';
import {
  DOWNLOAD_CLOSE_DELAY_MS,
  DOWNLOAD_TEXTS,
  describeAccessError,
  describePremiumStatus,
} from './download-access.ts';
import { DownloadError, type DownloadTarget, downloadTarget, OUTCOME_TEXTS } from './download-file.ts';
import { type DownloadAccess, useDownloadAccess } from './use-download-access.ts';

const EXAMPLE_ORDER_RUBLES = 2000;

export interface DownloadDialogProps {
  target: DownloadTarget;
  /** The generation that the page shows; missing where it shows a list. */
  generationId?: string;
  onClose: () => void;
}

/** The download of the documents: it asks for the access, and offers the original or the way to unlock it. */
export function DownloadDialog({ target, generationId, onClose }: DownloadDialogProps) {
  const access = useDownloadAccess(target);
  const download = useDialogDownload(target, onClose);
  const isKnownLost = isFileLost(access.error);
  const metLoss = download.error instanceof DownloadError && download.error.isLost ? download.error : null;
  useReportAtEnd(isKnownLost || metLoss !== null, generationId ?? null);
  const videoId = target.kind === 'video' ? target.videoId : undefined;
  useEffect(() => recordOpening({ event_name: 'download_options_opened', video_id: videoId }), [videoId]);

  const describe = (): DialogState => {
    if (metLoss) return describeLost(metLoss.message);
    if (access.isFetching && download.isIdle) return describeChecking();
    if (isKnownLost && download.isIdle) return describeLost(describeError(access.error, ERRORS.result_lost.message));
    if (!access.data || (access.isError && !download.isError)) {
      return describeUnknownAccess(target, access.error, () => access.refetch());
    }
    return access.data.canDownload
      ? describeReady(target, access.data, download)
      : describeRefusal(target, access.data, generationId ?? null);
  };
  const { action, ...state } = describe();
  const close = (
    <Button variant="quiet" onClick={onClose}>
      Закрыть
    </Button>
  );
  // The same dialog in all states, so that it keeps the focus.
  return (
    <Dialog
      open
      onOpenChange={onClose}
      {...state}
      footer={
        action ? (
          <>
            {close}
            {action}
          </>
        ) : (
          close
        )
      }
    />
  );
}

/** The page takes the button of a lost file away, and this dialog with it, so it learns of the loss at the end. */
function useReportAtEnd(isLost: boolean, generationId: string | null): void {
  const reportLoss = useLossReport();
  useEffect(() => (isLost ? () => reportLoss(generationId) : undefined), [isLost, reportLoss, generationId]);
}

function useDialogDownload(target: DownloadTarget, onClose: () => void) {
  const queryClient = useQueryClient();
  const download = useMutation({
    mutationFn: () => downloadTarget(target),
    onError: () => void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.premiumStatus }),
  });
  const { isSuccess } = download;
  useEffect(() => {
    if (!isSuccess) return;
    const timer = setTimeout(onClose, DOWNLOAD_CLOSE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isSuccess, onClose]);
  return download;
}

type DialogState = Pick<DialogProps, 'title' | 'tag' | 'size' | 'aside' | 'children'> & {
  /** Shown beside the button that closes the dialog. */
  action?: ReactNode;
};

function describeChecking(): DialogState {
  return {
    title: DOWNLOAD_TEXTS.checking,
    size: 'sm',
    children: <StitchProgress label={DOWNLOAD_TEXTS.checking} />,
  };
}

function describeUnknownAccess(target: DownloadTarget, error: unknown, retry: () => void): DialogState {
  return {
    title: 'Скачивание',
    size: 'sm',
    children: (
      <RetryNotice title={describeAccessError(error, target.kind === 'video' ? 'video' : 'image')} onRetry={retry} />
    ),
  };
}

/** A lost file. There is no button to try again, because the answer would be the same. */
function describeLost(message: string): DialogState {
  return { title: FILE_LOST, size: 'sm', children: <Notice tone="warning">{nb(message)}</Notice> };
}

function describeRefusal(
  target: DownloadTarget,
  { refusal, premium }: DownloadAccess,
  generationId: string | null,
): DialogState {
  const reason = describeReason(target);
  return {
    title: refusal,
    tag: <PremiumTag premium={premium} />,
    size: 'lg',
    aside: target.pictureUrl && <UnlockPicture url={target.pictureUrl} />,
    action: <UnlockButton source="download" findWayBack={wayBackFinder(target, generationId)} />,
    children: <UnlockOffer>{reason && <p className="text-sm text-muted mt-2">{nb(reason)}</p>}</UnlockOffer>,
  };
}

function describeReady(
  target: DownloadTarget,
  { premium }: DownloadAccess,
  download: ReturnType<typeof useDialogDownload>,
): DialogState {
  return {
    title: DOWNLOAD_TEXTS.ready,
    tag: <PremiumTag premium={premium} />,
    size: 'sm',
    action: (
      <Button
        icon={<Download className="ic" />}
        loading={download.isPending}
        loadingText={target.kind === 'export' ? 'Готовим файл…' : 'Скачиваем…'}
        onClick={() => download.mutate()}
      >
        {DOWNLOAD_TEXTS.download}
      </Button>
    ),
    children: (
      <>
        <p className="text-sm text-muted">{describeTarget(target)}</p>
        <p className="text-sm mt-3 min-h-5" role="status">
          {download.isSuccess && <span className="text-success">{OUTCOME_TEXTS[download.data]}</span>}
        </p>
        {download.isError && (
          <Notice
            tone="danger"
            title={download.error instanceof DownloadError ? download.error.message : DOWNLOAD_TEXTS.failed}
          />
        )}
      </>
    ),
  };
}

function PremiumTag({ premium }: Pick<DownloadAccess, 'premium'>) {
  return <span className="tag">{describePremiumStatus(premium)}</span>;
}

/** An argument for buying; null for targets other than videos. */
function describeReason({ kind }: DownloadTarget): string | null {
  if (kind !== 'video') return null;
  const order = formatRubles(EXAMPLE_ORDER_RUBLES);
  return `Пример: при среднем чеке ${order} одна дополнительная продажа приносит ${order} — сравните с ценой пакета.`;
}

function describeTarget(target: DownloadTarget): string {
  const permission = 'Коммерческое использование разрешено.';
  if (target.kind === 'video') return nb(`Оригинал без логотипа сервиса. ${permission}`);
  if (isZip(target)) {
    const count = target.kind === 'archive' ? target.ids.length : target.count;
    const files = `${count} ${pluralize(count, ['оригинал', 'оригинала', 'оригиналов'])}`;
    return nb(`${files} без водяного знака в одном архиве ZIP. ${permission}`);
  }
  if (target.kind === 'pack') return nb(`Пакет для маркетплейса в одном архиве ZIP. ${permission}`);
  return nb(`${target.kind === 'export' ? 'Файл для маркетплейса' : 'Оригинал'} без водяного знака. ${permission}`);
}

/** Undefined where the way back from a payment is the open page. */
function wayBackFinder(target: DownloadTarget, generationId: string | null): (() => WayBack) | undefined {
  if (target.kind === 'picture') return undefined;
  if (target.kind !== 'pack') return () => buildWayBack(target, generationId);
  const { wayBack } = target;
  return wayBack ? () => wayBack : undefined;
}

function isZip(target: DownloadTarget): target is Extract<DownloadTarget, { kind: 'archive' | 'session' }> {
  return target.kind === 'archive' || target.kind === 'session';
}
