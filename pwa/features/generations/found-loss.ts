import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { CHANGED_BY } from '#pwa/client/query-keys.ts';
import { generationQuery } from './generation-query.ts';

export function refetchResults(queryClient: QueryClient): void {
  for (const queryKey of CHANGED_BY.naming) void queryClient.invalidateQueries({ queryKey });
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
