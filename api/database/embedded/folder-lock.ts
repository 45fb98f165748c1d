import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type FileLock, FileLockedError, lockFile } from '#api/platform/file-lock.ts';

const LOCK = 'in-use.lock';

/** Another running process uses the folder. */
export class FolderInUseError extends Error {
  constructor(folder: string, holder: string) {
    super(
      `The data folder ${folder} is in use by ${holder}. The embedded database belongs to one process: ` +
        'stop that one, or set another DATA_DIR, or give both a PostgreSQL server with DATABASE_URL.',
    );
    this.name = 'FolderInUseError';
  }
}

/** Locks the folder for this process. A lock left by a dead process is taken over at once. Throws FolderInUseError. */
export function lockFolder(folder: string): FileLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const holderFile = path.join(folder, 'in-use.pid');
  try {
    const lock = lockFile(path.join(folder, LOCK));
    writeFileSync(holderFile, String(process.pid));
    return lock;
  } catch (error) {
    throw error instanceof FileLockedError ? new FolderInUseError(folder, describeHolder(holderFile)) : error;
  }
}

/** Throws FolderInUseError when another process holds the folder. Creates nothing, not even the folder. */
export function assertFolderIsFree(folder: string): void {
  if (existsSync(path.join(folder, LOCK))) lockFolder(folder).release();
}

function describeHolder(holderFile: string): string {
  try {
    return `process ${readFileSync(holderFile, 'utf8')}`;
  } catch {
    // The holder has the lock but has not written its process id yet.
    return 'another process';
  }
}
