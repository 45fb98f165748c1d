import { callApi } from '#pwa/lib/api-client.ts';
import { readSessionMarker } from '#pwa/lib/session-marker.ts';
import { logout } from '#shared/contract/account.ts';

const KEY = 'podium.logoutPending';

/** Remembers a sign-out made without network: the server hears of it as soon as it can be reached. */
export function queueLogout(): void {
  localStorage.setItem(KEY, '1');
}

/** Sends the waiting sign-out, unless somebody has signed in meanwhile: that replaced the old session. */
export async function sendPendingLogout(): Promise<void> {
  if (localStorage.getItem(KEY) === null) return;
  if (!readSessionMarker()) {
    try {
      await callApi(logout);
    } catch {
      // Still no server: the mark stays and the next start tries again.
      return;
    }
  }
  localStorage.removeItem(KEY);
}
