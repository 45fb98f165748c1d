import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onNudge } from '#pwa/lib/nudges.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { noteSeen } from '#pwa/lib/seen-results.ts';

/**
 * What the page shows counts as seen once the person looks at it: one generation that has ended, all of them in a list,
 * or null for nothing. Other channels then keep silent about it.
 */
export function useSeenResults(shown: string | 'all' | null): void {
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: noteSeen,
    onSuccess: (unseen) => queryClient.setQueryData(QUERY_KEYS.unseen, unseen),
  });
  useEffect(() => {
    if (shown === null) return;
    let isNoted = false;
    const note = () => {
      if (isNoted || document.visibilityState !== 'visible' || !navigator.onLine) return;
      isNoted = true;
      mutate(shown);
    };
    // A list goes on showing what ends while it is open.
    const stopListening = onNudge(({ event, id }) => {
      if (shown !== 'all' || event !== 'generation' || id === undefined) return;
      isNoted = false;
      note();
    });
    note();
    document.addEventListener('visibilitychange', note);
    return () => {
      document.removeEventListener('visibilitychange', note);
      stopListening();
    };
  }, [shown, mutate]);
}
