import { isLogoutPending, readSessionMarker, writeSessionMarker } from '#pwa/lib/session-marker.ts';
import type { User } from '#shared/contract/account.ts';
import { displayName } from './display-name.ts';

let leftByChoice = false;
const entries = new Set<Promise<unknown>>();
let logoutUnderWay: AbortController | null = null;

/** Whether the person signed out in this tab, so that the sign-in page needs no way back. */
export function hasLeftByChoice(): boolean {
  return leftByChoice;
}

export function noteLeftByChoice(left: boolean): void {
  leftByChoice = left;
}

/** Records on the device who is signed in. */
export function rememberUser(user: User): void {
  // A late answer, sent before its owner signed out.
  if (isLogoutPending()) return;
  const marker = readSessionMarker();
  const name = displayName(user);
  if (marker?.userId !== user.id || marker.name !== name) writeSessionMarker({ userId: user.id, name });
}

/** Replaces the running sign-out: of two answers the later one would count. */
export function noteLogoutUnderWay(attempt: AbortController): void {
  logoutUnderWay?.abort();
  logoutUnderWay = attempt;
}

/**
 * Makes a call that opens a session here, or gives the open one another token. No sign-out is sent meanwhile: its late
 * answer would take the new cookie away. Other calls may be refused meanwhile because they carried the former token.
 */
export async function enterBy<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  logoutUnderWay?.abort();
  const entry = call();
  entries.add(entry);
  try {
    return await entry;
  } finally {
    entries.delete(entry);
  }
}

export function isEntering(): boolean {
  return entries.size > 0;
}

/** Resolves once no such call is under way, whatever became of it. */
export async function whenEntered(): Promise<void> {
  while (isEntering()) await Promise.allSettled(entries);
}
