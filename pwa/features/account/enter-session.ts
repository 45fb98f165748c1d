import type { QueryClient } from '@tanstack/react-query';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import type { User } from '#shared/contract/account.ts';
import { noteLeftByChoice, rememberUser } from './session-memory.ts';

/** After a sign-in, a registration or a confirmed e-mail. */
export function enterSession(queryClient: QueryClient, user: User): void {
  noteLeftByChoice(false);
  queryClient.setQueryData(QUERY_KEYS.user, user);
  rememberUser(user);
}
