import { existsSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { assertFolderIsFree, lockFolder } from './folder-lock.ts';
import { PGliteStream } from './pglite-stream.ts';
import { openPGliteThread } from './pglite-thread.ts';

export interface EmbeddedPostgres {
  /** One connection: PGlite has one session. */
  pool: pg.Pool;
  close(): Promise<void>;
}

/**
 * Whether `${dataDir}/db` is a database. Makes nothing. Throws FolderInUseError where there is none yet because another
 * process is about to make it.
 */
export function hasEmbeddedPostgres(dataDir: string): boolean {
  const isThere = existsSync(path.join(dataDir, 'db', 'PG_VERSION'));
  if (!isThere) assertFolderIsFree(dataDir);
  return isThere;
}

/**
 * PostgreSQL without a server: PGlite under `${dataDir}/db`, made when it is not there yet. Safe against kill -9, not
 * against loss of power, because PGlite never waits for the disk. Throws FolderInUseError.
 */
export async function openEmbeddedPostgres(
  dataDir: string,
  onCrash: (error: Error) => void,
): Promise<EmbeddedPostgres> {
  const lock = lockFolder(dataDir);
  try {
    const thread = await openPGliteThread(path.join(dataDir, 'db'), onCrash);
    const pool = new pg.Pool({
      max: 1,
      ssl: false,
      // The connection stays: what it listens to would be lost with it.
      idleTimeoutMillis: 0,
      // Typed as a socket; PGliteStream has every part of it that pg uses.
      stream: () => new PGliteStream(thread) as never,
    });
    return {
      pool,
      async close() {
        await pool.end();
        await thread.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
