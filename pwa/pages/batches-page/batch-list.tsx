import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Layers, Plus } from 'lucide-react';
import { Link, useNavigate } from 'react-router-dom';
import { callApi } from '#pwa/client/api-client.ts';
import { describeError } from '#pwa/client/api-error.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { useKnownList } from '#pwa/client/use-known-list.ts';
import { Button } from '#pwa/components/button.tsx';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { HomeLink } from '#pwa/components/home-link.tsx';
import { ListAge } from '#pwa/components/list-age.tsx';
import { LoadMore } from '#pwa/components/load-more.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { ResultPicture, SilhouetteBox } from '#pwa/components/result-picture.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { useOnline } from '#pwa/device/use-online.ts';
import { batchesQuery, batchQuery } from '#pwa/features/batches/batch-queries.ts';
import { useSharedFiles } from '#pwa/features/batches/intake/use-shared-files.ts';
import { GallerySwitch } from '#pwa/features/gallery/gallery-switch.tsx';
import { toolSettingsQuery } from '#pwa/features/generations/tool-settings.ts';
import { useChange, useOffered } from '#pwa/features/tools/tools.ts';
import { formatRecentDate, nb } from '#pwa/format.ts';
import { type BatchSet, createBatch, type ListedBatch } from '#shared/contract/batches.ts';
import { batchPath } from '#shared/rules/result-links.ts';
import { describeCounts, describeStatus, shareDone } from './batch-texts.ts';
import { chooseDefaultSet } from './default-set.ts';

/** All batches of the account, and a way to begin one. */
export function BatchList() {
  const query = useInfiniteQuery(batchesQuery);
  const list = useKnownList(query, batchesQuery.queryKey);
  const batches = query.data?.pages.flatMap((page) => page.batches) ?? null;
  const lastSet = batches?.find(({ isQueue }) => !isQueue)?.set ?? null;
  const isEmpty = batches?.length === 0 && !list.hasMore;
  return (
    <>
      <HomeLink />
      <div className="grid grid-cols-[1fr_auto] items-center gap-x-6 gap-y-4 mb-5">
        <h1 className="ptitle">Партии</h1>
        {!isEmpty && <NewBatchButton lastSet={lastSet} />}
        <div className="max-lg:col-span-full lg:hidden">
          <GallerySwitch />
        </div>
      </div>
      <SharedNote />
      {batches === null ? (
        <BatchesToCome list={list} />
      ) : isEmpty ? (
        <EmptyState
          picture={<Layers className="ic ic-l" />}
          title="Много фото за один раз"
          text={nb(
            'Добавьте папку с фото товаров и выберите одни настройки для всех. Партия сделает их одно за другим, страницу можно закрыть. Звёзды тратятся только на то, что получилось.',
          )}
          action={<NewBatchButton lastSet={null} />}
        />
      ) : (
        <>
          <ListAge list={list} onRefresh={() => void list.refresh()} />
          <ul className="grid gap-3">
            {batches.map((batch) => (
              <li key={batch.id}>
                <BatchCard batch={batch} />
              </li>
            ))}
          </ul>
          <LoadMore list={list} />
        </>
      )}
    </>
  );
}

/** Says where the photos go that were shared with the app. */
function SharedNote() {
  const { count } = useSharedFiles();
  if (count === 0) return null;
  return (
    <Notice tone="info" className="mb-4">
      {nb(`Присланные фото ждут: ${count}. Создайте партию и нажмите в ней «Присланные фото».`)}
    </Notice>
  );
}

function BatchCard({ batch }: { batch: ListedBatch }) {
  const share = shareDone(batch);
  return (
    <Link to={batchPath(batch.id)} className="panel p-4 flex gap-4 items-center no-underline hover:bg-fog">
      <span className="grid grid-cols-2 gap-0.5 w-16 shrink-0 overflow-hidden rounded-control">
        {batch.covers.length > 0 ? (
          batch.covers.map((url) => <ResultPicture key={url} url={url} alt="" isLazy />)
        ) : (
          <span className="col-span-2">
            <SilhouetteBox />
          </span>
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="font-semibold [overflow-wrap:anywhere]">{batch.name}</span>
          <span className="text-sm text-muted">{formatRecentDate(batch.createdAt)}</span>
        </span>
        <span className="block text-sm">{describeStatus(batch)}</span>
        <span className="num block text-sm text-muted">{describeCounts(batch.counts)}</span>
        {batch.status !== 'open' && <StitchProgress value={share} still={batch.status === 'paused'} className="mt-2" />}
      </span>
    </Link>
  );
}

/** Makes an empty batch with the settings of the last one, otherwise with those of the first tool, and opens it. */
function NewBatchButton({ lastSet }: { lastSet: BatchSet | null }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const isOnline = useOnline();
  const offered = useOffered();
  const change = useChange();
  const last = useQuery(toolSettingsQuery).data?.last ?? {};
  const creation = useMutation({
    mutationFn: (set: BatchSet) => callApi(createBatch, { body: { id: crypto.randomUUID(), set } }),
    onSuccess: (batch) => {
      queryClient.setQueryData(batchQuery(batch.id).queryKey, { batch, rows: [] });
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.batches });
      void navigate(batchPath(batch.id));
    },
    onError: (error) => toastFailure('Не удалось создать партию', error, 'Проверьте интернет и попробуйте ещё раз'),
  });
  const begin = () => {
    if (lastSet && offered.includes(lastSet.kind)) return creation.mutate(lastSet);
    const kinds = offered.includes('video') ? (['video', ...offered] as const) : offered;
    const set = kinds.map((kind) => chooseDefaultSet(kind, last, change)).find((one) => one !== null);
    creation.mutate(set ?? { kind: 'photosession', settings: {} });
  };
  return (
    <Button
      icon={<Plus className="ic ic-s" />}
      loading={creation.isPending}
      loadingText="Создаём…"
      disabledReason={isOnline ? null : 'Нет сети'}
      onClick={begin}
    >
      Новая партия
    </Button>
  );
}

function BatchesToCome({ list }: { list: ReturnType<typeof useKnownList> }) {
  if (list.error && !list.isFetching) {
    return (
      <RetryNotice title="Не удалось загрузить партии" onRetry={() => void list.refresh()}>
        {describeError(list.error, 'Пожалуйста, попробуйте позже')}
      </RetryNotice>
    );
  }
  return (
    <div role="status">
      <p className="sr-only">Загружаем партии…</p>
      <div className="grid gap-3" aria-hidden="true">
        {[1, 2, 3].map((key) => (
          <Skeleton key={key} className="h-24" />
        ))}
      </div>
    </div>
  );
}
