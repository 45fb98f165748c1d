import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import { endedGenerationQuery } from './garment-query.ts';

/** Queries that say of results whether they are lost. */
const RESULT_QUERIES = [QUERY_KEYS.gallery, QUERY_KEYS.videos, QUERY_KEYS.endedGeneration];

export function refetchResults(queryClient: QueryClient): void {
  for (const queryKey of RESULT_QUERIES) void queryClient.invalidateQueries({ queryKey });
}

/**
 * To be called when the server says that a file is lost. The page learnt of the results when nobody had noticed that, so
 * the lists are fetched again, and the generation, if only one is concerned.
 */
export function useLossReport(): (generationId: string | null) => void {
  const queryClient = useQueryClient();
  return useCallback(
    (generationId) => {
      refetchResults(queryClient);
      if (generationId === null) return;
      void queryClient.prefetchQuery({ ...endedGenerationQuery(generationId), staleTime: 0 });
    },
    [queryClient],
  );
}

/** The generation as the server told it after a loss was reported; null while no file of it is found lost. */
export function useFoundLoss(generationId: string | null): GenerationView | null {
  const { data } = useQuery({
    ...endedGenerationQuery(generationId ?? ''),
    // Kept fresh once it shows a loss. Before that the page knows the generation from elsewhere.
    enabled: ({ state }) => hasLoss(state.data),
  });
  return data && hasLoss(data) ? data : null;
}

/** The generation that a page shows, with the losses found since it was read. */
export function withFoundLoss<View extends GenerationView>(view: View, found: GenerationView | null): View {
  return found ? { ...view, results: found.results } : view;
}

function hasLoss(view: GenerationView | undefined): boolean {
  return view?.results.some(({ loss }) => loss) ?? false;
}
