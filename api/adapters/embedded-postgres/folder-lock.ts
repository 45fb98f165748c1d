import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another living process works in the folder. */
export class FolderInUseError extends Error {
  constructor(folder: string, holder: string) {
    super(
      `The data folder ${folder} is in use by ${holder}. The embedded database belongs to one process: ` +
        'stop that process, or set another DATA_DIR, or give both a PostgreSQL server with DATABASE_URL.',
    );
    this.name = 'FolderInUseError';
  }
}

export interface FolderLock {
  release(): void;
}

/**
 * Takes the folder for this process alone. The lock is the operating system's own lock on a file, reached through
 * SQLite because Node has no call for it: it dies with the process, kill -9 included, so nothing is ever stale.
 * Nobody else may open `in-use.lock` inside this process: closing any descriptor of the file would drop the lock.
 * Throws FolderInUseError.
 */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const holderFile = path.join(folder, 'in-use.pid');
  const lock = new DatabaseSync(path.join(folder, 'in-use.lock'));
  try {
    lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new FolderInUseError(folder, describeHolder(holderFile));
    }
    throw error;
  }
  writeFileSync(holderFile, String(process.pid));
  return { release: () => lock.close() };
}

const SQLITE_BUSY = 5;

function describeHolder(holderFile: string): string {
  try {
    return `process ${readFileSync(holderFile, 'utf8')}`;
  } catch {
    // The holder has the lock but has not written its number yet.
    return 'another process';
  }
}
