import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { setUnauthorizedListener } from '#pwa/lib/api-client.ts';
import { useSessionMarker } from '#pwa/lib/use-session-marker.ts';
import { followPendingLogout } from './pending-logout.ts';
import { expireSession } from './session-changes.ts';

/** Watches over the session: refused calls, sign-outs in other tabs, and sign-outs without the server's word. */
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

/** Another tab signed out or changed the account: what was read for the former one must not be shown. */
export function followAccount(former: number | null, current: number | null, queryClient: QueryClient): void {
  if (former === null || former === current) return;
  queryClient.clear();
  // A page that stays open would keep showing its data: it got no event of a sign-out in between.
  if (current !== null) location.reload();
}
