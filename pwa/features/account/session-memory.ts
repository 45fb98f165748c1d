import { readSessionMarker, writeSessionMarker } from '#pwa/lib/session-marker.ts';
import type { User } from '#shared/contract/account.ts';
import { displayName } from './display-name.ts';

let leftByChoice = false;

/** Whether the person signed out in this tab, so that the sign-in page needs no way back. */
export function hasLeftByChoice(): boolean {
  return leftByChoice;
}

export function noteLeftByChoice(left: boolean): void {
  leftByChoice = left;
}

/** Notes on the device who is signed in. */
export function rememberUser(user: User): void {
  const marker = readSessionMarker();
  const name = displayName(user);
  if (marker?.userId !== user.id || marker.name !== name) writeSessionMarker({ userId: user.id, name });
}
