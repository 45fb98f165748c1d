import type { QueryClient } from '@tanstack/react-query';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { dropPush } from '#pwa/lib/push.ts';
import { showBadge } from '#pwa/lib/seen-results.ts';
import { endLogout, isSessionLikely, readSessionTrace, removeSessionMarker } from '#pwa/lib/session-marker.ts';
import { getUser, sessionError } from '#shared/contract/account.ts';
import { closeDevice, purgeDevice } from './device-data.ts';
import { isEntering, noteLeftByChoice } from './session-memory.ts';

const REDIRECT_DELAY_MS = 300;

let isExpiring = false;

/** After a sign-out: nothing of the account stays on the device. Unless the server has confirmed it, that is repeated. */
export async function leaveSession(queryClient: QueryClient, isConfirmed: boolean): Promise<void> {
  noteLeftByChoice(true);
  const marker = removeSessionMarker();
  if (isConfirmed) endLogout();
  queryClient.clear();
  await forgetAccount(marker?.userId ?? null);
}

/** Removes what the device keeps and shows of an account that has signed out. */
export async function forgetAccount(userId: number | null): Promise<void> {
  await Promise.all([purgeDevice(userId), dropPush(), showBadge(0)]);
}

/**
 * The server does not know the session any more. However many calls fail at once, the cookie is expired
 * once, one toast is shown, and 300 ms later the sign-in page opens. Somebody who was not signed in sees nothing.
 */
export async function expireSession(queryClient: QueryClient, goToAuth: () => void): Promise<void> {
  if (isExpiring || isEntering() || !isSessionLikely(readSessionTrace())) return;
  isExpiring = true;
  // A call that was on its way while the session got another token is refused too, and the session lives.
  if (await isSessionAlive()) {
    isExpiring = false;
    void queryClient.invalidateQueries();
    return;
  }
  // After the refused call's own error has been said: of two toasts only the later one is seen.
  await wait(0);
  toast({
    title: 'Сессия завершена',
    description: 'Ваша сессия устарела, пожалуйста, войдите снова',
    tone: 'danger',
  });
  // The specification ignores a failure here: the cookie is worthless anyway.
  await Promise.all([callApi(sessionError).catch(() => undefined), wait(REDIRECT_DELAY_MS)]);
  removeSessionMarker();
  queryClient.clear();
  await closeDevice();
  isExpiring = false;
  goToAuth();
}

function isSessionAlive(): Promise<boolean> {
  return callApi(getUser).then(
    () => true,
    () => false,
  );
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
