import { useSyncExternalStore } from 'react';
import { hasConnection, subscribeConnection } from './connection.ts';

/** Whether the server can be reached; true in prerendered pages. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribeConnection, hasConnection, () => true);
}
