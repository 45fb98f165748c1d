import { useSyncExternalStore } from 'react';
import { hasConnection, subscribeConnection } from './connection.ts';

/** Whether the server can be reached; prerendered pages say it can. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribeConnection, hasConnection, () => true);
}
