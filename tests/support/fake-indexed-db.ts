import { IDBFactory } from 'fake-indexeddb';
import { del, entries, set } from 'idb-keyval';
import { connectStore } from '#pwa/device/storage-connection.ts';

export interface FakeIndexedDbOptions {
  /** Whether the device has room for these values. They are all the stored ones after a `put`. */
  hasRoom?: (values: unknown[]) => boolean;
  /** Called with the key of each value that is read on its own. */
  onRead?: (key: string) => void;
}

/**
 * An empty IndexedDB in memory, on a device that may be full. As in a browser, a transaction is rolled back when one of
 * its values has no room.
 */
export function createFakeIndexedDb({ hasRoom, onRead }: FakeIndexedDbOptions = {}): IDBFactory {
  const factory = new IDBFactory();
  const open = factory.open.bind(factory);
  factory.open = (...args) => {
    const request = open(...args);
    request.addEventListener('success', () => watchDatabase(request.result));
    return request;
  };
  return factory;

  function watchDatabase(database: IDBDatabase): void {
    const begin = database.transaction.bind(database);
    database.transaction = (...args) => {
      const transaction = begin(...args);
      // The transaction returns the same store object at every call.
      for (const name of transaction.objectStoreNames) watchStore(transaction.objectStore(name));
      return transaction;
    };
  }

  function watchStore(store: IDBObjectStore): void {
    const get = store.get.bind(store);
    store.get = (key) => {
      onRead?.(String(key));
      return get(key);
    };
    const put = store.put.bind(store);
    store.put = (...args) => {
      const request = put(...args);
      if (hasRoom) {
        const all = store.getAll();
        all.onsuccess = () => {
          if (!hasRoom(all.result)) abortForWantOfRoom(store.transaction);
        };
      }
      return request;
    };
  }
}

/** A page that calls `abort` gets no error. A browser that aborts names its reason. */
function abortForWantOfRoom(transaction: IDBTransaction): void {
  Object.defineProperty(transaction, 'error', { value: new DOMException('no room', 'QuotaExceededError') });
  transaction.abort();
}

const connection = connectStore('podium', 'values');

/** Reads and clears what the app has stored in the global `indexedDB`, without the app's code. */
export const storedValues = {
  read: (): Promise<Map<string, unknown>> =>
    connection.use(async (store) => new Map(await entries<string, unknown>(store))),
  set: (key: string, value: unknown): Promise<void> => connection.use((store) => set(key, value, store)),
  delete: (key: string): Promise<void> => connection.use((store) => del(key, store)),
  /** Removes the database. The app opens another one when it needs it. */
  clear: (): Promise<void> =>
    new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase('podium');
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error);
    }),
};
