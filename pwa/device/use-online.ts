import { connection } from './connection.ts';
import { useStore } from './store.ts';

/** Whether the server can be reached; true in prerendered pages. */
export function useOnline(): boolean {
  return useStore(connection);
}
