import type { QueryClient } from '@tanstack/react-query';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { ApiError } from '#pwa/lib/api-error.ts';
import { dropPush } from '#pwa/lib/push.ts';
import { showBadge } from '#pwa/lib/seen-results.ts';
import {
  endLogout,
  isLeavingHere,
  isSessionLikely,
  readSessionTrace,
  removeSessionMarker,
  stopLeaving,
} from '#pwa/lib/session-marker.ts';
import { sessionError } from '#shared/contract/account.ts';
import { closeDevice, purgeDevice } from './device-data.ts';
import { fetchUser } from './fetch-user.ts';
import { noteLeftByChoice, whenEntered } from './session-memory.ts';

const REDIRECT_DELAY_MS = 300;

let isExpiring = false;

/**
 * After a sign-out of this page, whether the server has confirmed it here or not: nothing of the account stays on the
 * device. Gives whether the session is over; if not, the sign-out is repeated. One that another tab has ended meanwhile
 * takes nothing from whoever has signed in there.
 */
export async function leaveSession(queryClient: QueryClient, isConfirmed: boolean): Promise<boolean> {
  if (!stopLeaving()) {
    queryClient.clear();
    return true;
  }
  noteLeftByChoice(true);
  const marker = removeSessionMarker();
  if (isConfirmed) endLogout();
  queryClient.clear();
  await forgetAccount(marker?.userId ?? null);
  return isConfirmed;
}

/** Removes the data of an account that has signed out from the device and the page. */
export async function forgetAccount(userId: number | null): Promise<void> {
  await Promise.all([purgeDevice(userId), dropPush(), showBadge(0)]);
}

/**
 * A call was refused because the server does not know its session. Asks whether it knows the one that the browser has now,
 * and closes it here if not: however many calls fail at once, the cookie is expired once, one toast is shown, and 300 ms
 * later the sign-in page opens. Somebody who was not signed in sees nothing.
 */
export async function expireSession(queryClient: QueryClient, goToAuth: () => void): Promise<void> {
  if (isExpiring || !isOpenHere()) return;
  isExpiring = true;
  try {
    // The call may have been on its way while the session got another token.
    await whenEntered();
    const answer = await askSession();
    if (answer === 'alive') void queryClient.invalidateQueries();
    // The owner may have signed out in the meantime.
    if (answer === 'over' && isOpenHere()) await closeSession(queryClient, goToAuth);
  } finally {
    isExpiring = false;
  }
}

async function closeSession(queryClient: QueryClient, goToAuth: () => void): Promise<void> {
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
  goToAuth();
}

/** Whether somebody counts as signed in here, and is not about to leave. */
function isOpenHere(): boolean {
  return !isLeavingHere() && isSessionLikely(readSessionTrace());
}

async function askSession(): Promise<'alive' | 'over' | 'unanswered'> {
  try {
    await fetchUser();
    return 'alive';
  } catch (error) {
    return error instanceof ApiError && error.status === 401 ? 'over' : 'unanswered';
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
