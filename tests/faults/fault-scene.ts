import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { type DatabaseHandle, openDatabase } from '#api/db.ts';
import { readBooks } from '#api/services/administration/books.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#tests/support/database-proxy.ts';
import { findPostgresBinaries, type PrivatePostgres, startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { findFreePort, type RunningServer, startServer } from '#tests/support/running-server.ts';
import { type Answers, BusyPerson } from './busy-person.ts';

const PEOPLE = 4;
/** The people are busy for this long before and after a fault. */
const CALM_MS = 1500;
const RECOVERY_TIMEOUT_MS = 120_000;

type Role = 'api' | 'worker';

/** The program as a business runs it: an API process and a worker on a PostgreSQL of their own, with busy people. */
export interface FaultScene {
  postgres: PrivatePostgres;
  /** Between both processes and PostgreSQL. */
  proxy: DatabaseProxy;
  /** Past the proxy. */
  database: DatabaseHandle;
  /** The data folder of both processes. */
  dataDir: string;
  people: BusyPerson[];
  processOf(role: Role): RunningServer;
  /** Starts a process that has ended, with more environment variables. */
  startAgain(role: Role, env?: Record<string, string>): Promise<void>;
  close(): Promise<void>;
}

/** `env`: for both processes. `settings`: of PostgreSQL. */
export async function openFaultScene({
  env = {},
  settings = {},
}: {
  env?: Record<string, string>;
  settings?: Record<string, string | number>;
} = {}): Promise<FaultScene> {
  const binaries = findPostgresBinaries();
  if (!binaries) throw new Error('The fault tests need PostgreSQL: install it, so that initdb can be found.');
  const postgres = await startPrivatePostgres(binaries, settings);
  const proxy = await startDatabaseProxy(postgres.url);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'podium-faults-'));
  const database = await openDatabase({ dataDir, databaseUrl: postgres.url }, pino({ level: 'silent' }));
  const ports: Record<Role, number> = { api: await findFreePort(), worker: await findFreePort() };
  const usual = {
    ...env,
    DATABASE_URL: proxy.urlOf(postgres.url),
    PUBLIC_URL: `http://localhost:${ports.api}`,
    LOG_LEVEL: 'warn',
  };
  const start = (role: Role, more: Record<string, string> = {}) =>
    startServer({ dataDir, port: ports[role], env: { ...usual, ROLES: role, ...more } });
  const processes: Record<Role, RunningServer> = { api: await start('api'), worker: await start('worker') };
  const photo = await drawProductPhoto('garment', { width: 600, height: 800 });
  const people = Array.from(
    { length: PEOPLE },
    (_, i) => new BusyPerson(processes.api, `busy-${i}@example.com`, photo),
  );
  for (const person of people) await person.join();
  return {
    ...{ postgres, proxy, database, dataDir, people },
    processOf: (role) => processes[role],
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

interface FaultReport {
  /** Requests that were sent. */
  tried: number;
  /** Promises that were not kept: acknowledged photos, generations and payments that are not there. */
  lost: number;
  /** Rows that nobody asked for: the effect of a request that was done twice. */
  doubled: number;
  /** Answers by status. */
  seen: Record<string, number>;
  /** Answers that blame the program (500). */
  failures: number;
  /** Milliseconds from the end of the fault until everybody was served. */
  recoveredMs: number;
  /** What the books complain about. */
  discrepancies: string[];
}

/**
 * Lets the fault happen while the people are busy, waits until everything has settled, prints one line and returns what
 * was seen. `fault` begins and ends the fault.
 */
export async function playFault(scene: FaultScene, name: string, fault: () => Promise<void>): Promise<FaultReport> {
  const logBefore = scene.processOf('api').output().length;
  for (const person of scene.people) person.begin();
  await wait(CALM_MS);
  await fault();
  const endedAt = performance.now();
  await waitUntilServed(scene);
  const recoveredMs = performance.now() - endedAt;
  await wait(CALM_MS);
  await Promise.all(scene.people.map((person) => person.stop()));
  const answers = mergeAnswers(scene.people);
  for (const person of scene.people) await person.repeatUnanswered();
  await Promise.all(scene.people.map((person) => person.waitForIdle()));
  const lost = await Promise.all(scene.people.map((person) => person.countLost()));
  const report: FaultReport = {
    tried: [...answers.values()].reduce((sum, count) => sum + count, 0),
    lost: lost.reduce((sum, count) => sum + count, 0),
    doubled: await countDoubled(scene),
    seen: Object.fromEntries([...answers].sort().map(([status, count]) => [String(status), count])),
    failures: answers.get(500) ?? 0,
    recoveredMs,
    discrepancies: (await readBooks(scene.database)).discrepancies,
  };
  console.log(describe(name, report));
  if (report.failures > 0) console.log(scene.processOf('api').output().slice(logBefore).split('\n').filter(isFailure));
  return report;
}

/** What must hold after every fault. */
export const UNHARMED = { lost: 0, doubled: 0, failures: 0, discrepancies: [] };

function describe(name: string, { tried, lost, doubled, seen, recoveredMs, discrepancies }: FaultReport): string {
  const answers = Object.entries(seen).map(([status, count]) => `${status}×${count}`);
  const books = discrepancies.length === 0 ? 'books agree' : discrepancies.join('; ');
  const seconds = (recoveredMs / 1000).toFixed(1);
  return `${name}: tried ${tried}, lost ${lost}, doubled ${doubled}, seen ${answers.join(' ')}, recovered in ${seconds} s, ${books}`;
}

async function waitUntilServed({ people }: FaultScene): Promise<void> {
  const deadline = performance.now() + RECOVERY_TIMEOUT_MS;
  for (const person of people) {
    while (!(await person.isServed())) {
      if (performance.now() > deadline) throw new Error('nobody is served again');
      await wait(100);
    }
  }
}

/** Whether a line of the log belongs to an error that nobody has translated. */
function isFailure(line: string): boolean {
  return line.includes('"error":"internal"') && line.includes('"stack"');
}

function mergeAnswers(people: BusyPerson[]): Answers {
  const all: Answers = new Map();
  for (const { answers } of people) {
    for (const [status, count] of answers) all.set(status, (all.get(status) ?? 0) + count);
  }
  return all;
}

/** Compares the rows of each person with what the person has ordered. */
async function countDoubled({ database, people }: FaultScene): Promise<number> {
  const counts = await database.db.account.findMany({
    where: { email: { in: people.map(({ email }) => email) } },
    select: {
      email: true,
      _count: { select: { photos: true, generations: true, payments: { where: { status: 'succeeded' } } } },
    },
  });
  return counts.reduce((sum, { email, _count }) => {
    const person = people.find((one) => one.email === email);
    const paid = new Set(person?.invoices.filter(({ isPaid }) => isPaid).map(({ id }) => id));
    const ordered = (person?.uploads.length ?? 0) + (person?.starts.length ?? 0) + paid.size;
    return sum + _count.photos + _count.generations + _count.payments - ordered;
  }, 0);
}
