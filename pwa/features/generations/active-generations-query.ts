import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { callApi } from '#pwa/client/api-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { listActiveGenerations } from '#shared/contract/videos.ts';

/** The running generations. Always fetched again, because they decide what is restored. */
export const activeGenerationsQuery = queryOptions({
  queryKey: QUERY_KEYS.activeGenerations,
  queryFn: ({ signal }): Promise<ActiveGenerations> => callApi(listActiveGenerations, {}, { signal }),
  staleTime: 0,
  meta: { persist: 'whole' },
});
export type ActiveGenerations = z.infer<(typeof listActiveGenerations)['answer']>;
