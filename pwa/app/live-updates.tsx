import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callApi } from '#pwa/lib/api-client.ts';
import { hasConnection, subscribeConnection } from '#pwa/lib/connection.ts';
import { followNudges, onNudge, type PageNudge } from '#pwa/lib/nudges.ts';
import { syncPush } from '#pwa/lib/push.ts';
import { USER_DATA_STALE_MS } from '#pwa/lib/query-client.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { showBadge } from '#pwa/lib/seen-results.ts';
import { useSessionMarker } from '#pwa/lib/use-session-marker.ts';
import { countUnseen } from '#shared/contract/notifications.ts';

/** Ended generations that nobody has seen. */
const unseenQuery = queryOptions({
  queryKey: QUERY_KEYS.unseen,
  queryFn: async ({ signal }) => (await callApi(countUnseen, undefined, { signal })).unseen,
  staleTime: USER_DATA_STALE_MS,
});

/** Nothing of this is needed for the first picture. */
const START_DELAY_MS = 1500;

const OF_GENERATIONS = [QUERY_KEYS.activeGenerations, QUERY_KEYS.videos, QUERY_KEYS.gallery, QUERY_KEYS.unseen];
const OF_BALANCE = [QUERY_KEYS.stars, QUERY_KEYS.premiumStatus];

/** For whoever is signed in: asks anew as soon as the server says so, and keeps the icon's number and the push alive. */
export function LiveUpdates() {
  const userId = useSessionMarker()?.userId ?? null;
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsReady(true), START_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return isReady && userId !== null ? <Following key={userId} userId={userId} /> : null;
}

function Following({ userId }: { userId: number }) {
  const queryClient = useQueryClient();
  const unseen = useQuery({ ...unseenQuery, enabled: 'setAppBadge' in navigator }).data;
  useEffect(() => {
    if (unseen !== undefined) void showBadge(unseen);
  }, [unseen]);

  useEffect(() => {
    const keepPush = () => {
      syncPush(userId).catch((error: unknown) => console.warn('push is not kept:', error));
    };
    // Without a connection it waits for the stream.
    const isKept = hasConnection();
    if (isKept) keepPush();
    const stopListening = onNudge((nudge) => askAnew(queryClient, nudge));
    // A stream that begins anew may belong to another session.
    let isFirst = isKept;
    const stopFollowing = followNudges(userId, () => {
      if (!isFirst) keepPush();
      isFirst = false;
    });
    return () => {
      stopListening();
      stopFollowing();
    };
  }, [userId, queryClient]);
  return null;
}

/** Asks again for what is on the page; the rest is asked when a page shows it. */
function askAnew(queryClient: QueryClient, { event }: PageNudge): void {
  const keys = {
    generation: OF_GENERATIONS,
    balance: OF_BALANCE,
    gap: [...OF_GENERATIONS, ...OF_BALANCE],
    // Whoever is not signed in any more is told so by the answer.
    end: [QUERY_KEYS.user],
  }[event];
  for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
}

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
