import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { noteInSight, noteSeen } from '#pwa/lib/seen-results.ts';

/**
 * What the page shows counts as seen once the person looks at it: these generations, which have ended. Other channels then
 * keep silent about them.
 */
export function useSeenResults(shownIds: readonly string[]): void {
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: noteSeen,
    onSuccess: (unseen) => {
      if (unseen !== null) queryClient.setQueryData(QUERY_KEYS.unseen, unseen);
    },
  });
  const noted = useRef(new Set<string>());
  // A list is a new one with every picture of the page, and mostly holds the same.
  const key = JSON.stringify(shownIds);
  useEffect(() => noteInSight(JSON.parse(key), noted.current, mutate), [key, mutate]);
}
