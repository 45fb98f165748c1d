import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { generationQuery } from './generation-query.ts';

/** Queries that say of results whether they are lost. */
const RESULT_QUERIES = [QUERY_KEYS.gallery, QUERY_KEYS.videos, QUERY_KEYS.results, QUERY_KEYS.generation];

export function refetchResults(queryClient: QueryClient): void {
  for (const queryKey of RESULT_QUERIES) void queryClient.invalidateQueries({ queryKey });
}

/**
 * To be called when the server says that a file is lost. The page learnt of the results when nobody had noticed that,
 * so the lists are fetched again, and the generation, if only one is concerned.
 */
export function useLossReport(): (generationId: string | null) => void {
  const queryClient = useQueryClient();
  return useCallback(
    (generationId) => {
      refetchResults(queryClient);
      if (generationId === null) return;
      void queryClient.prefetchQuery({ ...generationQuery(generationId), staleTime: 0 });
    },
    [queryClient],
  );
}
