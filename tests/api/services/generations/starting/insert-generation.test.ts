import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createRowId, type Db, type Tx } from '#api/database/database.ts';
import { openQueue, type Queue } from '#api/queue/queue.ts';
import { chooseErasedKey } from '#api/services/core/erased-key.ts';
import { listInputs } from '#api/services/generations/results/inputs.ts';
import { endGeneration } from '#api/services/generations/running/outcome.ts';
import { insertGeneration, type NewGeneration } from '#api/services/generations/starting/insert-generation.ts';
import { createMetrics } from '#api/telemetry/metrics.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { endGenerationsAtOnce } from '#tests/support/end-generations-at-once.ts';
import { createAccount, createPhoto } from '#tests/support/factories.ts';

let database: TestDatabase;
let queue: Queue;

beforeAll(async () => {
  database = await openTestDatabase();
  queue = await openQueue(database, { databaseUrl: database.databaseUrl, roles: ['api'] }, pino({ level: 'silent' }));
});
afterEach(() => database.reset());
afterAll(async () => {
  await queue.stop();
  await database.close();
});

/** Nobody is told, and nothing is compared. */
const ENDING = {
  telegram: null,
  garmentChecker: null,
  engines: { all: [], of: () => null, find: () => null },
  metrics: createMetrics(pino({ level: 'silent' })),
  catalogue: { backgrounds: [] },
};

async function prepare(stars: number): Promise<Omit<NewGeneration, 'id'>> {
  const account = await createAccount(database, { stars });
  const photo = await createPhoto(database, account.id);
  return {
    accountId: account.id,
    kind: 'video',
    inputs: [{ role: 'subject', photoId: photo.id }],
    hasGuess: false,
    settings: { duration: 5 },
    stars: 1,
    reroll: null,
    idempotencyKey: null,
    requestHash: new Uint8Array(32),
    engine: 'local',
    job: 'run-generation',
    priority: 10,
  };
}

async function start(row: Omit<NewGeneration, 'id'>, db: Db = database.db) {
  const id = createRowId();
  const app = { db, queue, config: { sessionSecret: 'secret' } };
  return { id, ...(await insertGeneration(app, { ...row, id })) };
}

/** The database, which ends its first transaction like this while the connection breaks: nobody hears of it. */
function losingAnswer(end: 'commit' | 'rollback'): Db {
  const lost = new Error('Connection terminated unexpectedly');
  let isLost = false;
  const $transaction = async (work: (tx: Tx) => Promise<unknown>) => {
    if (isLost) return database.db.$transaction(work);
    isLost = true;
    await database.db.$transaction(async (tx) => {
      await work(tx);
      if (end === 'rollback') throw lost;
    });
    throw lost;
  };
  return Object.create(database.db, { $transaction: { value: $transaction } });
}

/** The outcomes of so many starts at once, each with its code if it was refused. */
async function startAtOnce(count: number, row: Omit<NewGeneration, 'id'>): Promise<string[]> {
  const starts = Array.from({ length: count }, () => start(row));
  const outcomes = await Promise.allSettled(starts);
  return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.state : outcome.reason.code));
}

async function countTraces(accountId: number) {
  const { rows } = await database.pool.query(
    `SELECT (SELECT star_balance FROM accounts WHERE id = $1) AS balance,
       (SELECT count(*)::int FROM generations WHERE account_id = $1) AS generations,
       (SELECT count(*)::int FROM generation_inputs JOIN generations ON id = generation_id WHERE account_id = $1) AS inputs,
       (SELECT count(*)::int FROM star_entries WHERE account_id = $1 AND kind = 'hold') AS holds,
       (SELECT count(*)::int FROM pgboss.job WHERE name = 'run-generation') AS jobs`,
    [accountId],
  );
  return rows[0];
}

test('a start leaves the generation, its ledger row and its job', async () => {
  const row = await prepare(2);
  const past = {
    kind: row.kind,
    engine: row.engine,
    settings: { duration: 5 },
    createdAt: new Date(Date.now() - 20_000),
  };
  await database.db.generation.create({
    data: {
      ...past,
      accountId: row.accountId,
      stars: 0,
      requestHash: new Uint8Array(32),
      status: 'completed',
      finishedAt: new Date(past.createdAt.getTime() + 20_000),
    },
  });
  const outcome = await start({ ...row, idempotencyKey: 'once' });
  if (outcome.state !== 'inserted') throw new Error(outcome.state);
  expect(await countTraces(row.accountId)).toEqual({ balance: 1, generations: 2, inputs: 1, holds: 1, jobs: 1 });
  expect(await database.db.generation.findUnique({ where: { id: outcome.id } })).toMatchObject({
    accountId: row.accountId,
    status: 'pending',
    settings: { duration: 5 },
    stars: 1,
    idempotencyKey: 'once',
    expectedSeconds: 20,
    startedAt: null,
  });
  expect(await database.db.generationInput.findMany()).toEqual([
    { generationId: outcome.id, position: 0, role: 'subject', photoId: row.inputs[0]?.photoId },
  ]);
  const { rows } = await database.pool.query('SELECT data, priority, state FROM pgboss.job');
  expect(rows).toEqual([{ data: { generationId: outcome.id }, priority: 10, state: 'created' }]);
});

test('a start keeps several photos in their order', async () => {
  const row = await prepare(1);
  const second = await createPhoto(database, row.accountId);
  const inputs = [...row.inputs, { role: 'subject' as const, photoId: second.id }];
  const outcome = await start({ ...row, inputs });
  if (outcome.state !== 'inserted') throw new Error(outcome.state);
  const listed = await listInputs(database.db, outcome.id);
  expect(listed).toMatchObject(inputs.map(({ role, photoId }) => ({ role, id: photoId, accountId: row.accountId })));
  expect(listed[1]).toMatchObject(second);
});

test('a photo that is gone leaves nothing at all', async () => {
  const row = await prepare(1);
  const gone = { role: 'subject' as const, photoId: randomUUID() };
  await expect(start({ ...row, inputs: [...row.inputs, gone] })).rejects.toThrow();
  expect(await countTraces(row.accountId)).toEqual({ balance: 1, generations: 0, inputs: 0, holds: 0, jobs: 0 });
});

test.each([
  ['merged into another', async (id: number) => ({ mergedIntoId: (await createAccount(database)).id, id })],
  ['erased', async (id: number) => ({ emailKey: chooseErasedKey(id), id })],
])('a free start of an account that was %s meanwhile leaves nothing at all', async (_, change) => {
  const row = await prepare(1);
  const { id, ...data } = await change(row.accountId);
  await database.db.account.update({ where: { id }, data });
  await expect(start({ ...row, stars: 0 })).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await countTraces(row.accountId)).toEqual({ balance: 1, generations: 0, inputs: 0, holds: 0, jobs: 0 });
});

test('a start that was committed is accepted, also when the answer of the database is lost', async () => {
  const row = await prepare(2);
  const { id, state } = await start(row, losingAnswer('commit'));
  expect(state).toBe('inserted');
  expect(await database.db.generation.findMany()).toMatchObject([{ id, accountId: row.accountId }]);
  expect(await countTraces(row.accountId)).toEqual({ balance: 1, generations: 1, inputs: 1, holds: 1, jobs: 1 });
});

test('a start that was rolled back fails when the answer of the database is lost, and leaves nothing at all', async () => {
  const row = await prepare(2);
  await expect(start(row, losingAnswer('rollback'))).rejects.toThrow('Connection terminated');
  expect(await countTraces(row.accountId)).toEqual({ balance: 2, generations: 0, inputs: 0, holds: 0, jobs: 0 });
  expect(await start(row)).toMatchObject({ state: 'inserted' });
  expect(await countTraces(row.accountId)).toEqual({ balance: 1, generations: 1, inputs: 1, holds: 1, jobs: 1 });
});

test('too few stars leave nothing at all', async () => {
  const row = await prepare(1);
  expect(await start({ ...row, stars: 2 })).toMatchObject({ state: 'not_enough_stars' });
  expect(await countTraces(row.accountId)).toEqual({ balance: 1, generations: 0, inputs: 0, holds: 0, jobs: 0 });
});

test('a start beside the end of the generation before it never deadlocks', async () => {
  const row = await prepare(3);
  // The embedded database has one connection, so a deadlock is impossible there.
  const rounds = database.isEmbedded ? 5 : 60;
  for (let round = 0; round < rounds; round++) {
    // All rounds together may exceed the limit for starts.
    await database.db.limitCount.deleteMany();
    const started = await start(row);
    if (started.state !== 'inserted') throw new Error(started.state);
    const end = (id: string) =>
      endGeneration({ ...ENDING, db: database.db, queue }, { ...row, id, createdAt: new Date() }, 'engine_error');
    const [outcome, ...next] = await Promise.allSettled([end(started.id), start(row), start(row)]);
    expect(outcome).toMatchObject({ value: 'failed' });
    for (const beside of next) {
      if (beside.status === 'rejected') throw beside.reason;
      if (beside.value.state === 'inserted') await end(beside.value.id);
      else expect(beside.value.state).toBe('active_generation');
    }
  }
});

test('a second active generation of a kind is refused and costs nothing', async () => {
  const row = await prepare(5);
  const { id } = await start(row);
  expect(await start(row)).toMatchObject({ state: 'active_generation', activeId: id });
  expect(await start({ ...row, kind: 'photosession' })).toMatchObject({ state: 'inserted' });
  expect(await countTraces(row.accountId)).toEqual({ balance: 3, generations: 2, inputs: 2, holds: 2, jobs: 2 });
});

test('a repeated idempotency key finds the earlier generation, also when it is over', async () => {
  const row = { ...(await prepare(5)), idempotencyKey: 'same' };
  const { id } = await start(row);
  await database.db.generation.updateMany({ data: { status: 'failed' } });
  expect(await start(row)).toMatchObject({ state: 'repeated', generation: { id } });
  expect(await countTraces(row.accountId)).toMatchObject({ balance: 4, generations: 1, holds: 1 });
});

test('of 30 requests at once with the same key one starts, and the others find what it has started', async () => {
  const row = { ...(await prepare(5)), idempotencyKey: 'same' };
  const outcomes = await startAtOnce(30, row);
  expect(outcomes.toSorted()).toEqual(['inserted', ...Array.from({ length: 29 }, () => 'repeated')]);
  expect(await countTraces(row.accountId)).toEqual({ balance: 4, generations: 1, inputs: 1, holds: 1, jobs: 1 });
});

test('of 30 attempts at once with one star exactly one succeeds', async () => {
  const row = await prepare(1);
  const outcomes = await startAtOnce(30, row);
  expect(outcomes.toSorted()).toEqual([...Array.from({ length: 29 }, () => 'active_generation'), 'inserted']);
  expect(await database.db.limitCount.findMany()).toMatchObject([{ points: 30 }]);
  expect(await countTraces(row.accountId)).toEqual({ balance: 0, generations: 1, inputs: 1, holds: 1, jobs: 1 });
});

test('120 attempts on 50 stars, 20 at once, hold exactly 50', async () => {
  // The rule of one active generation would hide an overdraft.
  await endGenerationsAtOnce(database.pool);
  const row = await prepare(50);
  const outcomes: string[] = [];
  while (outcomes.length < 120) outcomes.push(...(await startAtOnce(20, row)));
  expect(outcomes.filter((state) => state === 'inserted')).toHaveLength(50);
  expect(outcomes.filter((state) => state === 'not_enough_stars')).toHaveLength(70);
  expect(await countTraces(row.accountId)).toEqual({ balance: 0, generations: 50, inputs: 50, holds: 50, jobs: 50 });
  // 120 a minute is the limit for the starts of one tool.
  await expect(start(row)).rejects.toMatchObject({ code: 'too_many_requests' });
  expect(await start({ ...row, kind: 'photosession' })).toMatchObject({ state: 'not_enough_stars' });
});
