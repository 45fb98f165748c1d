import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '#pwa/lib/api-client.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { type GenerationResult, type GenerationView, getGeneration } from '#shared/contract/generations.ts';

/** A comparison takes seconds. Its end is also announced by a nudge. */
const PENDING_CHECK_MS = 5_000;

/** An ended generation with what was found about its garments. */
export function endedGenerationQuery(generationId: string) {
  return queryOptions({
    queryKey: [...QUERY_KEYS.endedGeneration, generationId],
    queryFn: ({ signal }): Promise<GenerationView> =>
      callApi(getGeneration, { params: { id: generationId } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.results.some(isPending) ? PENDING_CHECK_MS : false),
    // Several parts of a page read it.
    staleTime: PENDING_CHECK_MS,
  });
}

/**
 * A generation whose results are compared with the photo; null while unknown. `known`: what the page has of it already.
 * Then nothing is asked unless something is compared.
 */
export function useGarmentChecks(generationId: string, known: GenerationView | null = null): GenerationView | null {
  const isAsked = known === null || known.results.some(({ garmentCheck }) => garmentCheck !== null);
  const { data } = useQuery({ ...endedGenerationQuery(generationId), enabled: isAsked });
  return data ?? known;
}

function isPending({ garmentCheck }: GenerationResult): boolean {
  return garmentCheck?.verdict === 'pending';
}
