import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { ListeningPool } from './listening-pool.ts';
import type { PGliteThread } from './pglite-thread.ts';
import { exchange, findNotifications, findRoundTrip, GREETING, isIdleAfter, measureStartup } from './wire-messages.ts';

const PORT = 5432;
/** Where `pg` and psql look for a socket when their host is a folder. */
const SOCKET_NAME = `.s.PGSQL.${PORT}`;
/** Limit for a socket's address (104 bytes on macOS, 108 on Linux, including the final zero). */
const MAX_ADDRESS_BYTES = 100;
/** A client that leaves a transaction open keeps the server waiting. One that is silent for longer is cut off. */
const OPEN_TRANSACTION_MS = 60_000;
const CONNECT_TIMEOUT_MS = 30_000;

/** A running program's embedded database, as this program offers it to others. */
interface OfferedDatabase {
  thread: PGliteThread;
  /** Of one connection: whoever has it is alone in PGlite's one session. */
  pool: ListeningPool;
  /** Tells the program what NOTIFY has sent while somebody else used the session. */
  passOn(notifications: Buffer): void;
  /** A caller could not be accepted, for example because the process has too many open files. */
  onError(error: Error): void;
}

/**
 * Lets the operator's commands use the database of a running program, by a socket in `dataDir` that speaks PostgreSQL
 * and that only the folder's owner can open. The caller holds the folder's lock, so an existing socket belongs to a dead
 * process. Returns what ends it.
 */
export async function offerDatabase(dataDir: string, offered: OfferedDatabase): Promise<() => Promise<void>> {
  const served = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    const ended = serve(socket, offered).finally(() => served.delete(socket));
    served.set(socket, ended);
  });
  const place = shortenPath(dataDir);
  const before = process.umask(0o077);
  try {
    rmSync(path.join(dataDir, SOCKET_NAME), { force: true });
    const address = path.join(place.folder, SOCKET_NAME);
    await once(server.listen(address), 'listening');
  } finally {
    process.umask(before);
    place.remove();
  }
  // Without a listener an error would end the process.
  server.on('error', offered.onError);
  // The socket alone must not keep the process alive.
  server.unref();
  return async () => {
    server.close();
    for (const socket of served.keys()) socket.destroy();
    await Promise.all(served.values());
    rmSync(path.join(dataDir, SOCKET_NAME), { force: true });
  };
}

/**
 * Passes the messages of a client on. It waits for the program's one connection, and keeps it until its transaction has
 * ended, so that its statements and those of the program never mix. The new connection in its place begins with a clean
 * session, so what the client has set or prepared ends together with the transaction.
 */
async function serve(socket: Socket, { thread, pool, passOn }: OfferedDatabase): Promise<void> {
  let lent: pg.PoolClient | null = null;
  let received: Buffer = Buffer.alloc(0);
  let isStarted = false;
  socket.on('timeout', () => socket.destroy());
  try {
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk]);
      if (!isStarted) {
        const length = measureStartup(received);
        if (length === null) continue;
        received = received.subarray(length);
        isStarted = true;
        socket.write(GREETING);
      }
      const { end, isTerminated } = findRoundTrip(received);
      if (end > 0) {
        const messages = new Uint8Array(received.subarray(0, end));
        received = received.subarray(end);
        socket.setTimeout(0);
        lent ??= await pool.connect();
        const answer = await exchange(thread, messages);
        passOn(findNotifications(answer));
        if (isIdleAfter(answer)) {
          pool.replace(lent);
          lent = null;
        }
        socket.setTimeout(lent ? OPEN_TRANSACTION_MS : 0);
        socket.write(answer);
      }
      if (isTerminated) break;
    }
  } catch {
    // The client has gone, or the database, which reports that itself.
  } finally {
    socket.destroy();
    if (lent) pool.replace(lent);
  }
}

/** Connects to the database of the program that runs in this folder. Null when none does. */
export async function connectToRunningProgram(
  dataDir: string,
): Promise<{ pool: pg.Pool; close(): Promise<void> } | null> {
  if (!existsSync(path.join(dataDir, SOCKET_NAME))) return null;
  const place = shortenPath(dataDir);
  const pool = new pg.Pool({
    host: place.folder,
    port: PORT,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    // As on the embedded database itself, where a second one would wait for the first.
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // Without a listener the process would end when that program does.
  pool.on('error', () => undefined);
  const close = async () => {
    await pool.end();
    place.remove();
  };
  try {
    (await pool.connect()).release();
    return { pool, close };
  } catch (error) {
    await close();
    // The socket of a process that was killed.
    if (error instanceof Error && 'code' in error && (error.code === 'ECONNREFUSED' || error.code === 'ENOENT'))
      return null;
    throw error;
  }
}

/**
 * A socket's address must be short. A data folder with a long path is reached through a link in a private temporary
 * folder.
 */
function shortenPath(dataDir: string): { folder: string; remove(): void } {
  if (Buffer.byteLength(path.join(dataDir, SOCKET_NAME)) <= MAX_ADDRESS_BYTES) {
    return { folder: path.resolve(dataDir), remove() {} };
  }
  const temporary = mkdtempSync(path.join(tmpdir(), 'podium-'));
  const folder = path.join(temporary, 'd');
  symlinkSync(path.resolve(dataDir), folder);
  return { folder, remove: () => rmSync(temporary, { recursive: true }) };
}
