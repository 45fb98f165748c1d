import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { setUnauthorizedListener } from '#pwa/client/api-client.ts';
import { useSessionMarker } from '#pwa/features/session/use-session-marker.ts';
import { followPendingLogout } from './pending-logout.ts';
import { expireSession } from './session-changes.ts';

/** Reacts to refused calls, to sign-outs in other tabs, and to sign-outs that the server has not confirmed. */
export function SessionWatcher({ goToAuth }: { goToAuth: () => void }) {
  const queryClient = useQueryClient();
  const userId = useSessionMarker()?.userId ?? null;
  const previousUserId = useRef(userId);

  useEffect(() => {
    setUnauthorizedListener(() => void expireSession(queryClient, goToAuth));
    return () => setUnauthorizedListener(null);
  }, [queryClient, goToAuth]);

  useEffect(() => {
    followAccount(previousUserId.current, userId, queryClient);
    previousUserId.current = userId;
  }, [queryClient, userId]);

  useEffect(followPendingLogout, []);
  return null;
}

/** Clears the query cache when another tab has signed out or changed the account. */
export function followAccount(former: number | null, current: number | null, queryClient: QueryClient): void {
  if (former === null || former === current) return;
  queryClient.clear();
  // The account changed without an event of a sign-out, so an open page would keep showing the old data.
  if (current !== null) location.reload();
}
