import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import type * as z from 'zod/mini';
import { callApi } from '#pwa/client/api-client.ts';
import { ApiError } from '#pwa/client/api-error.ts';
import { USER_DATA_STALE_MS } from '#pwa/client/query-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { BATCH_PAUSE_MS, refetchSoon } from '#pwa/client/refetch-soon.ts';
import { createStartIntent, isUncertain } from '#pwa/client/start-intent.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import type { Batch, BatchRow } from '#shared/contract/batches.ts';
import * as contract from '#shared/contract/batches.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';

export interface OpenBatch {
  batch: Batch;
  /** In their order. */
  rows: BatchRow[];
}

/** The batches of the account, page by page, the newest first. */
export const batchesQuery = infiniteQueryOptions({
  queryKey: QUERY_KEYS.batches,
  queryFn: ({ pageParam, signal }) =>
    callApi(contract.listBatches, { query: { ...(pageParam && { cursor: pageParam }) } }, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  staleTime: USER_DATA_STALE_MS,
  meta: { persist: 'first_page' },
});

/** A batch with its rows. An unknown one and a foreign one are refused. `LiveUpdates` fetches it again when it changes. */
export function batchQuery(batchId: string) {
  return queryOptions({
    queryKey: [...QUERY_KEYS.batch, batchId],
    queryFn: ({ signal }): Promise<OpenBatch> => callApi(contract.getBatch, { params: { id: batchId } }, { signal }),
    staleTime: USER_DATA_STALE_MS,
  });
}

export function useBatch(batchId: string) {
  return useQuery(batchQuery(batchId));
}

/** What a call has told of a batch. */
export interface BatchNews {
  batch?: Batch;
  /** Rows that are new or have changed. */
  rows?: readonly BatchRow[];
  /** Rows that are gone. */
  removedIds?: readonly string[];
}

/**
 * Shows at once what a call has told of a batch. Fetches the batch again unless that was everything: the batch and its
 * changed rows.
 */
export async function noteBatch(queryClient: QueryClient, batchId: string, news: BatchNews): Promise<void> {
  const { queryKey } = batchQuery(batchId);
  const state = queryClient.getQueryState(queryKey);
  // Something else may have changed, too, which is not known yet.
  const isOld = state?.fetchStatus === 'fetching' || state?.isInvalidated === true;
  // An answer that is on its way may be older than the news.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, (known) => known && applyNews(known, news));
  const { batch } = news;
  if (batch)
    queryClient.setQueryData(QUERY_KEYS.batches, (known?: ListedPages) => known && replaceListed(known, batch));
  if (batch && news.rows && !isOld) void refetchSoon(queryClient, QUERY_KEYS.batches, BATCH_PAUSE_MS);
  else refetchBatch(queryClient, batchId);
}

export function refetchBatch(queryClient: QueryClient, batchId: string): void {
  void refetchSoon(queryClient, [...QUERY_KEYS.batch, batchId], BATCH_PAUSE_MS);
  void refetchSoon(queryClient, QUERY_KEYS.batches, BATCH_PAUSE_MS);
}

/** The batch after the news. Rows keep their order, and new ones stand where their position says. */
export function applyNews(known: OpenBatch, { batch = known.batch, rows = [], removedIds = [] }: BatchNews): OpenBatch {
  const byId = new Map([...known.rows, ...rows].map((row) => [row.id, row]));
  for (const id of removedIds) byId.delete(id);
  return { batch, rows: [...byId.values()].sort((a, b) => a.position - b.position) };
}

type ListedPages = InfiniteData<{ batches: contract.ListedBatch[] }>;

function replaceListed(known: ListedPages, batch: Batch): ListedPages {
  const replace = (listed: contract.ListedBatch) => (listed.id === batch.id ? { ...listed, ...batch } : listed);
  return { ...known, pages: known.pages.map((page) => ({ ...page, batches: page.batches.map(replace) })) };
}

/** A change of a batch. Further calls are ignored while one is under way. */
function useChange<Variables = void>(batchId: string, send: (variables: Variables) => Promise<BatchNews>) {
  const queryClient = useQueryClient();
  return useSingleMutation<BatchNews, Variables>({
    mutationFn: send,
    onSuccess: (news) => noteBatch(queryClient, batchId, news),
    onError: () => refetchBatch(queryClient, batchId),
  });
}

type Headers = Record<string, string>;

/** A change that spends stars: a repeat after a lost answer has the same Idempotency-Key, so it is carried out once. */
function useSpending<Variables extends object>(
  batchId: string,
  send: (variables: Variables, headers: Headers) => Promise<BatchNews>,
) {
  const [intent] = useState(createStartIntent);
  return useChange<Variables>(batchId, async (variables) => {
    try {
      const news = await send(variables, { [IDEMPOTENCY_KEY_HEADER]: intent.keyFor(variables) });
      intent.settle();
      return news;
    } catch (error) {
      if (error instanceof ApiError && !isUncertain(error.status)) intent.settle();
      throw error;
    }
  });
}

type BodyOf<E extends { body: z.ZodMiniType }> = z.input<E['body']>;

/** Changes name, settings of all rows, the photo of the person, or whether it goes on after a purchase. */
export function useChangeBatch(batchId: string) {
  return useChange(batchId, async (body: BodyOf<typeof contract.changeBatch>) => ({
    batch: await callApi(contract.changeBatch, { params: { id: batchId }, body }),
  }));
}

/** Removes a batch of which nothing runs. Photos and results stay. */
export function useDeleteBatch(batchId: string, onDeleted: () => void) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: () => callApi(contract.deleteBatch, { params: { id: batchId } }),
    onSuccess: () => {
      onDeleted();
      queryClient.removeQueries({ queryKey: batchQuery(batchId).queryKey });
      void refetchSoon(queryClient, QUERY_KEYS.batches);
    },
  });
}

/** Changes article, note or own settings of a row that does not wait or run. */
export function useChangeRow(batchId: string) {
  return useChange(batchId, async ({ rowId, ...body }: BodyOf<typeof contract.changeRow> & { rowId: string }) => ({
    rows: [await callApi(contract.changeRow, { params: { id: batchId, row: rowId }, body })],
  }));
}

/** Takes duplicates into the batch nevertheless. */
export function useKeepDuplicates(batchId: string) {
  return useChange(batchId, (rowIds: readonly string[]) =>
    callApi(contract.keepDuplicates, { params: { id: batchId }, body: { rowIds: [...rowIds] } }),
  );
}

/** Removes rows that do not run. */
export function useRemoveRows(batchId: string) {
  return useChange(batchId, async (rowIds: readonly string[]) => {
    const body = { rowIds: [...rowIds] };
    const { batch, rows } = await callApi(contract.removeRows, { params: { id: batchId }, body });
    const stay = new Set(rows.map(({ id }) => id));
    return { batch, rows, removedIds: rowIds.filter((id) => !stay.has(id)) };
  });
}

/** Puts the ready rows in line, or the first three. `agreedStars`: what the person has seen as the price. */
export function useStartBatch(batchId: string) {
  return useSpending(batchId, async (body: BodyOf<typeof contract.startBatch>, headers) => ({
    batch: await callApi(contract.startBatch, { params: { id: batchId }, body }, { headers }),
  }));
}

/** Puts failed and stopped rows in line again: these, or all failed ones. */
export function useRepeatRows(batchId: string) {
  return useSpending(batchId, async (body: BodyOf<typeof contract.repeatRows>, headers) => ({
    batch: await callApi(contract.repeatRows, { params: { id: batchId }, body }, { headers }),
  }));
}

/** Starts no more rows. What runs is finished. */
export function usePauseBatch(batchId: string) {
  return useChange(batchId, async () => ({ batch: await callApi(contract.pauseBatch, { params: { id: batchId } }) }));
}

/** Goes on with what waits, at the price that the person has seen. */
export function useResumeBatch(batchId: string) {
  return useChange(batchId, async (body: BodyOf<typeof contract.resumeBatch>) => ({
    batch: await callApi(contract.resumeBatch, { params: { id: batchId }, body }),
  }));
}

/** Stops what waits. What runs is finished and stays. */
export function useStopBatch(batchId: string) {
  return useChange(batchId, async () => ({ batch: await callApi(contract.stopBatch, { params: { id: batchId } }) }));
}

/** Records that the person has seen the batch at rest, so that no notice comes. */
export function useSeeBatch(batchId: string) {
  return useChange(batchId, async () => {
    await callApi(contract.seeBatch, { params: { id: batchId } });
    return {};
  });
}
