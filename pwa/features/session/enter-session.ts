import type { QueryClient } from '@tanstack/react-query';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import type { User } from '#shared/contract/account.ts';
import { endLogout, isLeavingHere, readSessionMarker } from './session-marker.ts';
import { noteLeftByChoice, rememberUser } from './session-memory.ts';

/** Opens the session in the page, after a sign-in, a registration or a confirmed e-mail. */
export function enterSession(queryClient: QueryClient, user: User): void {
  noteLeftByChoice(false);
  // The new session replaces one whose sign-out the server has not confirmed.
  endLogout();
  queryClient.setQueryData(QUERY_KEYS.user, user);
  rememberUser(user);
}

/**
 * Opens the session in the page some time after the sign-in. Does nothing if the person has signed out in the meantime
 * or is about to: a running sign-out would be forgotten, and not repeated if its call failed.
 */
export function enterSessionLate(queryClient: QueryClient, user: User): void {
  if (!isLeavingHere() && readSessionMarker()?.userId === user.id) enterSession(queryClient, user);
}
