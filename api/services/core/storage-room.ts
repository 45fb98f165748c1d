import { findFreeBytes } from '#api/adapters/storage/find-free-bytes.ts';
import {
  ObjectNotFoundError,
  StorageFullError,
  StorageUnavailableError,
} from '#api/adapters/storage/object-storage.ts';
import { AppError } from '#api/platform/errors.ts';
import { TooSlowError, withTimeout } from '#api/platform/with-timeout.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { measureFile, type RecordedFile } from './stored-file.ts';
import { withTemporaryFolder } from './temporary-folder.ts';

/** Kept free for orders that were accepted already: their work files, results and copies. With less, orders are refused. */
export const RESERVED_BYTES = 256 * 1024 ** 2;
/** With less than this it is time to make room. */
export const SCARCE_BYTES = 2 * 1024 ** 3;

/** How long a person waits before their work begins. The storage's own tries would add up to half a minute. */
const ANSWER_MS = 3_000;

type Sources = Pick<AppContext, 'config' | 'db' | 'log' | 'state' | 'storage'>;

/**
 * Throws AppError storage_full or storage_unavailable when the result of a new order could not be kept, file_lost when
 * one of its files is missing or broken. Storage and work folders are tried by really writing to them.
 */
export async function assertReadyForStart(app: Sources, files: readonly RecordedFile[]): Promise<void> {
  const ask = async () => {
    await app.state.storageRoom.run(() => tryStorage(app, RESERVED_BYTES));
    return Promise.all(files.map((file) => measureFile(app, file)));
  };
  await refuseWithout(ask());
}

/** Throws AppError storage_full or storage_unavailable when so many bytes more would make the room scarce. */
export async function assertRoomFor(app: Sources, bytes: number): Promise<void> {
  await refuseWithout(tryStorage(app, SCARCE_BYTES + bytes));
}

/** Throws AppError storage_full or storage_unavailable when a photo could not be kept. */
export async function assertReadyForPhoto({ state, storage }: Pick<AppContext, 'state' | 'storage'>): Promise<void> {
  await refuseWithout(state.storageCheck.run(() => storage.check()));
}

/** Waits ANSWER_MS for the storage. Throws its failure as an AppError, which every door can answer with. */
async function refuseWithout<T>(answer: Promise<T>): Promise<T> {
  try {
    return await withTimeout(answer, ANSWER_MS);
  } catch (error) {
    if (error instanceof ObjectNotFoundError) throw new AppError('file_lost');
    if (error instanceof StorageFullError) throw refuse('storage_full', error);
    if (error instanceof StorageUnavailableError) throw refuse('storage_unavailable', error);
    if (error instanceof TooSlowError) throw refuse('storage_unavailable', error);
    throw error;
  }
}

function refuse(code: 'storage_full' | 'storage_unavailable', cause: Error): AppError {
  return Object.assign(new AppError(code), { cause });
}

/**
 * Tries the storage and the work folder, and that both have so many bytes free. Throws StorageFullError,
 * StorageUnavailableError.
 */
export async function tryStorage(
  app: Pick<AppContext, 'config' | 'log' | 'storage'>,
  freeBytes: number,
): Promise<void> {
  await app.storage.check();
  const working = await withTemporaryFolder(app, findFreeBytes);
  const stored = await app.storage.findFreeBytes();
  const left = Math.min(working, stored ?? Number.POSITIVE_INFINITY);
  if (left < freeBytes) throw new StorageFullError(`${left} bytes are left`);
}
