import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface FileLock {
  release(): void;
}

/** Somebody else holds the lock, and did for as long as was waited. */
export class FileLockedError extends Error {
  constructor(file: string) {
    super(`${file} is locked by another process`);
    this.name = 'FileLockedError';
  }
}

const SQLITE_BUSY = 5;

/** A database that nobody refers to is closed by the garbage collector, and its lock with it. */
const held = new Set<DatabaseSync>();

/**
 * The operating system's own lock on a file, reached through SQLite because Node has no call for it: it dies with the
 * process, kill -9 included, so nothing is ever stale. Blocks the thread for up to `waitMs`. Inside this process nobody
 * may open the file: closing any descriptor of it would drop the lock. Throws FileLockedError.
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
