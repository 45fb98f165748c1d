import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { hasConnection, subscribeConnection } from '#pwa/lib/connection.ts';

/** The connection is back: what failed without it, and what was shown from the device, is asked for anew. */
export function RefreshOnReturn() {
  const queryClient = useQueryClient();
  useEffect(
    () =>
      subscribeConnection(() => {
        if (!hasConnection()) return;
        void queryClient.refetchQueries({
          type: 'active',
          predicate: ({ state }) => state.error !== null || state.isInvalidated,
        });
      }),
    [queryClient],
  );
  return null;
}
