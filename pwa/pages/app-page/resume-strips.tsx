import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef } from 'react';
import { activeGenerationsQuery } from '#pwa/features/generations/active-generations-query.ts';
import { lazyPart } from '#pwa/lib/lazy-part.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { useOnline } from '#pwa/lib/use-online.ts';
import { POLL_INTERVAL_MS } from '#shared/rules/generation-lifecycle.ts';

// Most visits begin while nothing runs.
const RunningGeneration = lazyPart(() => import('./running-generation.tsx'));

/** One strip for each running generation. When one ends, the results and the balance are fetched again. */
export function ResumeStrips() {
  const queryClient = useQueryClient();
  const isOnline = useOnline();
  const { data, dataUpdatedAt } = useQuery({
    ...activeGenerationsQuery,
    refetchInterval: ({ state }) => (state.data?.activeGenerations.length ? POLL_INTERVAL_MS : false),
  });
  const count = data?.activeGenerations.length;
  const previousCount = useRef(count);
  useEffect(() => {
    if (count !== undefined && previousCount.current !== undefined && count < previousCount.current) {
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.videos });
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.gallery });
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.starBalance });
    }
    previousCount.current = count;
  }, [count, queryClient]);
  if (!data) return null;
  return (
    <Suspense>
      {data.activeGenerations.map((generation) => (
        <RunningGeneration key={generation.id} generation={generation} toldAt={isOnline ? null : dataUpdatedAt} />
      ))}
    </Suspense>
  );
}
