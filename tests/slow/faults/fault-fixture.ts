import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { type DatabaseHandle, openDatabase } from '#api/database/database.ts';
import { readBooks } from '#api/services/administration/books.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#tests/support/database-proxy.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { type PrivatePostgres, startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { type RunningServer, startServer } from '#tests/support/running-server.ts';
import { type Answers, BusyUser } from './busy-user.ts';
import { type FaultReport, findFloods, isFailure, tell } from './fault-report.ts';

export { UNHARMED } from './fault-report.ts';

const PEOPLE = 4;
/** The people are busy for this long before and after a fault. */
const CALM_MS = 1500;
const RECOVERY_TIMEOUT_MS = 120_000;

const ROLES = ['api', 'worker'] as const;
type Role = (typeof ROLES)[number];

/** The program as a business runs it: an API process and a worker on a PostgreSQL of their own, with busy people. */
export interface FaultFixture {
  postgres: PrivatePostgres;
  /** Between both processes and PostgreSQL. */
  proxy: DatabaseProxy;
  /** Past the proxy. */
  database: DatabaseHandle;
  /** The data folder of both processes. */
  dataDir: string;
  users: BusyUser[];
  /** A photo that every tool takes. */
  photo: Buffer;
  processOf(role: Role): RunningServer;
  /** What all processes of a role have printed, those that have ended first. */
  logOf(role: Role): string;
  /** Starts a process that has ended, with more environment variables. */
  startAgain(role: Role, env?: Record<string, string>): Promise<void>;
  close(): Promise<void>;
}

/** `env`: for both processes. `settings`: of PostgreSQL. `prepare`: before they start. */
export async function openFaultFixture({
  env = {},
  settings = {},
  prepare = () => {},
}: {
  env?: Record<string, string>;
  settings?: Record<string, string | number>;
  prepare?: (dataDir: string) => void;
} = {}): Promise<FaultFixture> {
  const postgres = await startPrivatePostgres(settings);
  const proxy = await startDatabaseProxy(postgres.url);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'podium-faults-'));
  prepare(dataDir);
  const database = await openDatabase({ dataDir, databaseUrl: postgres.url }, pino({ level: 'silent' }));
  const ports: Record<Role, number> = { api: await findFreePort(), worker: await findFreePort() };
  const usual = {
    ...env,
    DATABASE_URL: proxy.urlOf(postgres.url),
    PUBLIC_URL: `http://localhost:${ports.api}`,
    LOG_LEVEL: 'warn',
  };
  const started: Record<Role, RunningServer[]> = { api: [], worker: [] };
  const start = async (role: Role, more: Record<string, string> = {}) => {
    const server = await startServer({ dataDir, port: ports[role], env: { ...usual, ROLES: role, ...more } });
    started[role].push(server);
    return server;
  };
  const processes: Record<Role, RunningServer> = { api: await start('api'), worker: await start('worker') };
  const photo = await drawProductPhoto('garment', { width: 600, height: 800 });
  const users = Array.from({ length: PEOPLE }, (_, i) => new BusyUser(processes.api, `busy-${i}@example.com`, photo));
  for (const user of users) await user.join();
  return {
    postgres,
    proxy,
    database,
    dataDir,
    users,
    photo,
    processOf: (role) => processes[role],
    logOf: (role) => started[role].map((server) => server.output()).join(''),
    async startAgain(role, more) {
      processes[role] = await start(role, more);
    },
    async close() {
      await Promise.all(Object.values(processes).map((one) => one.kill()));
      await database.close();
      await proxy.close();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Lets the fault happen while the people are busy, waits until everything has settled, prints one line and returns what
 * was seen. `fault` begins and ends the fault.
 */
export async function playFault(fixture: FaultFixture, name: string, fault: () => Promise<void>): Promise<FaultReport> {
  const startedAt = performance.now();
  const readLogs = markLogs(fixture);
  for (const user of fixture.users) user.begin();
  await wait(CALM_MS);
  await fault();
  const endedAt = performance.now();
  await waitUntilServed(fixture);
  const recoveredMs = performance.now() - endedAt;
  await wait(CALM_MS);
  await Promise.all(fixture.users.map((user) => user.stop()));
  const seen = mergeAnswers(fixture.users);
  const accepted = sum(fixture.users.map((user) => user.accepted));
  for (const user of fixture.users) await user.repeatUnanswered();
  await Promise.all(fixture.users.map((user) => user.waitForIdle()));
  const broken = await Promise.all(fixture.users.map((user) => user.countBroken()));
  const logs = readLogs();
  const lastedMs = performance.now() - startedAt;
  const report: FaultReport = {
    tried: sum([...seen.values()]),
    accepted,
    lost: sum(broken.map(({ lost }) => lost)),
    failed: sum(broken.map(({ failed }) => failed)),
    doubled: await countDoubled(fixture),
    changed: sum(fixture.users.map((user) => user.changed)),
    seen: Object.fromEntries(seen),
    failures: sum([...seen].map(([answer, count]) => (isFailure(answer) ? count : 0))),
    floods: ROLES.flatMap((role) => findFloods(logs[role], lastedMs).map((line) => `${role} ${line}`)),
    recoveredMs,
    discrepancies: (await readBooks(fixture.database)).discrepancies,
  };
  tell(name, report);
  if (report.failures > 0) console.log(logs.api.split('\n').filter(blamesUs));
  return report;
}

function markLogs({ logOf }: FaultFixture): () => Record<Role, string> {
  const marks = { api: logOf('api').length, worker: logOf('worker').length };
  return () => ({ api: logOf('api').slice(marks.api), worker: logOf('worker').slice(marks.worker) });
}

async function waitUntilServed({ users }: FaultFixture): Promise<void> {
  const deadline = performance.now() + RECOVERY_TIMEOUT_MS;
  for (const user of users) {
    while (!(await user.isServed())) {
      if (performance.now() > deadline) throw new Error('nobody is served again');
      await wait(100);
    }
  }
}

/** Whether a line of the log belongs to an error that nobody has translated. */
function blamesUs(line: string): boolean {
  return line.includes('"error":"internal"') && line.includes('"stack"');
}

function mergeAnswers(users: BusyUser[]): Answers {
  const all: Answers = new Map();
  for (const { answers } of users) {
    for (const [answer, count] of answers) all.set(answer, (all.get(answer) ?? 0) + count);
  }
  return all;
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Compares the rows of each person with what the person has ordered. */
async function countDoubled({ database, users }: FaultFixture): Promise<number> {
  const counts = await database.db.account.findMany({
    where: { email: { in: users.map(({ email }) => email) } },
    select: {
      email: true,
      _count: { select: { photos: true, generations: true, payments: { where: { status: 'succeeded' } } } },
    },
  });
  return sum(
    counts.map(({ email, _count }) => {
      const user = users.find((one) => one.email === email);
      const paid = new Set(user?.invoices.filter(({ isPaid }) => isPaid).map(({ id }) => id));
      const ordered = (user?.uploads.length ?? 0) + (user?.starts.length ?? 0) + paid.size;
      return _count.photos + _count.generations + _count.payments - ordered;
    }),
  );
}
