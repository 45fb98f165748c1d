import { findFreeBytes } from '#api/adapters/storage/find-free-bytes.ts';
import { StorageFullError, StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { TooSlowError, withTimeout } from '#api/with-timeout.ts';
import { proveStorage } from './right-storage.ts';
import { withTemporaryFolder } from './temporary-folder.ts';

/** Kept free for orders that were accepted already: their work files, results and copies. With less, orders are refused. */
export const RESERVED_BYTES = 256 * 1024 ** 2;
/** With less than this it is time to make room. */
export const SCARCE_BYTES = 2 * 1024 ** 3;

/** How long a start waits for a storage. The storage's own deadlines and tries would add up to half a minute. */
const ANSWER_MS = 3_000;

type Sources = Pick<AppContext, 'config' | 'db' | 'log' | 'state' | 'storage'>;

/**
 * Throws AppError storage_full or storage_unavailable when the result of a new order could not be kept. Both the storage
 * and the disk of the work folders are tried by really writing to them, and the storage has to be the right one.
 */
export async function assertRoomForResults(app: Sources): Promise<void> {
  await refuseWithout(app.state.storageRoom.run(() => tryStorage(app)));
}

/**
 * Throws AppError file_lost when one of these files is not in the storage, and storage_unavailable when it does not
 * answer.
 */
export async function assertStored({ storage }: Pick<AppContext, 'storage'>, keys: readonly string[]): Promise<void> {
  const sizes = await refuseWithout(Promise.all(keys.map((key) => storage.findSize(key))));
  if (sizes.includes(null)) throw new AppError('file_lost');
}

/** What the storage answers in time, or its failure as a refusal that every door can tell. */
async function refuseWithout<T>(answer: Promise<T>): Promise<T> {
  try {
    return await withTimeout(answer, ANSWER_MS);
  } catch (error) {
    if (error instanceof StorageFullError) throw new AppError('storage_full');
    if (error instanceof StorageUnavailableError || error instanceof TooSlowError) {
      throw new AppError('storage_unavailable');
    }
    throw error;
  }
}

async function tryStorage(app: Sources): Promise<void> {
  await proveStorage(app);
  const working = await withTemporaryFolder(app, findFreeBytes);
  const stored = await app.storage.findFreeBytes();
  const left = Math.min(working, stored ?? Number.POSITIVE_INFINITY);
  if (left < RESERVED_BYTES) throw new StorageFullError(`${left} bytes are left`);
}
