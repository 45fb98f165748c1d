import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ApiError } from '#pwa/client/api-error.ts';
import { USER_DATA_STALE_MS } from '#pwa/client/query-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import type { User } from '#shared/contract/account.ts';
import { useNeedsAccount } from './route-handle.ts';
import { isSessionLikely, noteNobody, readSessionTrace, type SessionTrace } from './session-marker.ts';
import { hasLeftByChoice, rememberUser } from './session-memory.ts';
import { useSessionTrace } from './use-session-marker.ts';

/** Who is using this tab, as the guards and the header need it. */
export type Session =
  /** The server is being asked. `name` is the person's, if the device knows it. */
  | { status: 'loading'; name: string | null }
  /** Somebody is signed in, but the server, which alone knows who, does not answer. */
  | { status: 'unanswered' }
  | { status: 'signed_out'; leftByChoice: boolean }
  /** `user` is null while the server cannot be asked: without a network the device's marker is trusted. */
  | { status: 'signed_in'; userId: number; name: string; user: User | null };

const userQuery = queryOptions({
  queryKey: QUERY_KEYS.user,
  queryFn: async ({ signal }) => {
    // Loaded late: visitors send no request, so their first page does not load this code.
    const { fetchUser } = await import('./fetch-user.ts');
    try {
      const user = await fetchUser(signal);
      rememberUser(user);
      return user;
    } catch (error) {
      // The listener for 401 reports an ended session. Here the device had no sign of a session, so there was none.
      if (isRefused(error) && !isSessionLikely(readSessionTrace())) noteNobody();
      throw error;
    }
  },
  staleTime: USER_DATA_STALE_MS,
  // Many parts of a page ask who is signed in. A failed answer counts for all of them, until the window gets the focus.
  retryOnMount: false,
  // Another tab may have renamed the account, or asked for its deletion.
  refetchOnWindowFocus: 'always',
});

/**
 * The state of this tab's session. The server is asked when the device has a sign of a session. It is also asked once
 * when there is none but the page needs an account: browsers drop what pages store, and the session may still exist.
 */
export function useSession(): Session {
  const trace = useSessionTrace();
  const needsAccount = useNeedsAccount();
  const isAsked = isSessionLikely(trace) || (trace === 'unknown' && needsAccount);
  const { data: user, error, errorUpdateCount } = useQuery({ ...userQuery, enabled: isAsked });
  if (!isAsked) return visitor();
  return readSession(trace, { user, error, errorUpdateCount });
}

/** The session of a person who may be signed in here, from the server's answers so far. */
export function readSession(
  trace: SessionTrace,
  { user, error, errorUpdateCount }: { user: User | undefined; error: Error | null; errorUpdateCount: number },
): Session {
  const marker = typeof trace === 'object' ? trace : null;
  // An answer for another id is outdated: the account was changed in another tab.
  if (user && user.id === marker?.userId) return { status: 'signed_in', userId: user.id, name: marker.name, user };
  // The listener for 401 is about to close a refused session, so until then the state is unknown. After one unanswered
  // request the marker counts, so that the page stays while the next request is in flight.
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
