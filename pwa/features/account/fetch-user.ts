import { callApi } from '#pwa/lib/api-client.ts';
import { getUser, type User } from '#shared/contract/account.ts';

/** Asks the server who is signed in. */
export function fetchUser(signal: AbortSignal): Promise<User> {
  return callApi(getUser, undefined, { signal });
}
