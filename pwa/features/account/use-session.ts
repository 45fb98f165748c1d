import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ApiError } from '#pwa/lib/api-error.ts';
import { USER_DATA_STALE_MS } from '#pwa/lib/query-client.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import type { SessionMarker } from '#pwa/lib/session-marker.ts';
import { useSessionMarker } from '#pwa/lib/use-session-marker.ts';
import type { User } from '#shared/contract/account.ts';
import type { Session } from './session.ts';
import { hasLeftByChoice, rememberUser } from './session-memory.ts';

const userQuery = queryOptions({
  queryKey: QUERY_KEYS.user,
  queryFn: async ({ signal }) => {
    // Visitors ask nothing, and their first page loads none of what it takes.
    const { fetchUser } = await import('./fetch-user.ts');
    const user = await fetchUser(signal);
    rememberUser(user);
    return user;
  },
  staleTime: USER_DATA_STALE_MS,
});

/** The state of this tab's session; asks the server only when somebody has signed in on this device. */
export function useSession(): Session {
  const marker = useSessionMarker();
  const { data: user, error, errorUpdateCount } = useQuery({ ...userQuery, enabled: marker !== null });
  if (!marker) return { status: 'signed_out', leftByChoice: hasLeftByChoice() };
  return readSession(marker, { user, error, errorUpdateCount });
}

/** The session of somebody who has signed in on this device, by what the server has answered so far. */
export function readSession(
  marker: SessionMarker,
  { user, error, errorUpdateCount }: { user: User | undefined; error: Error | null; errorUpdateCount: number },
): Session {
  // Another account, when somebody has changed it elsewhere: this answer is old.
  if (user?.id === marker.userId) return { status: 'signed_in', userId: user.id, name: marker.name, user };
  const isRefused = (error as Partial<ApiError> | null)?.status === 401;
  // A refused session is about to be closed by the listener for 401; until then nothing is known. One question without
  // an answer is enough for the marker to count: the next one must not take the page away while it is on its way.
  if (errorUpdateCount === 0 || isRefused) return { status: 'loading' };
  return { status: 'signed_in', userId: marker.userId, name: marker.name, user: null };
}

/** The signed-in user, or null. */
export function useUser(): User | null {
  const session = useSession();
  return session.status === 'signed_in' ? session.user : null;
}
