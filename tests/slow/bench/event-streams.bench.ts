/**
 * Memory of an open event stream that nothing happens on: resident memory of the server with 2,000 of them after a
 * garbage collection, less that before, beside a bare Fastify that holds as many streams. What the kernel keeps for a
 * connection counts on neither side. Runs on PostgreSQL.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAccount } from '#tests/support/factories.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { reportFigure } from './figures.ts';
import { createToken, fillDatabase } from './fill-database.ts';

const LISTENERS = 2_000;
/** As many as one account may hold. */
const PER_ACCOUNT = 10;
/** The first ones also load and compile code. They are closed again. */
const WARM_UP = 300;
const AT_ONCE = 100;
const ROUNDS = 3;
const BUDGET_KB = 25;

const postgres = await startPrivatePostgres();
const dataDir = await mkdtemp(path.join(tmpdir(), 'podium-bench-'));
const environment = {
  DATABASE_URL: postgres.url,
  DATA_DIR: dataDir,
  ROLES: 'api',
  PORT: String(await findFreePort()),
  // One address has all connections here, as a proxy has.
  LOG_LEVEL: 'warn',
  TRUSTED_PROXIES: '127.0.0.1,::1',
};
try {
  const cookies = await signIn(LISTENERS / PER_ACCOUNT);
  const values: number[] = [];
  const floorValues: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    values.push(await measure('podium', cookies));
    floorValues.push(await measure('bare', cookies));
  }
  reportFigure({
    what: 'idle listener of events',
    unit: 'KB',
    values,
    budget: { atMost: BUDGET_KB },
  });
  console.log(`a stream of a bare Fastify: ${floorValues.map((value) => value.toFixed(1)).join(', ')} KB`);
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function signIn(accounts: number): Promise<string[]> {
  return fillDatabase({ dataDir, databaseUrl: postgres.url }, async (database) => {
    const cookies: string[] = [];
    for (let index = 0; index < accounts; index++) {
      const { id } = await createAccount(database);
      cookies.push(`podium_session=${await createToken(database, id)}`);
    }
    return cookies;
  });
}

/** Kilobytes of one listener. */
async function measure(server: 'podium' | 'bare', cookies: readonly string[]): Promise<number> {
  const child = fork(path.join(import.meta.dirname, 'event-server.ts'), [server], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, ...environment },
  });
  const sockets: Socket[] = [];
  try {
    const [address] = await once(child, 'message');
    await Promise.all((await openMany(address, cookies, WARM_UP)).map(close));
    const before = await askMemory(child);
    sockets.push(...(await openMany(address, cookies, LISTENERS)));
    const after = await askMemory(child);
    return (after - before) / LISTENERS / 1024;
  } finally {
    for (const socket of sockets) socket.destroy();
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
}

async function openMany(address: string, cookies: readonly string[], count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const next = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, (_, index) =>
      open(address, cookies[(sockets.length + index) % cookies.length] ?? ''),
    );
    sockets.push(...(await Promise.all(next)));
  }
  return sockets;
}

/** Resolves when the stream has begun. */
async function open(address: string, cookie: string): Promise<Socket> {
  const { hostname, port, host } = new URL(address);
  const socket = connect({ port: Number(port), host: hostname });
  socket.write(
    `GET /api/events HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\nCookie: ${cookie}\r\n` +
      `User-Agent: Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36\r\n\r\n`,
  );
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.includes(': hello')) return socket.resume();
  }
  throw new Error(`no stream: ${text}`);
}

async function close(socket: Socket): Promise<void> {
  const closed = once(socket, 'close');
  socket.destroy();
  await closed;
}

async function askMemory(child: ChildProcess): Promise<number> {
  child.send('measure');
  const [bytes] = await once(child, 'message');
  return bytes;
}
