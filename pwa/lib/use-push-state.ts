import { useSyncExternalStore } from 'react';
import { type PushState, readPushState, subscribePushState } from './push.ts';

/** Whether this browser gets push notifications. */
export function usePushState(): PushState {
  return useSyncExternalStore(subscribePushState, readPushState, () => 'unknown');
}
