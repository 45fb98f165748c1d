/**
 * CPU time of the calls that pages send most: the status of a generation, the signed-in user, the balance and a page of
 * 40 of the gallery, each compared with bare Fastify that answers the same bytes. On PostgreSQL, whose own processes
 * are told beside it, and on the embedded database, which is a thread of the same process.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Db } from '#api/database/database.ts';
import { measureTreeCpu } from '#tests/slow/memory/measure-tree.ts';
import { createAccount, createGeneration } from '#tests/support/factories.ts';
import { startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { PRODUCTION_ENV, PRODUCTION_WITH_OUTBOX } from '#tests/support/production-env.ts';
import { startServer } from '#tests/support/running-server.ts';
import { alternate, reportFigure } from './figures.ts';
import { createToken, fillDatabase } from './fill-database.ts';

const ROUNDS = 5;
/** Of one call in one round. So many, because the system counts processor time in steps of 10 ms. */
const REQUESTS = 5_000;
const AT_ONCE = 4;
/** Several, because each may send only so many requests a minute. */
const PEOPLE = 100;
const IMAGES = 60;
const CALLS = ['status', 'user', 'balance', 'gallery'] as const;
type Call = (typeof CALLS)[number];

const HOST = new URL(PRODUCTION_ENV.PUBLIC_URL).host;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
const bare = await startBare();
const postgres = await startPrivatePostgres();
try {
  await measureOn('PostgreSQL', postgres.url, { status: 10, user: 10, balance: 10, gallery: 12 });
  await measureOn('the embedded database', null, { status: 30, user: 30, balance: 30, gallery: 30 });
} finally {
  bare.child.kill();
  agent.destroy();
  await postgres.stop();
}

async function measureOn(name: string, databaseUrl: string | null, budgets: Record<Call, number>): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'podium-bench-'));
  const users = await createUsers(dataDir, databaseUrl);
  const server = await startServer({
    dataDir,
    databaseUrl: databaseUrl ?? undefined,
    env: { ...PRODUCTION_WITH_OUTBOX, ...(databaseUrl ? { ROLES: 'api' } : {}) },
  });
  try {
    for (const call of CALLS) {
      const requests = users.map(({ cookie, paths }) => ({ cookie, path: paths[call] }));
      for (const request of requests) await bare.learn(request.path, await ask(server.url, request));
      const databaseTimes: number[] = [];
      const { values, floorValues } = await alternate(ROUNDS, {
        figure: async () => {
          let own = 0;
          const database = await measureTreeCpu(postgres.pid, async () => {
            own = await measureRequests(server, requests);
          });
          databaseTimes.push(database / REQUESTS);
          return own;
        },
        floor: () => measureRequests(bare, requests),
      });
      reportFigure({
        what: `${call} on ${name}`,
        unit: 'ms of CPU',
        values,
        floor: { what: 'bare Fastify', values: floorValues },
        budget: { atMost: budgets[call] },
      });
      if (databaseUrl) console.log(`  and ${databaseTimes.at(-1)?.toFixed(3)} ms in PostgreSQL`);
    }
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface TestUser {
  cookie: string;
  paths: Record<Call, string>;
}

/** People with a video that is being made and with images. */
function createUsers(dataDir: string, databaseUrl: string | null): Promise<TestUser[]> {
  return fillDatabase({ dataDir, databaseUrl: databaseUrl ?? undefined }, async ({ db, pool }) => {
    const users: TestUser[] = [];
    for (let index = 0; index < PEOPLE; index++) users.push(await createUser(db));
    await pool.query('ANALYZE');
    return users;
  });
}

async function createUser(db: Db): Promise<TestUser> {
  const { id: accountId } = await createAccount({ db });
  const sessionId = await createGeneration({ db }, accountId, 'photosession');
  await db.result.createMany({
    data: Array.from({ length: IMAGES }, (_, position) => ({
      generationId: sessionId,
      accountId,
      kind: 'photosession' as const,
      position,
      photoName: 'Платье',
      number: 1,
      originalKey: 'original',
      posterKey: 'poster',
      thumbnailKey: 'thumbnail',
      contentType: 'image/jpeg',
      bytes: 400_000,
      width: 1200,
      height: 1600,
      title: `Платье, кадр ${position + 1}`,
      posterBytes: 1,
      thumbnailBytes: 1,
      startedAt: new Date(),
      made: 'photosession',
    })),
  });
  const videoId = await createGeneration({ db }, accountId, 'video', 'generating');
  return {
    cookie: `__Host-podium_session=${await createToken({ db }, accountId)}`,
    paths: {
      status: `/api/status?generationId=${videoId}`,
      user: `/api/auth/user?${accountId}`,
      balance: `/api/stars/balance?${accountId}`,
      gallery: `/api/gallery?limit=40&${accountId}`,
    },
  };
}

interface Request {
  cookie: string;
  path: string;
}

/** CPU time of a process for one request, in milliseconds. */
async function measureRequests(server: { pid: number; url: string }, requests: readonly Request[]): Promise<number> {
  let sent = 0;
  const askOn = async () => {
    while (sent < REQUESTS) await ask(server.url, requests[sent++ % requests.length] as Request);
  };
  const askAll = () => Promise.all(Array.from({ length: AT_ONCE }, askOn));
  return (await measureTreeCpu(server.pid, askAll)) / REQUESTS;
}

function ask(url: string, { cookie, path }: Request): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(`${url}${path}`, { agent, headers: { cookie, host: HOST } }, (answer) => {
      let body = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        body += chunk;
      });
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(body);
        else reject(new Error(`${path}: ${answer.statusCode} ${body}`));
      });
    });
    request.on('error', reject);
  });
}

interface BareServer {
  child: ChildProcess;
  pid: number;
  url: string;
  /** Gives it what to answer. */
  learn(path: string, body: string): Promise<void>;
}

async function startBare(): Promise<BareServer> {
  const child = fork(path.join(import.meta.dirname, 'bare-server.ts'));
  const [port] = await once(child, 'message');
  return {
    child,
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    async learn(url, body) {
      child.send({ url, body });
      await once(child, 'message');
    },
  };
}
