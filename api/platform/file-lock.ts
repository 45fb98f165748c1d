import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface FileLock {
  release(): void;
}

/** Somebody else held the lock for the whole waiting time. */
export class FileLockedError extends Error {
  constructor(file: string) {
    super(`${file} is locked by another process`);
    this.name = 'FileLockedError';
  }
}

const SQLITE_BUSY = 5;

/** Keeps the databases referenced. Otherwise the garbage collector would close them and release their locks. */
const held = new Set<DatabaseSync>();

/**
 * Locks a file with the operating system's lock. Node has no call for it, so it is taken through SQLite. It ends with
 * the process, also after kill -9, so no lock is ever stale. Blocks the thread for up to `waitMs`. Nothing else in this
 * process may open the file: closing any descriptor of it would release the lock. Throws FileLockedError.
 */
export function lockFile(file: string, waitMs = 0): FileLock {
  mkdirSync(path.dirname(file), { recursive: true });
  const lock = new DatabaseSync(file);
  try {
    lock.exec(`PRAGMA busy_timeout = ${waitMs}; BEGIN EXCLUSIVE`);
  } catch (error) {
    lock.close();
    const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    throw isBusy ? new FileLockedError(file) : error;
  }
  held.add(lock);
  return {
    release() {
      held.delete(lock);
      lock.close();
    },
  };
}
