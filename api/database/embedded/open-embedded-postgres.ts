import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { connectToRunningProgram, offerDatabase } from './database-socket.ts';
import { assertFolderIsFree, FolderInUseError, lockFolder } from './folder-lock.ts';
import { ListeningPool } from './listening-pool.ts';
import { PGliteStream } from './pglite-stream.ts';
import { openPGliteThread } from './pglite-thread.ts';

/** A program that starts or stops holds the folder for a while without being reachable. */
const TRIES = 40;
const PAUSE_MS = 500;

export interface EmbeddedPostgres {
  /** Has one connection, because PGlite has one session. */
  pool: pg.Pool;
  /** False when a running program has it open, which is used through its socket. */
  isOpenedHere: boolean;
  /** Lets the operator's commands use the database while this process runs. Not there when somebody else has it open. */
  offer?(onError: (error: Error) => void): Promise<void>;
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
): Promise<EmbeddedPostgres & { pool: ListeningPool }> {
  const lock = lockFolder(dataDir);
  try {
    const thread = await openPGliteThread(path.join(dataDir, 'db'), onCrash);
    let stream: PGliteStream | undefined;
    let withdraw = async () => {};
    const pool = new ListeningPool({
      ssl: false,
      stream: () => {
        stream = new PGliteStream(thread);
        // `pg` expects a socket. PGliteStream has every part of one that `pg` uses.
        return stream as never;
      },
    });
    const passOn = (notifications: Buffer) => {
      if (notifications.length > 0 && stream?.readable) stream.push(notifications);
    };
    return {
      pool,
      isOpenedHere: true,
      async offer(onError) {
        withdraw = await offerDatabase(dataDir, { thread, pool, passOn, onError });
      },
      async close() {
        await withdraw();
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

/**
 * For a command: the embedded database through the program that runs in `dataDir`, or opened here where none does. Waits
 * for a program that starts or stops. Throws FolderInUseError when that takes too long.
 */
export async function reachEmbeddedPostgres(
  dataDir: string,
  onCrash: (error: Error) => void,
): Promise<EmbeddedPostgres> {
  for (let triesLeft = TRIES; ; triesLeft--) {
    const running = await connectToRunningProgram(dataDir);
    if (running) return { ...running, isOpenedHere: false };
    try {
      return await openEmbeddedPostgres(dataDir, onCrash);
    } catch (error) {
      if (!(error instanceof FolderInUseError) || triesLeft === 0) throw error;
      await wait(PAUSE_MS);
    }
  }
}

/** The program was stopped while a command used its database. */
class ProgramEndedError extends Error {
  override name = 'ProgramEndedError';
}

/**
 * After a statement of a command has failed: ProgramEndedError if the program whose database it has reached has ended,
 * which breaks a statement in many ways. Null if it runs, and for a database that was opened here.
 */
export async function findEndedProgram(
  { isOpenedHere }: Pick<EmbeddedPostgres, 'isOpenedHere'>,
  dataDir: string,
): Promise<Error | null> {
  if (isOpenedHere || (await isProgramRunning(dataDir))) return null;
  return new ProgramEndedError(
    `The program on ${dataDir} was stopped while this command used its database. Run the command again.`,
  );
}

/** Whether a program that runs in this folder answers. */
export async function isProgramRunning(dataDir: string): Promise<boolean> {
  const running = await connectToRunningProgram(dataDir);
  await running?.close();
  return running !== null;
}
