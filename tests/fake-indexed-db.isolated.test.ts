import { beforeEach, describe, expect, test } from 'vitest';
import { createFakeIndexedDb, type FakeIndexedDbOptions } from './support/fake-indexed-db.ts';

// These tests store texts. The device has room for this many characters.
const ROOM = 10;
const hasRoom = (values: unknown[]) => values.join('').length <= ROOM;

let read: string[];
beforeEach(() => {
  read = [];
});

describe('a transaction whose value has no room', () => {
  test('is undone with all its values and deletions, and says that the device is full', async () => {
    const database = await openDatabase({ hasRoom });
    await end(begin(database, (store) => store.put('before', 'kept')));
    const full = begin(database, (store) => {
      store.put('aaa', 'a');
      store.put('changed', 'kept');
      store.delete('kept');
      store.put('bbbbbbbbbbb', 'b');
      store.put('c', 'c');
    });
    expect(await end(full)).toEqual({ name: 'abort', error: 'QuotaExceededError' });
    expect(await readAll(database)).toEqual({ kept: 'before' });
  });

  test('ends once, and the next one goes on', async () => {
    const database = await openDatabase({ hasRoom });
    const ends: string[] = [];
    const full = begin(database, (store) => store.put('far too long', 'a'));
    full.onabort = () => ends.push('abort');
    full.oncomplete = () => ends.push('complete');
    expect(await end(begin(database, (store) => store.put('short', 'a')))).toEqual({ name: 'complete', error: null });
    expect(ends).toEqual(['abort']);
    expect(await readAll(database)).toEqual({ a: 'short' });
  });

  test('fails what it has asked for after that', async () => {
    const database = await openDatabase({ hasRoom });
    const errors: (string | undefined)[] = [];
    await end(
      begin(database, (store) => {
        store.put('far too long', 'a');
        const later = store.get('a');
        later.onerror = () => errors.push(later.error?.name);
      }),
    );
    expect(errors).toEqual(['AbortError']);
  });
});

test('a value that takes the place of another needs only the room of the larger one', async () => {
  const database = await openDatabase({ hasRoom });
  await end(begin(database, (store) => store.put('0123456', 'a')));
  expect(await end(begin(database, (store) => store.put('01234567', 'a')))).toMatchObject({ name: 'complete' });
});

test('transactions that write run one after another, each until it has nothing more to do', async () => {
  const database = await openDatabase({});
  const addOne = (store: IDBObjectStore) => {
    const reading = store.get('count');
    reading.onsuccess = () => store.put((reading.result ?? 0) + 1, 'count');
  };
  const transactions = [begin(database, addOne), begin(database, addOne), begin(database, addOne)];
  await Promise.all(transactions.map(end));
  expect(await readAll(database)).toEqual({ count: 3 });
});

test('files and bytes are kept as copies, with all that a browser keeps of them', async () => {
  const database = await openDatabase({});
  const file = new File(['bytes'], 'платье.jpg', { type: 'image/jpeg', lastModified: 5 });
  const bytes = new Uint8Array([1, 2, 3]).buffer;
  await end(begin(database, (store) => store.put({ file, bytes }, 'a')));
  new Uint8Array(bytes).fill(0);
  const { a } = (await readAll(database)) as { a: { file: File; bytes: ArrayBuffer } };
  expect(a.file).toBeInstanceOf(File);
  expect([a.file.name, a.file.type, a.file.lastModified]).toEqual(['платье.jpg', 'image/jpeg', 5]);
  expect(await a.file.text()).toBe('bytes');
  expect([...new Uint8Array(a.bytes)]).toEqual([1, 2, 3]);
});

test('each value that is read by its key is heard of, and a list of the keys is not', async () => {
  const database = await openDatabase({ onRead: (key) => read.push(key) });
  await end(
    begin(database, (store) => {
      store.put('value', 'a');
      store.get('a');
      store.getAllKeys();
      store.get('b');
    }),
  );
  expect(read).toEqual(['a', 'b']);
});

function openDatabase(options: FakeIndexedDbOptions): Promise<IDBDatabase> {
  return new Promise((resolve) => {
    const request = createFakeIndexedDb(options).open('test');
    request.onupgradeneeded = () => request.result.createObjectStore('values');
    request.onsuccess = () => resolve(request.result);
  });
}

function begin(database: IDBDatabase, work: (store: IDBObjectStore) => void): IDBTransaction {
  const transaction = database.transaction('values', 'readwrite');
  work(transaction.objectStore('values'));
  return transaction;
}

/** How the transaction ends. */
function end(transaction: IDBTransaction): Promise<{ name: string; error: string | null }> {
  return new Promise((resolve) => {
    for (const name of ['complete', 'abort']) {
      transaction.addEventListener(name, () => resolve({ name, error: transaction.error?.name ?? null }));
    }
  });
}

async function readAll(database: IDBDatabase): Promise<object> {
  const transaction = database.transaction('values');
  const store = transaction.objectStore('values');
  const [keys, values] = [store.getAllKeys(), store.getAll()];
  await end(transaction);
  return Object.fromEntries(keys.result.map((key, index) => [String(key), values.result[index]]));
}
