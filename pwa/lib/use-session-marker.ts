import { useSyncExternalStore } from 'react';
import { readSessionMarker, type SessionMarker, subscribeSessionMarker } from './session-marker.ts';

/** Who is signed in on this device as far as it knows; null when nobody, and in prerendered pages. */
export function useSessionMarker(): SessionMarker | null {
  return useSyncExternalStore(subscribeSessionMarker, readSessionMarker, () => null);
}
