import { useSyncExternalStore } from 'react';
import {
  isLogoutPending,
  readSessionMarker,
  readSessionTrace,
  type SessionMarker,
  type SessionTrace,
  subscribeSessionMarker,
} from './session-marker.ts';

/** Who is signed in, as far as this device knows; null when nobody, and in prerendered pages. */
export function useSessionMarker(): SessionMarker | null {
  return useSyncExternalStore(subscribeSessionMarker, readSessionMarker, () => null);
}

/** Whether the password has to be replaced before anything else. Until then no call is sent that would be refused. */
export function usePasswordDue(): boolean {
  return useSessionMarker()?.isPasswordDue === true;
}

/** What the device knows about a session; `unknown` in prerendered pages. */
export function useSessionTrace(): SessionTrace {
  return useSyncExternalStore(subscribeSessionMarker, readSessionTrace, () => 'unknown');
}

/** Whether somebody has signed out and the server has not confirmed it yet. */
export function useLogoutPending(): boolean {
  return useSyncExternalStore(subscribeSessionMarker, isLogoutPending, () => false);
}
