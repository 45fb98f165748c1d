import type { QueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { ApiError } from '#pwa/client/api-error.ts';
import { dropPush } from '#pwa/client/push.ts';
import { toast } from '#pwa/components/toast.ts';
import { showBadge } from '#pwa/features/generations/seen-results.ts';
import { fetchUser } from '#pwa/features/session/fetch-user.ts';
import {
  endLogout,
  isLeavingHere,
  isSessionLikely,
  readSessionTrace,
  removeSessionMarker,
  stopLeaving,
} from '#pwa/features/session/session-marker.ts';
import { noteLeftByChoice, whenEntered } from '#pwa/features/session/session-memory.ts';
import { sessionError } from '#shared/contract/account.ts';
import { closeDevice, purgeDevice } from './device-data.ts';

const REDIRECT_DELAY_MS = 300;

let isExpiring = false;
/** Whether a call was refused while an earlier refusal was being handled. */
let isRefusedAgain = false;

/**
 * Finishes a sign-out of this page, with or without the server's confirmation: removes everything of the account from
 * the device. Returns whether the session is over; if not, the sign-out is repeated. If another tab has already ended
 * it, that tab's new session is left alone.
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

/** Removes the data of a signed-out account from the device and the page. */
export async function forgetAccount(userId: number | null): Promise<void> {
  await Promise.all([purgeDevice(userId), dropPush(), showBadge(0)]);
}

/**
 * Handles a call that was refused because its session is unknown to the server. Checks the browser's current session
 * and closes it if the server does not know it either. However many calls fail at once, the cookie is expired once, one
 * toast is shown, and 300 ms later the sign-in page opens. Visitors see nothing. If the session is alive, all queries
 * are fetched once more. A query that is refused again keeps its error.
 */
export async function expireSession(queryClient: QueryClient, goToAuth: () => void): Promise<void> {
  if (isExpiring) isRefusedAgain = true;
  if (isExpiring || !isOpenHere()) return;
  isExpiring = true;
  try {
    let answer = await askSession();
    if (answer === 'alive') {
      isRefusedAgain = false;
      await queryClient.invalidateQueries();
      // The session may have ended in the meantime. Otherwise the server refuses these queries, and not the session.
      if (isRefusedAgain) answer = await askSession();
    }
    // The person may have signed out in the meantime.
    if (answer === 'over' && isOpenHere()) await closeSession(queryClient, goToAuth);
  } finally {
    isExpiring = false;
  }
}

async function closeSession(queryClient: QueryClient, goToAuth: () => void): Promise<void> {
  // Shown after the refused call's own error, because only the last toast is visible.
  await wait(0);
  toast({
    title: 'Сессия завершена',
    description: 'Ваша сессия устарела, пожалуйста, войдите снова',
    tone: 'danger',
  });
  // A failure does not matter, because the cookie is worthless anyway.
  await Promise.all([callApi(sessionError).catch(() => undefined), wait(REDIRECT_DELAY_MS)]);
  removeSessionMarker();
  queryClient.clear();
  await closeDevice();
  goToAuth();
}

/** Whether somebody is signed in here and not about to sign out. */
function isOpenHere(): boolean {
  return !isLeavingHere() && isSessionLikely(readSessionTrace());
}

async function askSession(): Promise<'alive' | 'over' | 'unanswered'> {
  // While the session's token is being replaced, calls with the old one are refused.
  await whenEntered();
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
