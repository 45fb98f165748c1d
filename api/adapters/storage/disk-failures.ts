import { mkdtemp, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { WorkProcessError } from '#api/platform/work-processes/work-process-error.ts';
import { findFreeBytes } from './find-free-bytes.ts';
import { isStorageFailure, StorageFullError, StorageUnavailableError } from './object-storage.ts';

const FULL_CODES = new Set(['ENOSPC', 'EDQUOT']);
/** A disk that is read-only, broken, unplugged or not ours, a network disk without its server, too many open files. */
const UNAVAILABLE_CODES = new Set([
  'EROFS',
  'EIO',
  'EACCES',
  'EPERM',
  'ENOTCONN',
  'ENODEV',
  'ENXIO',
  'ESTALE',
  'EHOSTDOWN',
  'EBUSY',
  'EMFILE',
  'ENFILE',
]);

/** Calls that are about no file: a connection or a program that is refused says nothing about a disk. */
const OTHER_CALLS =
  /^(accept|bind|connect|getaddrinfo|getsockname|kill|listen|query[A-Z]\w*|recv\w*|send\w*|shutdown|socket|spawn\b.*|uv_\w+)$/;

/**
 * What an error of the file system means, in a storage on a disk or in a work folder: StorageFullError,
 * StorageUnavailableError, or the error itself when it is about something else.
 */
export function readDiskError(error: unknown): unknown {
  // Only errors of system calls about files count. Other errors have codes of their own.
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return error;
  if (OTHER_CALLS.test(String(error.syscall))) return error;
  const code = String(error.code);
  if (FULL_CODES.has(code)) return new StorageFullError(error);
  return UNAVAILABLE_CODES.has(code) ? new StorageUnavailableError(error) : error;
}

/** Whether work failed because a storage is full or away, or because the machine had no process for it. */
export function isMachineFault(error: unknown): error is Error {
  return isStorageFailure(error) || error instanceof WorkProcessError;
}

/**
 * Throws when work on a file failed because of the machine: StorageFullError, StorageUnavailableError,
 * WorkProcessError. Otherwise the file is the reason.
 */
export function throwMachineFault(error: unknown): void {
  const meaning = readDiskError(error);
  if (isMachineFault(meaning)) throw meaning;
}

/** With less space a file of any use cannot be written. */
const NOTHING_LEFT_BYTES = 1_000_000;

/**
 * Why work in this folder failed: StorageFullError or StorageUnavailableError when the folder's disk is full or cannot
 * be written to, otherwise the error itself. Encoders report a full disk in words of their own or not at all, so the
 * disk is asked. Call it before what was written is removed.
 */
export async function explainWorkFailure(error: unknown, folder: string): Promise<unknown> {
  const meaning = readDiskError(error);
  if (meaning !== error) return meaning;
  try {
    if ((await findFreeBytes(folder)) < NOTHING_LEFT_BYTES) return new StorageFullError(error);
    await rmdir(await mkdtemp(path.join(folder, 'probe-')));
    return error;
  } catch (cause) {
    return readDiskError(cause) === cause ? error : readDiskError(cause);
  }
}
