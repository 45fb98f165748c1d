/**
 * `npm run test:slow -- soak`: 200 people use two api processes and two workers on PostgreSQL with its default 100 connections
 * for ten minutes: they poll, look at the gallery, upload, change models on a fast fake of fal, and buy stars. Fails
 * on any 5xx and unexpected refusal, when too little was done, on slow reads, on memory that grows, when a process has ended
 * or a generation has failed, and when the books do not agree. Times mean something only on a machine that does nothing else.
 * `MINUTES=1 PEOPLE=20` is a quick run.
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { openDatabase } from '#api/database/database.ts';
import { readBooks } from '#api/services/administration/books.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { median } from '#tests/slow/bench/figures.ts';
import { measureTree, toMegabytes } from '#tests/slow/memory/measure-tree.ts';
import { createFakeFal } from '#tests/support/fake-fal.ts';
import { startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { type RunningServer, startServer } from '#tests/support/running-server.ts';
import { countLeast, type SoakFigures, SoakUser } from './soak-user.ts';

const PEOPLE = Number(process.env.PEOPLE ?? 200);
const MINUTES = Number(process.env.MINUTES ?? 10);
const READ_P99_BUDGET_MS = 300;
/** Memory at the end, compared with that after a fifth of the time. */
const GROWTH_BUDGET = 1.2;
const SAMPLE_MS = 5_000;
/** Registrations at once. Each hashes a password. */
const JOINING_AT_ONCE = 4;
/** Refusals that belong to the game: no stars left, or the generation before still runs. */
const EXPECTED_REFUSALS = new Set<number | 'none'>([402, 409]);
/** For what still runs at the end. A generation takes about two seconds. */
const IDLE_TIMEOUT_MS = 120_000;

const postgres = await startPrivatePostgres({ max_connections: 100 });
const fal = await createFakeFal({ pace: { queued: 300, running: 1_000 } });
const dataDir = await mkdtemp(path.join(tmpdir(), 'podium-soak-'));
const database = await openDatabase({ dataDir, databaseUrl: postgres.url }, pino({ level: 'silent' }));
const servers = await startServers();
try {
  const figures: SoakFigures = { reads: [], statuses: new Map(), started: 0, bought: 0, uploaded: 0 };
  const users = await joinAll(figures);
  const samples = await soak(users);
  process.exitCode = (await report(figures, samples)) ? 0 : 1;
} finally {
  await Promise.all(servers.map(({ server }) => server.stop()));
  await database.close();
  await fal.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

interface NamedServer {
  name: string;
  server: RunningServer;
}

async function startServers(): Promise<NamedServer[]> {
  const env = {
    // Calls are checked against one origin, whichever process answers.
    PUBLIC_URL: 'http://localhost:3000',
    ENGINE: 'fal',
    ...fal.settings,
    GARMENT_CHECK: 'off',
    // Everybody has an address, as behind a proxy.
    TRUSTED_PROXIES: '127.0.0.1,::1',
    LOG_LEVEL: 'warn',
  };
  const started: NamedServer[] = [];
  for (const role of ['api', 'api', 'worker', 'worker'] as const) {
    const server = await startServer({ dataDir, roles: [role], databaseUrl: postgres.url, env });
    started.push({ name: `${role} ${(started.length % 2) + 1}`, server });
  }
  return started;
}

async function joinAll(figures: SoakFigures): Promise<SoakUser[]> {
  const photo = await drawProductPhoto('garment', { width: 900, height: 1200 });
  const apis = servers.slice(0, 2).map(({ server }) => server);
  const users = Array.from({ length: PEOPLE }, (_, index) => {
    const server = apis[index % 2] as RunningServer;
    return new SoakUser(server, index, photo, figures);
  });
  const waiting = [...users];
  const join = async () => {
    for (let user = waiting.shift(); user; user = waiting.shift()) await user.join();
  };
  await Promise.all(Array.from({ length: JOINING_AT_ONCE }, join));
  console.log(`${PEOPLE} people have joined`);
  return users;
}

interface Sample {
  /** Bytes by process, its children included. */
  memory: number[];
  connections: number;
}

async function soak(users: SoakUser[]): Promise<Sample[]> {
  const samples: Sample[] = [];
  const endsAt = Date.now() + MINUTES * 60_000;
  const busy = users.map((user) => user.beBusyUntil(endsAt));
  while (Date.now() < endsAt) {
    await wait(SAMPLE_MS);
    const { rows } = await database.pool.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where backend_type = 'client backend'`,
    );
    samples.push({ memory: servers.map(({ server }) => measureTree(server.pid, 'Rss')), connections: rows[0]?.n ?? 0 });
  }
  await Promise.all(busy);
  return samples;
}

/** Prints what was seen. Whether everything is as it must be. */
async function report(figures: SoakFigures, samples: Sample[]): Promise<boolean> {
  const problems = [
    ...judgeAnswers(figures),
    ...judgeReads(figures.reads),
    ...judgeProcesses(samples),
    ...(await judgeGenerations()),
  ];
  const { discrepancies } = await readBooks(database);
  console.log(discrepancies.length === 0 ? 'the books agree' : discrepancies.join('\n'));
  problems.push(...discrepancies);
  for (const problem of problems) console.log(`over budget: ${problem}`);
  return problems.length === 0;
}

function judgeAnswers(figures: SoakFigures): string[] {
  const problems: string[] = [];
  const statuses = [...figures.statuses].sort(([a], [b]) => String(a).localeCompare(String(b)));
  const list = (some: typeof statuses) => some.map(([status, count]) => `${status}×${count}`).join(' ');
  console.log(`answers: ${list(statuses)}`);
  console.log(`uploads ${figures.uploaded}, generations ${figures.started}, purchases ${figures.bought}`);
  const refused = statuses.filter(([status]) => status === 'none' || status >= 400);
  const faults = refused.filter(([status]) => !EXPECTED_REFUSALS.has(status));
  if (faults.length > 0) problems.push(`no answer, 5xx or an unexpected refusal: ${list(faults)}`);
  const done = { ...figures, reads: figures.reads.length };
  for (const [name, least] of Object.entries(countLeast(PEOPLE, MINUTES))) {
    const count = done[name as keyof ReturnType<typeof countLeast>];
    if (count < least) problems.push(`too little was done: ${name} ${count}, at least ${least} are expected`);
  }
  return problems;
}

function judgeReads(times: number[]): string[] {
  const reads = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(reads[Math.floor(reads.length * share)] ?? 0);
  console.log(`reads ${reads.length}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`);
  return at(0.99) > READ_P99_BUDGET_MS ? [`p99 of reads is over ${READ_P99_BUDGET_MS} ms`] : [];
}

function judgeProcesses(samples: Sample[]): string[] {
  const problems: string[] = [];
  const early = samples.slice(Math.floor(samples.length / 5), Math.ceil(samples.length * 0.4));
  const late = samples.slice(-early.length);
  if (early.length === 0) problems.push('too short to see whether memory grows');
  for (const [index, { name, server }] of servers.entries()) {
    const [before = 0, after = 0] = [early, late].map((part) => median(part.map(({ memory }) => memory[index] ?? 0)));
    const growth = after / before;
    console.log(`${name}: ${toMegabytes(before)} MB, at the end ${toMegabytes(after)} MB (${growth.toFixed(2)})`);
    if (!(growth <= GROWTH_BUDGET)) problems.push(`${name} grows by more than ${GROWTH_BUDGET}`);
    // A process that is gone has no memory.
    if (samples.some(({ memory }) => !memory[index]) || measureTree(server.pid, 'Rss') === 0)
      problems.push(`${name} has ended (exit code ${server.exitCode()})`);
  }
  console.log(
    `connections to PostgreSQL: at most ${Math.max(...samples.map(({ connections }) => connections))} of 100`,
  );
  return problems;
}

/** Waits for the last ones. The engine never fails, so none may fail. */
async function judgeGenerations(): Promise<string[]> {
  const count = (status: 'pending' | 'generating' | 'completed') => database.db.generation.count({ where: { status } });
  const deadline = Date.now() + IDLE_TIMEOUT_MS;
  const countUnfinished = async () => (await count('pending')) + (await count('generating'));
  while ((await countUnfinished()) > 0 && Date.now() < deadline) await wait(1_000);
  const completed = await count('completed');
  const unfinished = await countUnfinished();
  const failed = (await database.db.generation.count()) - completed - unfinished;
  console.log(`generations: ${completed} completed, ${failed} failed, ${unfinished} unfinished`);
  return failed + unfinished > 0 ? [`${failed} generations have failed, ${unfinished} do not end`] : [];
}
