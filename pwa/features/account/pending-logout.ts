import { callApi } from '#pwa/client/api-client.ts';
import { connection, hasConnection } from '#pwa/device/connection.ts';
import {
  endLogout,
  isLogoutPending,
  isLogoutStillPending,
  removeSessionMarker,
  subscribeSessionMarker,
} from '#pwa/features/session/session-marker.ts';
import { isEntering, noteLogoutInProgress, whenEntered } from '#pwa/features/session/session-memory.ts';
import { logout } from '#shared/contract/account.ts';
import { backOffMs } from '#shared/rules/back-off.ts';
import { forgetAccount } from './session-changes.ts';

const TIMEOUT_MS = 10_000;
const PAUSES = { firstMs: 2000, longestMs: 60_000 };

/** Asks the server to end the session. Returns whether the server has confirmed it. */
export async function sendLogout(): Promise<boolean> {
  // While the session's token is being replaced, the call waits so that it carries the new one. The wait is limited.
  if (isEntering()) await Promise.race([whenEntered(), new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))]);
  const attempt = new AbortController();
  noteLogoutInProgress(attempt);
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
 * Repeats a sign-out that the server has not confirmed: at the start of every page, when the connection returns, and
 * with back-off in between. Returns the function that stops it.
 */
export function followPendingLogout(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isStopped = false;
  const repeat = async () => {
    clearTimeout(timer);
    if (isStopped || !isLogoutStillPending()) return;
    if (isEntering() || !(await sendLogout())) return wait();
    // Another account may have signed in in another tab since.
    if (!isLogoutStillPending()) return;
    removeLeftBehind();
    endLogout();
  };
  const wait = () => {
    clearTimeout(timer);
    if (isStopped || !isLogoutPending()) return;
    timer = setTimeout(() => void repeat(), backOffMs(failures, PAUSES));
    failures += 1;
  };
  const stopListening = [
    connection.subscribe(() => {
      if (hasConnection()) void repeat();
    }),
    // A sign-out has begun: in this tab, whose own call has just failed, or in another one.
    subscribeSessionMarker(() => {
      failures = 0;
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

/**
 * Removes the account's data that a page has left: it still waits for the answer to its sign-out, or was closed
 * meanwhile.
 */
function removeLeftBehind(): void {
  const marker = removeSessionMarker();
  if (marker) void forgetAccount(marker.userId);
}
