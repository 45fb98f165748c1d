import { ApiError } from '#pwa/lib/api-error.ts';
import { removeSessionMarker } from '#pwa/lib/session-marker.ts';
import { fetchUser } from './fetch-user.ts';
import { rememberUser } from './session-memory.ts';

/** The server is given so long: a page waits for it. */
const TIMEOUT_MS = 5000;

/** Asks the server, once, who it is that an unreadable marker stands for. Without an answer the next start asks again. */
export async function repairSessionMarker(): Promise<void> {
  try {
    rememberUser(await fetchUser(AbortSignal.timeout(TIMEOUT_MS)));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) removeSessionMarker();
    else console.warn('nobody could say who is signed in:', error);
  }
}
