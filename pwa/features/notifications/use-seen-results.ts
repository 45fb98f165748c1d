import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { noteInSight, noteSeen } from '#pwa/features/generations/seen-results.ts';
import type { Unseen } from '#shared/contract/notifications.ts';

/** Marks these ended generations as seen once the person looks at the page. Other channels then do not report them. */
export function useSeenResults(shownIds: readonly string[]): void {
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: noteSeen,
    onSuccess: (unseen, seenIds) => {
      if (unseen === null) return;
      queryClient.setQueryData<Unseen>(
        QUERY_KEYS.unseen,
        (known) =>
          known && { unseen, results: known.results.filter(({ generationId }) => !seenIds.includes(generationId)) },
      );
    },
  });
  const noted = useRef(new Set<string>());
  // The array is new at every render but mostly has the same content, so its text is the dependency.
  const key = JSON.stringify(shownIds);
  useEffect(() => noteInSight(JSON.parse(key), noted.current, mutate), [key, mutate]);
}
