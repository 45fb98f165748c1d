import { whenAnswered } from '#pwa/client/api-client.ts';
import type { User } from '#shared/contract/account.ts';
import { displayName } from './display-name.ts';
import { isLogoutPending, readSessionMarker, writeSessionMarker } from './session-marker.ts';

/** How long a call that replaces the token waits for the calls before it. */
const EARLIER_CALLS_TIMEOUT_MS = 2000;

let leftByChoice = false;
const entries = new Set<Promise<unknown>>();
let logoutInProgress: AbortController | null = null;

/** Whether the person signed out in this tab: the sign-in page then does not lead back. */
export function hasLeftByChoice(): boolean {
  return leftByChoice;
}

export function noteLeftByChoice(left: boolean): void {
  leftByChoice = left;
}

/** Records on the device who is signed in. */
export function rememberUser(user: User): void {
  // A late answer to a call from before the sign-out.
  if (isLogoutPending()) return;
  const marker = readSessionMarker();
  const name = displayName(user);
  const isPasswordDue = user.hasPrintedPassword;
  if (marker?.userId !== user.id || marker.name !== name || marker.isPasswordDue !== isPasswordDue) {
    writeSessionMarker({ userId: user.id, name, ...(isPasswordDue && { isPasswordDue }) });
  }
}

/** Registers a sign-out call and aborts the one in flight, so that only one answer counts. */
export function noteLogoutInProgress(attempt: AbortController): void {
  logoutInProgress?.abort();
  logoutInProgress = attempt;
}

/**
 * Makes a call that opens a session here or replaces its token. Aborts a running sign-out call, and none is sent
 * meanwhile: its late answer would remove the new cookie. Calls that were sent before carry the old token, so it waits
 * for their answers, but not for long. Calls that are sent meanwhile may be refused.
 */
export async function enterBy<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  logoutInProgress?.abort();
  const timeout = new Promise((resolve) => setTimeout(resolve, EARLIER_CALLS_TIMEOUT_MS));
  const entry = Promise.race([whenAnswered(), timeout]).then(call);
  entries.add(entry);
  try {
    return await entry;
  } finally {
    entries.delete(entry);
  }
}

/**
 * Keeps the entry open until the returned function is called, for a page that still shows its success. Nothing asks for
 * the user meanwhile, whose answer would lead the person away.
 */
export function holdEntry(): () => void {
  let release = () => {};
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  entries.add(hold);
  return () => {
    entries.delete(hold);
    release();
  };
}

export function isEntering(): boolean {
  return entries.size > 0;
}

/** Resolves when no such call is in flight, whatever its outcome. */
export async function whenEntered(): Promise<void> {
  while (isEntering()) await Promise.allSettled(entries);
}
