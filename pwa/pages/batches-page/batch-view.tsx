import { ArrowLeft, Ellipsis, PencilLine, Trash2 } from 'lucide-react';
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { describeError, isRefusedFor } from '#pwa/client/api-error.ts';
import { ButtonLink } from '#pwa/components/button.tsx';
import { ErrorView } from '#pwa/components/error-view.tsx';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { ListAge } from '#pwa/components/list-age.tsx';
import { Menu, MenuItem } from '#pwa/components/menu.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { usePageVisible } from '#pwa/device/use-page-visible.ts';
import { useDialogInAddress } from '#pwa/device/use-taken-parameter.ts';
import { type OpenBatch, useBatch, useDeleteBatch, useSeeBatch } from '#pwa/features/batches/batch-queries.ts';
import { IntakeActions } from '#pwa/features/batches/intake/intake-actions.tsx';
import { IntakeDropZone } from '#pwa/features/batches/intake/intake-drop-zone.tsx';
import { IntakeStatus } from '#pwa/features/batches/intake/intake-status.tsx';
import { ConfirmDeletion } from '#pwa/features/gallery/delete-dialog.tsx';
import { LazyPackDialog } from '#pwa/features/packs/lazy-pack-dialog.tsx';
import { PACKS_PARAMETER } from '#pwa/features/packs/packs-way-back.ts';
import { nb } from '#pwa/format.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { BATCH_ROWS_MAX } from '#shared/rules/batches.ts';
import { PHOTO_HINT } from '#shared/rules/photo-requirements.ts';
import { BatchCommands } from './batch-commands.tsx';
import { BatchRows } from './batch-rows.tsx';
import { BatchSetPanel } from './batch-set-panel.tsx';
import { describeCounts, shareDone } from './batch-texts.ts';
import { NameDialog } from './name-dialog.tsx';

const BatchReview = lazy(async () => ({
  default: (await import('#pwa/features/batches/review/batch-review.tsx')).BatchReview,
}));

/** Query parameter that opens the review of the batch. */
const REVIEW_PARAMETER = 'review';

/** One batch: its rows, its settings, and what can be done with it. */
export function BatchView({ id }: { id: string }) {
  const query = useBatch(id);
  return (
    <>
      <Link className="back" to={PATHS.batches}>
        <ArrowLeft className="ic ic-s" />
        Все партии
      </Link>
      {query.data ? (
        <KnownBatch open={query.data} query={query} />
      ) : query.isFetching ? (
        <div role="status">
          <p className="sr-only">Загружаем партию…</p>
          <Skeleton className="h-10 max-w-xs" />
          <Skeleton className="h-40 mt-6" />
        </div>
      ) : isGone(query.error) ? (
        <ErrorView
          title="Такой партии нет"
          text={nb('Возможно, её удалили. Фото и результаты удалённой партии остаются.')}
          action={<ButtonLink to={PATHS.batches}>Все партии</ButtonLink>}
        />
      ) : (
        <RetryNotice title="Не удалось загрузить партию" onRetry={() => void query.refetch()}>
          {describeError(query.error, 'Пожалуйста, попробуйте позже')}
        </RetryNotice>
      )}
    </>
  );
}

function isGone(error: unknown): boolean {
  return isRefusedFor(error, 'batch_not_found') || isRefusedFor(error, 'batch_forbidden');
}

function KnownBatch({ open: { batch, rows }, query }: { open: OpenBatch; query: ReturnType<typeof useBatch> }) {
  const [isReviewing, setReviewing] = useDialogInAddress(REVIEW_PARAMETER);
  const [isPacking, setPacking] = useDialogInAddress(PACKS_PARAMETER);
  useSeen(batch.id, batch.isUnseen);
  const share = shareDone(batch);
  return (
    <IntakeDropZone batchId={batch.id}>
      <Head batch={batch} />
      {query.isRefetchError && (
        <ListAge
          list={{ toldAt: query.dataUpdatedAt, isOld: true, isFetching: query.isFetching }}
          onRefresh={() => void query.refetch()}
        />
      )}
      <p className="num" role="status">
        {describeCounts(batch.counts)}
      </p>
      {batch.status !== 'open' && (
        <StitchProgress value={share} label="Сделано" still={batch.status === 'paused'} className="mt-2" />
      )}
      <div className="grid grid-cols-1 gap-6 mt-5 lg:grid-cols-[minmax(0,1fr)_320px] lg:items-start">
        <div className="grid gap-4 lg:order-last lg:sticky lg:top-4">
          <BatchSetPanel batch={batch} />
          <BatchCommands
            batch={batch}
            rows={rows}
            onReview={() => setReviewing(true)}
            onPacks={() => setPacking(true)}
          />
        </div>
        <div className="grid grid-cols-1 gap-4">
          <section className="drop p-4 grid gap-3 justify-items-start" aria-label="Добавить фото">
            <p className="text-sm">
              {nb('Перетащите сюда папку, файлы, ZIP или таблицу CSV.')}
              <span className="block text-muted">{nb(`До ${BATCH_ROWS_MAX} фото. ${PHOTO_HINT}.`)}</span>
            </p>
            <IntakeActions />
          </section>
          <IntakeStatus />
          <BatchRows batch={batch} rows={rows} />
        </div>
      </div>
      <Suspense>
        {isReviewing && (
          <BatchReview
            batch={batch}
            rows={rows}
            onClose={() => setReviewing(false)}
            onPacks={() => {
              setReviewing(false);
              setPacking(true);
            }}
          />
        )}
      </Suspense>
      {isPacking && (
        <LazyPackDialog
          subject={{ batchId: batch.id }}
          title={batch.name}
          onClose={() => setPacking(false)}
          onReview={() => {
            setPacking(false);
            setReviewing(true);
          }}
        />
      )}
    </IntakeDropZone>
  );
}

/** A batch that has come to rest under its owner's eyes needs no notice. */
function useSeen(batchId: string, isUnseen: boolean): void {
  const isVisible = usePageVisible();
  const { mutate } = useSeeBatch(batchId);
  // Once for each end: the answer of the next fetch says that it was seen.
  const see = useEffectEvent(() => mutate());
  useEffect(() => {
    if (isUnseen && isVisible) see();
  }, [isUnseen, isVisible]);
}

function Head({ batch }: Pick<OpenBatch, 'batch'>) {
  const navigate = useNavigate();
  const [isNaming, setIsNaming] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const removal = useDeleteBatch(batch.id, () => void navigate(PATHS.batches, { replace: true }));
  const isBusy = batch.counts.waiting + batch.counts.running > 0;
  return (
    <div className="flex items-center gap-2 mb-1">
      <h1 className="ptitle min-w-0 [overflow-wrap:anywhere]">{batch.name}</h1>
      <Menu
        trigger={
          <IconButton label="Ещё о партии" className="flex-none">
            <Ellipsis className="ic" />
          </IconButton>
        }
      >
        <MenuItem icon={<PencilLine className="ic" />} onSelect={() => setIsNaming(true)}>
          Переименовать
        </MenuItem>
        <MenuItem icon={<Trash2 className="ic" />} disabled={isBusy} onSelect={() => setIsAsked(true)}>
          {isBusy ? 'Удалить можно, когда всё закончится' : 'Удалить партию'}
        </MenuItem>
      </Menu>
      {isNaming && <NameDialog batch={batch} onClose={() => setIsNaming(false)} />}
      <ConfirmDeletion
        title={isAsked ? 'Удалить партию?' : null}
        description={nb('Строки и решения о них пропадут. Фото и результаты останутся.')}
        action="Удалить"
        onClose={() => setIsAsked(false)}
        onConfirm={() =>
          removal.mutate(undefined, {
            onError: (error) => toastFailure('Не удалось удалить партию', error, 'Попробуйте ещё раз'),
          })
        }
      />
    </div>
  );
}
