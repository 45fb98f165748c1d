import { callApi } from '#pwa/lib/api-client.ts';
import { hasConnection, subscribeConnection } from '#pwa/lib/connection.ts';
import {
  endLogout,
  isLogoutPending,
  isLogoutStillPending,
  removeSessionMarker,
  subscribeSessionMarker,
} from '#pwa/lib/session-marker.ts';
import { logout } from '#shared/contract/account.ts';
import { forgetAccount } from './session-changes.ts';
import { isEntering, noteLogoutUnderWay, whenEntered } from './session-memory.ts';

const TIMEOUT_MS = 10_000;
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;

/** Asks the server to end the session; returns whether it has confirmed that. */
export async function sendLogout(): Promise<boolean> {
  // While the session is getting another token the call waits, so as to carry that one; but not for ever.
  if (isEntering()) await Promise.race([whenEntered(), new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))]);
  const attempt = new AbortController();
  noteLogoutUnderWay(attempt);
  const timer = setTimeout(() => attempt.abort(), TIMEOUT_MS);
  try {
    await callApi(logout, undefined, { signal: attempt.signal });
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Repeats a sign-out that the server has not confirmed: at the start of every page, when the connection is back, and in
 * growing pauses in between. Returns the function that stops it.
 */
export function followPendingLogout(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let isStopped = false;
  const repeat = async () => {
    clearTimeout(timer);
    if (isStopped || !isLogoutStillPending()) return;
    if (isEntering() || !(await sendLogout())) return wait();
    // Not for an account that has signed in in another tab since.
    if (!isLogoutStillPending()) return;
    removeLeftBehind();
    endLogout();
  };
  const wait = () => {
    clearTimeout(timer);
    if (isStopped || !isLogoutPending()) return;
    timer = setTimeout(() => void repeat(), pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  };
  const stopListening = [
    subscribeConnection(() => {
      if (hasConnection()) void repeat();
    }),
    // In this tab, whose own call has failed just now, or in another one.
    subscribeSessionMarker(() => {
      pauseMs = FIRST_PAUSE_MS;
      wait();
    }),
  ];
  if (isLogoutPending()) removeLeftBehind();
  void repeat();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    for (const stop of stopListening) stop();
  };
}

/** A page that waits for the answer to its sign-out, or was closed during it, has removed nothing yet. */
function removeLeftBehind(): void {
  const marker = removeSessionMarker();
  if (marker) void forgetAccount(marker.userId);
}
