import { existsSync } from 'node:fs';
import path from 'node:path';
import { assertFolderIsFree, lockFolder } from './folder-lock.ts';
import { ListeningPool } from './listening-pool.ts';
import { PGliteStream } from './pglite-stream.ts';
import { openPGliteThread } from './pglite-thread.ts';

export interface EmbeddedPostgres {
  /** Has one connection, because PGlite has one session. */
  pool: ListeningPool;
  close(): Promise<void>;
}

/**
 * Whether `${dataDir}/db` contains a database. Creates nothing. Throws FolderInUseError when there is none yet and
 * another process is about to create it.
 */
export function hasEmbeddedPostgres(dataDir: string): boolean {
  const isThere = existsSync(path.join(dataDir, 'db', 'PG_VERSION'));
  if (!isThere) assertFolderIsFree(dataDir);
  return isThere;
}

/**
 * PostgreSQL without a server: PGlite in `${dataDir}/db`, created if it does not exist. Survives kill -9 but not a
 * power failure, because PGlite never waits for the disk. Throws FolderInUseError.
 */
export async function openEmbeddedPostgres(
  dataDir: string,
  onCrash: (error: Error) => void,
): Promise<EmbeddedPostgres> {
  const lock = lockFolder(dataDir);
  try {
    const thread = await openPGliteThread(path.join(dataDir, 'db'), onCrash);
    const pool = new ListeningPool({
      ssl: false,
      // `pg` expects a socket. PGliteStream has every part of one that `pg` uses.
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
