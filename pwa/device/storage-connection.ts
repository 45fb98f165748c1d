import type { UseStore } from 'idb-keyval';

/** Errors that mean a lost connection, and not a wrong call. */
const LOST_CONNECTION = new Set(['InvalidStateError', 'UnknownError', 'AbortError', 'TransactionInactiveError']);

/** A healthy database opens within a hundredth of this. */
const OPEN_WAIT_MS = 2000;

export interface StoreConnection {
  /** Runs `work` on an open store. Throws what the database throws. */
  use: <T>(work: (store: UseStore) => Promise<T>) => Promise<T>;
}

/**
 * One connection to an object store, opened on first use. iOS closes the connection of a suspended app silently: work
 * that failed for this reason is repeated once on a new connection. Before a suspension the connection is closed
 * properly.
 */
export function connectStore(databaseName: string, storeName: string): StoreConnection {
  let opening: Promise<IDBDatabase> | null = null;

  const open = (): Promise<IDBDatabase> => {
    if (opening) return opening;
    const attempt = openDatabase(databaseName, storeName);
    opening = attempt;
    const forget = () => {
      if (opening === attempt) opening = null;
    };
    attempt.then((database) => {
      database.onclose = forget;
      // Another tab wants to upgrade or delete the database and must not wait for this one.
      database.onversionchange = close;
    }, forget);
    return attempt;
  };
  const close = (): void => {
    opening?.then((database) => database.close()).catch(() => undefined);
    opening = null;
  };
  const store: UseStore = async (mode, callback) =>
    callback((await open()).transaction(storeName, mode).objectStore(storeName));

  // Only pages are frozen; a worker is ended instead.
  if ('document' in globalThis) addEventListener('freeze', close, { capture: true });

  return {
    async use(work) {
      try {
        return await work(store);
      } catch (error) {
        if (!isLostConnection(error)) throw error;
        close();
        return work(store);
      }
    },
  };
}

function isLostConnection(error: unknown): boolean {
  return error instanceof DOMException && LOST_CONNECTION.has(error.name);
}

/** On iOS the request may never be answered. This then rejects, so that nobody waits for storage. */
function openDatabase(databaseName: string, storeName: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName);
    let isGivenUp = false;
    const timer = setTimeout(() => {
      isGivenUp = true;
      reject(new Error(`IndexedDB has not opened in ${OPEN_WAIT_MS} ms`));
    }, OPEN_WAIT_MS);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => {
      clearTimeout(timer);
      if (isGivenUp) request.result.close();
      else resolve(request.result);
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error);
    };
  });
}
