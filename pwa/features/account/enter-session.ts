import type { QueryClient } from '@tanstack/react-query';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { endLogout, isLeavingHere, readSessionMarker } from '#pwa/lib/session-marker.ts';
import type { User } from '#shared/contract/account.ts';
import { noteLeftByChoice, rememberUser } from './session-memory.ts';

/** After a sign-in, a registration or a confirmed e-mail. */
export function enterSession(queryClient: QueryClient, user: User): void {
  noteLeftByChoice(false);
  // The new session has taken the place of one whose sign-out the server was never told of.
  endLogout();
  queryClient.setQueryData(QUERY_KEYS.user, user);
  rememberUser(user);
}

/**
 * After a moment in which the person could do something else: nothing, if they have signed out since or are about to. A
 * sign-out whose call is under way would be forgotten otherwise, and not repeated if the call failed.
 */
export function enterSessionLate(queryClient: QueryClient, user: User): void {
  if (!isLeavingHere() && readSessionMarker()?.userId === user.id) enterSession(queryClient, user);
}
