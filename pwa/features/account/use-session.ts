import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ApiError } from '#pwa/lib/api-error.ts';
import { USER_DATA_STALE_MS } from '#pwa/lib/query-client.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { useNeedsAccount } from '#pwa/lib/route-handle.ts';
import { isSessionLikely, noteNobody, readSessionTrace, type SessionTrace } from '#pwa/lib/session-marker.ts';
import { useSessionTrace } from '#pwa/lib/use-session-marker.ts';
import type { User } from '#shared/contract/account.ts';
import type { Session } from './session.ts';
import { hasLeftByChoice, rememberUser } from './session-memory.ts';

const userQuery = queryOptions({
  queryKey: QUERY_KEYS.user,
  queryFn: async ({ signal }) => {
    // Visitors send no request, and their first page does not load the code for one.
    const { fetchUser } = await import('./fetch-user.ts');
    try {
      const user = await fetchUser(signal);
      rememberUser(user);
      return user;
    } catch (error) {
      // Of a session that has ended its owner is told by the listener for 401; here there was none.
      if (isRefused(error) && !isSessionLikely(readSessionTrace())) noteNobody();
      throw error;
    }
  },
  staleTime: USER_DATA_STALE_MS,
});

/**
 * The state of this tab's session. The server is asked where the device tells of a session and, once, where it tells
 * nothing and the page is nothing without one: browsers drop what pages store, and the session may be alive.
 */
export function useSession(): Session {
  const trace = useSessionTrace();
  const needsAccount = useNeedsAccount();
  const isAsked = isSessionLikely(trace) || (trace === 'unknown' && needsAccount);
  const { data: user, error, errorUpdateCount } = useQuery({ ...userQuery, enabled: isAsked });
  if (!isAsked) return visitor();
  return readSession(trace, { user, error, errorUpdateCount });
}

/** The session of somebody who may be signed in on this device, by what the server has answered so far. */
export function readSession(
  trace: SessionTrace,
  { user, error, errorUpdateCount }: { user: User | undefined; error: Error | null; errorUpdateCount: number },
): Session {
  const marker = typeof trace === 'object' ? trace : null;
  // Another account, when somebody has changed it elsewhere: this answer is old.
  if (user && user.id === marker?.userId) return { status: 'signed_in', userId: user.id, name: marker.name, user };
  // A refused session is about to be closed by the listener for 401; until then nothing is known. One question without
  // an answer is enough for the marker to count: the next one must not take the page away while it is on its way.
  if (errorUpdateCount === 0 || isRefused(error)) return { status: 'loading', name: marker?.name ?? null };
  if (marker) return { status: 'signed_in', userId: marker.userId, name: marker.name, user: null };
  return trace === 'somebody' ? { status: 'unanswered' } : visitor();
}

/** The signed-in user, or null. */
export function useUser(): User | null {
  const session = useSession();
  return session.status === 'signed_in' ? session.user : null;
}

function visitor(): Session {
  return { status: 'signed_out', leftByChoice: hasLeftByChoice() };
}

function isRefused(error: unknown): boolean {
  return (error as Partial<ApiError> | null)?.status === 401;
}
