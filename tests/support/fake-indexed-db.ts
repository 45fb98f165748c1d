import { IDBFactory } from 'fake-indexeddb';
import { del, entries, set } from 'idb-keyval';
import { connectStore } from '#pwa/lib/storage-connection.ts';

export interface FakeIndexedDbOptions {
  /** Whether there is room for these values: all that are stored after a `put`. */
  hasRoom?: (values: unknown[]) => boolean;
  /** Hears which values are read one by one. */
  onRead?: (key: string) => void;
}

/**
 * An empty IndexedDB in memory, on a device that may be full: a transaction is undone when one of its values has no
 * room, as in a browser.
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
      // The transaction gives the same objects to whoever asks for a store by its name.
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

/** What the app has stored in the global `indexedDB`, past the app. */
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
