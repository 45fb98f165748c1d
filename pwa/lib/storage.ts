import { del, delMany, get, keys, set, type UseStore } from 'idb-keyval';
import { connectStore } from './storage-connection.ts';

/** Raise when the shape of any stored value changes: older values are then left behind and swept. */
const SCHEMA_VERSION = 1;
const PREFIX = 'podium';

/** What a stored value must look like; a zod schema is one. */
export interface StoredShape<Value> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false };
}

/** The owner of a stored value: one account, or the device whoever is signed in. */
export type StorageOwner = number | 'device';

/** `podium/1/1000/activeGeneration` */
export function storageKey(owner: StorageOwner, name: string): string {
  return `${PREFIX}/${SCHEMA_VERSION}/${owner}/${name}`;
}

/** Whether a key belongs to the account, under any schema version. */
export function isOwnedBy(key: string, owner: StorageOwner): boolean {
  const [prefix, , keyOwner] = key.split('/');
  return prefix === PREFIX && keyOwner === String(owner);
}

/** Whether a key was written under another schema version, or holds a text that an old client wrote by mistake. */
export function isObsolete(key: string, value: unknown): boolean {
  const [prefix, version] = key.split('/');
  return prefix !== PREFIX || version !== String(SCHEMA_VERSION) || value === 'undefined' || value === 'null';
}

/** The stored value, or null when there is none or it does not fit the schema (it is then removed). */
export async function readStored<Value>(
  owner: StorageOwner,
  name: string,
  schema: StoredShape<Value>,
): Promise<Value | null> {
  const key = storageKey(owner, name);
  const value = await withStore((store) => get<unknown>(key, store));
  if (value === undefined) return null;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  await withStore((store) => del(key, store));
  return null;
}

export function writeStored(owner: StorageOwner, name: string, value: unknown): Promise<void> {
  return withStore((store) => set(storageKey(owner, name), value, store));
}

/**
 * Changes a stored value within one transaction, so that nobody's change in between is lost, and gives what stands
 * afterwards. `change` gives its argument back to leave all as it is, and null to remove the value.
 */
export function updateStored<Value>(
  owner: StorageOwner,
  name: string,
  schema: StoredShape<Value>,
  change: (now: Value | null) => Value | null,
): Promise<Value | null> {
  const key = storageKey(owner, name);
  return withStore((store) =>
    store(
      'readwrite',
      (values) =>
        new Promise((resolve, reject) => {
          const { transaction } = values;
          let next: Value | null = null;
          const reading = values.get(key);
          reading.onsuccess = () => {
            const parsed = schema.safeParse(reading.result);
            const now = parsed.success ? parsed.data : null;
            next = change(now);
            if (next === now) return;
            if (next === null) values.delete(key);
            else values.put(next, key);
          };
          transaction.oncomplete = () => resolve(next);
          transaction.onabort = () => reject(transaction.error);
        }),
    ),
  );
}

export function removeStored(owner: StorageOwner, name: string): Promise<void> {
  return withStore((store) => del(storageKey(owner, name), store));
}

/** Without the device's storage the page works on; only a reload then loses what was not sent. */
export function ignoreFailure(write: Promise<void>): void {
  write.catch((error: unknown) => console.warn('the device keeps nothing:', error));
}

/** Removes everything of one account from this device. */
export function purgeStored(owner: StorageOwner): Promise<void> {
  return withStore(async (store) => {
    const stored = await keys<string>(store);
    await delMany(
      stored.filter((key) => isOwnedBy(key, owner)),
      store,
    );
  });
}

/**
 * Removes values of older schema versions, texts that mean nothing and, once it is known whose device this is, what
 * others have left.
 */
export function sweepStored(userId: number | null): Promise<void> {
  return withStore(async (store) => {
    for (const key of await keys<string>(store)) {
      const isForeign = userId !== null && !isOwnedBy(key, userId) && !isOwnedBy(key, 'device');
      if (isForeign || isObsolete(key, await get<unknown>(key, store))) await del(key, store);
    }
  });
}

const connection = connectStore('podium', 'values');

function withStore<T>(work: (store: UseStore) => Promise<T>): Promise<T> {
  return connection.use(work);
}
