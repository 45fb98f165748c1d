/**
 * Measures the queue: how soon a worker with nothing to do starts a job after it was sent, on both databases, and how
 * many waiting jobs eight workers finish in a second on PostgreSQL, beside pg-boss alone.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import { pino } from 'pino';
import { countConnections } from '#api/config/connections.ts';
import { type DatabaseHandle, openDatabase } from '#api/database/database.ts';
import { JOBS, type JobName } from '#api/queue/job-definitions.ts';
import { openQueue, QUEUE_SCHEMA } from '#api/queue/queue.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { alternate, percentile, reportFigure } from './figures.ts';

const START_BUDGET_MS = 50;
const STARTS = 20;
const START_ROUNDS = 3;
const DRAIN_BUDGET = 0.9;
const DRAIN_ROUNDS = 5;
const JOBS_TO_DRAIN = 2000;
const WORKERS = 8;
const NAME = 'run-generation' satisfies JobName;
const log = pino({ level: 'error' });
const connections = countConnections(['worker']);

interface Place {
  database: DatabaseHandle;
  databaseUrl: string | undefined;
}

async function withDatabase(use: (place: Place) => Promise<void>): Promise<void> {
  const place = await createTestDatabase();
  const database = await openDatabase({ ...place, connections }, log);
  try {
    await use({ database, databaseUrl: place.databaseUrl });
  } finally {
    await database.close();
    await place.remove();
  }
}

const openWorker = ({ database, databaseUrl }: Place) =>
  openQueue(database, { databaseUrl, roles: ['worker'], connections }, log);

/** From the call that sends a job to its handler, in milliseconds. A worker waits for every kind of job. */
async function measureStarts(place: Place): Promise<number[]> {
  const queue = await openWorker(place);
  let started = Promise.withResolvers<number>();
  for (const name of Object.keys(JOBS) as JobName[]) {
    await queue.work(name, { concurrency: 1 }, async () => {
      if (name === NAME) started.resolve(performance.now());
    });
  }
  const p95s: number[] = [];
  for (let round = 0; round <= START_ROUNDS; round++) {
    const delays: number[] = [];
    for (let index = 0; index < STARTS; index++) {
      // At another time of each second, so that no regular look meets all of them.
      await wait(40 + 23 * (index % 7));
      started = Promise.withResolvers();
      const sentAt = performance.now();
      await place.database.db.$transaction((tx) => queue.send(tx, NAME, { generationId: crypto.randomUUID() }));
      delays.push((await started.promise) - sentAt);
    }
    // The first round is a warm-up.
    if (round > 0) p95s.push(percentile(delays, 0.95));
  }
  await queue.stop();
  return p95s;
}

/** Replaces all jobs by as many that wait, each as `send` writes it. */
async function fill({ database: { pool } }: Place): Promise<void> {
  await pool.query(`DELETE FROM ${QUEUE_SCHEMA}.job`);
  await pool.query(
    `INSERT INTO ${QUEUE_SCHEMA}.job (name, data, policy, expire_seconds, heartbeat_seconds, retry_limit, retry_delay)
     SELECT name, json_build_object('generationId', gen_random_uuid()), policy, expire_seconds, heartbeat_seconds,
       retry_limit, retry_delay
     FROM ${QUEUE_SCHEMA}.queue, generate_series(1, $2) WHERE name = $1`,
    [NAME, JOBS_TO_DRAIN],
  );
  // The server of a bench does not do this by itself.
  await pool.query(`VACUUM ANALYZE ${QUEUE_SCHEMA}.job`);
}

/** Jobs a second, from the first worker to the start of the last job. */
async function timeDrain(work: (finishOne: () => Promise<void>) => Promise<void>): Promise<number> {
  const drained = Promise.withResolvers<void>();
  let left = JOBS_TO_DRAIN;
  const begunAt = performance.now();
  await work(async () => {
    left -= 1;
    if (left === 0) drained.resolve();
  });
  await drained.promise;
  return (JOBS_TO_DRAIN / (performance.now() - begunAt)) * 1000;
}

async function drainByPodium(place: Place): Promise<number> {
  await fill(place);
  const queue = await openWorker(place);
  const rate = await timeDrain((finishOne) => queue.work(NAME, { concurrency: WORKERS }, finishOne));
  await queue.stop();
  return rate;
}

/**
 * What its documentation recommends for a backlog, where each handler takes one job: as many workers as handlers, which
 * fetch without a pause while jobs wait.
 */
async function drainByPgBoss(place: Place): Promise<number> {
  await fill(place);
  const boss = new PgBoss({
    connectionString: place.databaseUrl,
    max: connections.queue,
    schema: QUEUE_SCHEMA,
    // How many jobs wait is counted at the start, and then not again before they are done.
    superviseIntervalSeconds: 60,
    queueCacheIntervalSeconds: 1,
  });
  boss.on('error', (error) => log.error(error));
  await boss.start();
  await boss.getQueueStats(NAME, { force: true });
  await wait(1500);
  const rate = await timeDrain(async (finishOne) => {
    await boss.work(NAME, { localConcurrency: WORKERS, batchSize: 1, burstWhenReadyExceeds: 1 }, finishOne);
  });
  await boss.stop({ timeout: 5000 });
  return rate;
}

async function reportStarts(on: string): Promise<void> {
  await withDatabase(async (place) =>
    reportFigure({
      what: `queue: a sent job starts on an idle worker, p95, ${on}`,
      unit: 'ms',
      values: await measureStarts(place),
      budget: { atMost: START_BUDGET_MS },
    }),
  );
}

delete process.env.TEST_DATABASE_URL;
await reportStarts('PGlite');
const server = await startPrivatePostgres();
process.env.TEST_DATABASE_URL = server.url;
try {
  await reportStarts('PostgreSQL');
  await withDatabase(async (place) => {
    // Declares the queue.
    await (await openWorker(place)).stop();
    const { values, floorValues } = await alternate(DRAIN_ROUNDS, {
      figure: () => drainByPodium(place),
      floor: () => drainByPgBoss(place),
    });
    reportFigure({
      what: `queue: waiting jobs that ${WORKERS} workers finish`,
      unit: 'a second',
      values,
      floor: { what: 'pg-boss alone, as many connections', values: floorValues },
      budget: { atLeast: DRAIN_BUDGET },
    });
  });
} finally {
  await server.stop();
}
