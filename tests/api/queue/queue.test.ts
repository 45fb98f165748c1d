import { PgBoss } from 'pg-boss';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Tx } from '#api/database/database.ts';
import type { JobName } from '#api/queue/job-definitions.ts';
import { openQueue, type Queue } from '#api/queue/queue.ts';
import { borrowTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { until } from '#tests/support/until.ts';

const logLines: Record<string, unknown>[] = [];
const log = pino({ level: 'warn' }, { write: (line) => void logLines.push(JSON.parse(line)) });
let database: TestDatabase;
let queue: Queue;

beforeAll(async () => {
  database = await borrowTestDatabase();
});
beforeEach(async () => {
  await database.reset();
  queue = await openQueue(database, { databaseUrl: database.databaseUrl, roles: ['worker'] }, log);
});
afterEach(() => queue.stop());
afterAll(() => database.close());

function countJobs(): Promise<number> {
  return database.pool
    .query(`SELECT FROM pgboss.job WHERE name = 'run-generation'`)
    .then(({ rowCount }) => rowCount ?? 0);
}

/** Waits until the worker has looked for due jobs. It looks again after a second. */
async function waitForLook(): Promise<void> {
  const query = vi.spyOn(database.pool, 'query');
  const isLook = ([statement]: unknown[]) => (statement as { name?: string }).name === 'list-due-jobs';
  await until(() => expect(query.mock.calls.some(isLook)).toBe(true));
  query.mockRestore();
}

test('a job sent in a transaction that is rolled back does not exist', async () => {
  const rolledBack = database.db.$transaction(async (tx) => {
    await queue.send(tx, 'run-generation', { generationId: crypto.randomUUID() });
    throw new Error('changed my mind');
  });
  await expect(rolledBack).rejects.toThrow('changed my mind');
  expect(await countJobs()).toBe(0);
});

test.each([
  ['a sent job starts within half a second', async () => {}],
  [
    'a sent job starts within half a second after a statement has failed, too',
    () => expect(database.pool.query('select 1 / 0')).rejects.toThrow('division by zero'),
  ],
])('%s', async (_title, prepare) => {
  let started = Promise.withResolvers<string>();
  await queue.work('run-generation', { concurrency: 1 }, async ({ generationId }) => started.resolve(generationId));
  await prepare();
  const delaysMs: number[] = [];
  for (let index = 0; index < 3; index++) {
    // Only the notification can wake the worker in time.
    await waitForLook();
    started = Promise.withResolvers();
    const generationId = crypto.randomUUID();
    await database.db.$transaction((tx) => queue.send(tx, 'run-generation', { generationId }));
    const sentAt = performance.now();
    expect(await started.promise).toBe(generationId);
    delaysMs.push(performance.now() - sentAt);
  }
  // On a busy machine some are late.
  expect(Math.min(...delaysMs)).toBeLessThan(500);
});

test('jobs of higher priority run first, whenever they were sent', async () => {
  const ids = Array.from({ length: 6 }, () => crypto.randomUUID());
  // Jobs of one transaction would have the same age.
  for (const [index, generationId] of ids.entries()) {
    const priority = index >= 4 ? 10 : 0;
    await database.db.$transaction((tx) => queue.send(tx, 'run-generation', { generationId }, { priority }));
  }
  const order: string[] = [];
  await queue.work('run-generation', { concurrency: 1 }, async ({ generationId }) => void order.push(generationId));
  await vi.waitFor(() => expect(order).toHaveLength(6), 60_000);
  expect(order).toEqual([...ids.slice(4), ...ids.slice(0, 4)]);
});

test('a worker takes the next job as soon as it has finished one', async () => {
  await database.db.$transaction(async (tx) => {
    for (let index = 0; index < 20; index++) {
      await queue.send(tx, 'run-generation', { generationId: crypto.randomUUID() });
    }
  });
  let done = 0;
  await queue.work('run-generation', { concurrency: 1 }, async () => void done++);
  // With a pause of a second after each job this would take twenty.
  await vi.waitFor(() => expect(done).toBe(20), 60_000);
});

test('a job whose handler throws runs again', async () => {
  await database.db.$transaction((tx) => queue.send(tx, 'run-generation', { generationId: crypto.randomUUID() }));
  let runs = 0;
  await queue.work('run-generation', { concurrency: 1 }, async () => {
    runs++;
    if (runs === 1) throw new Error('not this time');
  });
  await vi.waitFor(() => expect(runs).toBe(2), 60_000);
  const complaint = {
    job: 'run-generation',
    retryCount: 0,
    err: expect.objectContaining({ message: 'not this time' }),
  };
  expect(logLines).toContainEqual(expect.objectContaining(complaint));
});

// A worker alone asks for jobs once an hour, so each of these would take as long without the look for what is due.
test('a job with a pause starts when the pause is over, and not before', async () => {
  const started = Promise.withResolvers<void>();
  await queue.work('run-generation', { concurrency: 1 }, async () => started.resolve());
  const payload = { generationId: crypto.randomUUID() };
  await database.db.$transaction((tx) => queue.send(tx, 'run-generation', payload, { delaySeconds: 1 }));
  await started.promise;
  // The scheduler of pg-boss has jobs of its own.
  const { rows } = await database.pool.query(
    `SELECT started_on - created_on >= interval '1 second' AS "hasWaited" FROM pgboss.job WHERE name = 'run-generation'`,
  );
  expect(rows).toEqual([{ hasWaited: true }]);
});

test('a job that no notification tells of is found', async () => {
  const started = Promise.withResolvers<void>();
  await queue.work('run-generation', { concurrency: 1 }, async () => started.resolve());
  await waitForLook();
  const payload = { generationId: crypto.randomUUID() };
  await database.db.$transaction((tx) => queue.send(tx, 'run-generation', payload, { delaySeconds: 3600 }));
  await database.pool.query(`UPDATE pgboss.job SET start_after = now() WHERE name = 'run-generation'`);
  await started.promise;
});

test('jobs are found again after an outage of the database', async () => {
  const generationId = crypto.randomUUID();
  const started = Promise.withResolvers<string>();
  await queue.work('run-generation', { concurrency: 1 }, async (payload) => started.resolve(payload.generationId));
  const outage = vi.spyOn(database.pool, 'query').mockRejectedValue(new Error('the database is away'));
  await vi.waitFor(() => expect(outage).toHaveBeenCalledTimes(2), 60_000);
  outage.mockRestore();
  const payload = { generationId };
  await database.db.$transaction((tx) => queue.send(tx, 'run-generation', payload, { delaySeconds: 1 }));
  expect(await started.promise).toBe(generationId);
  const complaint = { msg: 'due jobs cannot be looked for', err: expect.objectContaining({ type: 'Error' }) };
  expect(logLines).toContainEqual(expect.objectContaining(complaint));
});

const MAILS: [JobName, (tx: Tx) => Promise<void>][] = [
  ['send-receipt', (tx) => queue.send(tx, 'send-receipt', { paymentId: crypto.randomUUID() })],
  ['send-deletion-mail', (tx) => queue.send(tx, 'send-deletion-mail', { accountId: 1 })],
  [
    'send-email-changed-mail',
    (tx) => queue.send(tx, 'send-email-changed-mail', { accountId: 1, formerEmail: 'a@b.c' }),
  ],
  [
    'send-password-changed-mail',
    (tx) => queue.send(tx, 'send-password-changed-mail', { accountId: 1, changedAt: new Date().toISOString() }),
  ],
  [
    'send-telegram-linked-mail',
    (tx) => queue.send(tx, 'send-telegram-linked-mail', { accountId: 1, linkedAt: new Date().toISOString() }),
  ],
  ['send-outage-mail', (tx) => queue.send(tx, 'send-outage-mail', { outageId: crypto.randomUUID(), event: 'opened' })],
  ['send-report-mail', (tx) => queue.send(tx, 'send-report-mail', {})],
];
/** In seconds. As many jobs as one has tries, each at another of them, show all its pauses without waiting for them. */
async function measurePauses(names: readonly JobName[]): Promise<[name: JobName, seconds: number[]][]> {
  const { pool } = database;
  await pool.query(
    `INSERT INTO pgboss.job
     SELECT (jsonb_populate_record(job, jsonb_build_object('id', gen_random_uuid(), 'retry_count', tries))).*
     FROM pgboss.job, generate_series(1, retry_limit) AS tries WHERE name = ANY($1)`,
    [names],
  );
  for (const name of names)
    await queue.work(name, { concurrency: 1 }, () => Promise.reject(new Error('not this time')));
  return vi.waitFor(async () => {
    const { rows } = await pool.query<{ name: string; state: string; seconds: number }>(
      `SELECT name, state, extract(epoch FROM start_after - started_on)::float8 AS seconds
       FROM pgboss.job WHERE name = ANY($1)`,
      [names],
    );
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['retry', 'failed']));
    const waiting = rows.filter(({ state }) => state === 'retry');
    return names.map((name) => [name, waiting.filter((row) => row.name === name).map(({ seconds }) => seconds)]);
  }, 60_000);
}
const sumUp = (pauses: readonly number[]) => pauses.reduce((sum, seconds) => sum + seconds, 0);

test('a mail of any kind that no server takes is tried for a day at least', async () => {
  for (const [, send] of MAILS) await database.db.$transaction(send);
  for (const [name, pauses] of await measurePauses(MAILS.map(([name]) => name))) {
    expect(sumUp(pauses), name).toBeGreaterThan(24 * 3600);
    // Whoever waits for it gets it soon after the server is back.
    expect(Math.max(...pauses), name).toBeLessThan(1.1 * 3600);
  }
});

test('the copy of a video is tried until its order is nearly over, after half a minute at the latest', async () => {
  await database.db.$transaction((tx) => queue.send(tx, 'make-video-copy', { resultId: crypto.randomUUID() }));
  for (const [, pauses] of await measurePauses(['make-video-copy'])) {
    expect(sumUp(pauses)).toBeGreaterThan(25 * 60);
    expect(Math.max(...pauses)).toBeLessThan(35);
  }
});

test('a worker shows that it is alive as soon as it has started', async () => {
  await queue.stop();
  await database.pool.query('UPDATE pgboss.queue SET monitor_on = NULL, monitor_claim_on = NULL');
  // What pg-boss does later by itself is no call of this method.
  const supervise = vi.spyOn(PgBoss.prototype, 'supervise');
  try {
    queue = await openQueue(database, { databaseUrl: database.databaseUrl, roles: ['worker'] }, log);
    await supervise.mock.results[0]?.value;
  } finally {
    supervise.mockRestore();
  }
  expect((await queue.measure()).workerSeenSecondsAgo).not.toBeNull();
});

test('a stop aborts the running job, which runs again after the next start', async () => {
  const generationId = crypto.randomUUID();
  await database.db.$transaction((tx) => queue.send(tx, 'run-generation', { generationId }));
  const started = Promise.withResolvers<void>();
  await queue.work('run-generation', { concurrency: 1 }, (_payload, signal) => {
    started.resolve();
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  await started.promise;
  await queue.stop();

  queue = await openQueue(database, { databaseUrl: database.databaseUrl, roles: ['worker'] }, log);
  const again = Promise.withResolvers<string>();
  await queue.work('run-generation', { concurrency: 1 }, async (payload) => again.resolve(payload.generationId));
  expect(await again.promise).toBe(generationId);
});
