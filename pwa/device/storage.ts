import { del, delMany, get, keys, set, type UseStore } from 'idb-keyval';
import { connectStore } from './storage-connection.ts';

/** Raise it when the shape of any stored value changes: older values are then ignored and swept. */
const SCHEMA_VERSION = 1;
const PREFIX = 'podium';

/** The shape of a stored value. A zod schema fits. */
export interface StoredShape<Value> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false };
}

/** The owner of a stored value: an account's id, or `device` for values that belong to no account. */
export type StorageOwner = number | 'device';

/**
 * Large contents that belong to a stored value, under keys of their own. They are written in the same transaction as
 * the value and read one by one when they are needed.
 */
export interface StoredParts {
  put: (part: string, content: unknown) => void;
  remove: (part: string) => void;
}

/** `podium/1/1000/activeGeneration` */
export function storageKey(owner: StorageOwner, name: string): string {
  return `${PREFIX}/${SCHEMA_VERSION}/${owner}/${name}`;
}

/** `podium/1/1000/receivedFile/0f8a` */
function partKey(owner: StorageOwner, name: string, part: string): string {
  return `${storageKey(owner, name)}/${part}`;
}

/** The key of the value that a part belongs to; null when the key is not a part. */
function headOfPart(key: string): string | null {
  const steps = key.split('/');
  return steps.length > 4 ? steps.slice(0, 4).join('/') : null;
}

/** Whether a key belongs to the account, under any schema version. */
export function isOwnedBy(key: string, owner: StorageOwner): boolean {
  const [prefix, , keyOwner] = key.split('/');
  return prefix === PREFIX && keyOwner === String(owner);
}

/** Whether a key has another schema version, or its value is a text that stands for nothing. */
export function isObsolete(key: string, value: unknown): boolean {
  const [prefix, version] = key.split('/');
  return prefix !== PREFIX || version !== String(SCHEMA_VERSION) || value === 'undefined' || value === 'null';
}

/** The stored value; null when there is none. A value that does not fit the schema is removed and counts as none. */
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

/** A part of a stored value; undefined when there is none. */
export function readStoredPart(owner: StorageOwner, name: string, part: string): Promise<unknown> {
  return withStore((store) => get<unknown>(partKey(owner, name, part), store));
}

export function writeStored(owner: StorageOwner, name: string, value: unknown): Promise<void> {
  return withStore((store) => set(storageKey(owner, name), value, store));
}

/**
 * Changes a stored value and its parts within one transaction, so that no concurrent change is lost. Returns the new
 * value. `change` returns its argument to leave the value as it is, and null to remove it; it may run twice. Rejects,
 * and changes nothing, when there is no room.
 */
export function updateStored<Value>(
  owner: StorageOwner,
  name: string,
  schema: StoredShape<Value>,
  change: (now: Value | null, parts: StoredParts) => Value | null,
): Promise<Value | null> {
  const key = storageKey(owner, name);
  return withStore((store) =>
    store(
      'readwrite',
      (values) =>
        new Promise((resolve, reject) => {
          const { transaction } = values;
          let next: Value | null = null;
          const parts: StoredParts = {
            put: (part, content) => void values.put(content, partKey(owner, name, part)),
            remove: (part) => void values.delete(partKey(owner, name, part)),
          };
          const reading = values.get(key);
          reading.onsuccess = () => {
            const parsed = schema.safeParse(reading.result);
            const now = parsed.success ? parsed.data : null;
            next = change(now, parts);
            // A value that does not fit the schema is removed even when nothing replaces it.
            if (next === now && (parsed.success || reading.result === undefined)) return;
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

/** Ignores a failed write: without storage the page still works, and only a reload loses what was not sent. */
export function ignoreFailure(write: Promise<void>): Promise<void> {
  return write.catch((error: unknown) => console.warn('the device keeps nothing:', error));
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
 * Removes values of older schema versions, meaningless texts, parts without their value and, when `userId` is known,
 * values of other accounts.
 */
export function sweepStored(userId: number | null): Promise<void> {
  return withStore(async (store) => {
    const stored = await keys<string>(store);
    const known = new Set(stored);
    for (const key of stored) {
      const isForeign = userId !== null && !isOwnedBy(key, userId) && !isOwnedBy(key, 'device');
      const head = headOfPart(key);
      // Parts are too large to be read at every start.
      const value = head === null ? await get<unknown>(key, store) : undefined;
      const isOrphan = head !== null && !known.has(head);
      if (isForeign || isOrphan || isObsolete(key, value)) await del(key, store);
    }
  });
}

const connection = connectStore('podium', 'values');

function withStore<T>(work: (store: UseStore) => Promise<T>): Promise<T> {
  return connection.use(work);
}
