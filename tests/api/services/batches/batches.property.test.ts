import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '#api/platform/errors.ts';
import type { Viewer } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { createBatch, getBatch } from '#api/services/batches/batches.ts';
import {
  pauseBatch,
  redoRow,
  repeatRows,
  resumeBatch,
  reviewRows,
  startBatch,
  stopBatch,
} from '#api/services/batches/commands.ts';
import { advanceAllLines, claimRow } from '#api/services/batches/line.ts';
import { addRows, keepDuplicates, removeRows } from '#api/services/batches/rows.ts';
import { cancelGeneration } from '#api/services/generations/running/cancel-generation.ts';
import { completeGeneration, endGeneration } from '#api/services/generations/running/outcome.ts';
import type { Generation } from '#prisma/generated/client.ts';
import type { Batch, BatchRow } from '#shared/contract/batches.ts';
import { ROW_STATES } from '#shared/rules/batches.ts';
import { ACTIVE_STATUSES, GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { createAccount, createStoredPhoto, VIDEO_RESULT } from '#tests/support/factories.ts';
import { propertyRuns } from '#tests/support/property-runs.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

const PARALLEL = 3;
const NEVER = new AbortController().signal;

let testApp: TestApp;
let app: AppContext;
beforeAll(async () => {
  testApp = await createTestApp();
  app = testApp.app;
});
afterAll(() => testApp.close());

/** A step of a person, of the worker or of the world. `pick` chooses a row or a generation. */
const step = fc.record({
  /** Which of the two batches. */
  batch: fc.nat(1),
  pick: fc.nat(7),
  what: fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('add' as const), rows: fc.integer({ min: 1, max: 4 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom('remove' as const, 'add again' as const, 'keep' as const) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('start' as const), isPilot: fc.boolean(), isTwice: fc.boolean() }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'stop' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('resume' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('repeat' as const), isTwice: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('redo' as const), isTwice: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('review' as const), isTaken: fc.boolean() }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('advance' as const), processes: fc.constantFrom(1, 2) }) },
    /** A process is killed between the claim and the start. */
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('complete' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('fail' as const),
        code: fc.constantFrom('photo_unsuitable', 'engine_maintenance', 'timed_out', 'engine_share_reached'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('buy' as const), stars: fc.integer({ min: 1, max: 5 }) }) },
    /** The pauses that end by themselves have passed. */
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
    /** The documents change, and its owner agrees again. */
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('disagree' as const, 'agree' as const) }) },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface History {
  viewer: Viewer;
  batches: string[];
}

async function begin(isPaid: boolean): Promise<History> {
  const { id } = await createAccount(app, { stars: 4, isPaid });
  const viewer = { id, premium: { isPremium: isPaid, hasSuccessfulTransactions: isPaid, transactionCount: 1 } };
  const batches = [randomUUID(), randomUUID()];
  for (const batchId of batches) {
    await createBatch(app, viewer, { id: batchId, set: { kind: 'video', settings: { duration: 5 } as never } });
    await app.db.batch.update({ where: { id: batchId }, data: { continuesAfterPurchase: batchId === batches[0] } });
  }
  return { viewer, batches };
}

async function read({ viewer }: History, id: string) {
  return getBatch(app, viewer, id);
}

async function listActive({ viewer }: History): Promise<Generation[]> {
  return app.db.generation.findMany({
    where: { accountId: viewer.id, status: { in: [...ACTIVE_STATUSES] } },
    orderBy: { id: 'asc' },
  });
}

const isUnfinished = ({ status }: Generation) => (ACTIVE_STATUSES as readonly string[]).includes(status);

/** Twice with one key, as after a lost answer, or once. */
async function command(isTwice: boolean, send: (key: string) => Promise<unknown>): Promise<void> {
  const key = randomUUID();
  if (isTwice) await Promise.all([send(key), send(key)]);
  else await send(key);
}

async function takeStep(history: History, { batch: index, pick, what }: Step): Promise<void> {
  const { viewer, batches } = history;
  const id = batches[index] as string;
  const { batch, rows } = await read(history, id);
  const row = rows[pick % Math.max(1, rows.length)];
  const active = await listActive(history);
  const running = active[pick % Math.max(1, active.length)];
  switch (what.kind) {
    case 'add': {
      const photos = [];
      for (let one = 0; one < what.rows; one++) photos.push((await createStoredPhoto(app, viewer.id)).id);
      // The fourth is a duplicate of the third. A repeated request adds nothing.
      if (photos[2] && photos[3]) photos[3] = photos[2];
      const added = photos.map((photoId) => ({ id: randomUUID(), name: 'a.jpg', photoId }));
      await addRows(app, viewer, id, added);
      await addRows(app, viewer, id, added);
      return;
    }
    case 'remove':
      if (row) await removeRows(app, viewer, id, [row.id]);
      return;
    case 'add again':
      if (!row) return;
      await removeRows(app, viewer, id, [row.id]);
      await addRows(app, viewer, id, [{ id: row.id, name: 'a.jpg', photoId: row.photo?.id }]);
      return;
    case 'keep':
      if (row) await keepDuplicates(app, viewer, id, [row.id]);
      return;
    case 'start':
      return command(what.isTwice, (key) => startAll(viewer, batch, rows, what.isPilot, key));
    case 'pause':
      await pauseBatch(app, viewer, id);
      return;
    case 'stop':
      await stopBatch(app, viewer, id);
      return;
    case 'resume':
      await resumeBatch(app, viewer, id, { agreedStars: batch.prices.waiting.stars });
      return;
    case 'repeat':
      return command(what.isTwice, (key) =>
        repeatRows(app, viewer, id, { agreedStars: batch.prices.failed.stars, key }),
      );
    case 'redo':
      if (!row) return;
      return command(what.isTwice, (key) =>
        redoRow(app, viewer, { batchId: id, rowId: row.id }, { agreedStars: row.stars, key }),
      );
    case 'review':
      if (row) await reviewRows(app, viewer, id, [{ rowId: row.id, isTaken: what.isTaken }]);
      return;
    case 'advance':
      await Promise.all(Array.from({ length: what.processes }, () => advanceAllLines(app, NEVER)));
      return;
    case 'kill':
      await claimRow(app, GENERATION_KINDS);
      return;
    case 'complete':
      if (running) await completeGeneration(app, running, [VIDEO_RESULT]);
      return;
    case 'fail':
      if (running) await endGeneration(app, running, what.code as 'timed_out');
      return;
    case 'cancel':
      if (running) await cancelGeneration(app, viewer.id, running.id);
      return;
    case 'buy':
      return addStars(viewer.id, what.stars);
    case 'wait':
      await app.db.batch.updateMany({
        where: { accountId: viewer.id, resumesAt: { not: null } },
        data: { resumesAt: new Date(0) },
      });
      return;
    default:
      await app.db.account.update({
        where: { id: viewer.id },
        data: { consentVersion: what.kind === 'agree' ? await currentVersion() : 'old' },
      });
  }
}

async function startAll(
  viewer: Viewer,
  batch: Batch,
  rows: readonly { state: string; stars: number }[],
  isPilot: boolean,
  key: string,
): Promise<void> {
  const ready = rows.filter(({ state }) => state === 'ready').slice(0, isPilot ? 3 : undefined);
  const agreedStars = ready.reduce((sum, { stars }) => sum + stars, 0);
  await startBatch(app, viewer, batch.id, { isPilot, agreedStars, key });
}

async function currentVersion(): Promise<string> {
  const { DOCUMENTS_VERSION } = await import('#shared/rules/legal-documents.ts');
  return DOCUMENTS_VERSION;
}

async function addStars(accountId: number, stars: number): Promise<void> {
  await app.db.$transaction(async (tx) => {
    const causeKey = `correction:${randomUUID()}`;
    await tx.starEntry.create({ data: { accountId, kind: 'correction', delta: stars, causeKey } });
    await tx.account.update({ where: { id: accountId }, data: { starBalance: { increment: stars } } });
  });
}

/** A refusal is an answer. Anything else is a fault. No row is lost or doubled by it. */
async function tryStep(history: History, one: Step): Promise<void> {
  const id = history.batches[one.batch] as string;
  const before = (await read(history, id)).batch.counts;
  let isRefused = false;
  try {
    await takeStep(history, one);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    isRefused = true;
  }
  const after = (await read(history, id)).batch.counts;
  const { what } = one;
  if (what.kind === 'add') expect(after.all).toBe(before.all + what.rows);
  else if (what.kind === 'remove') expect([before.all, before.all - 1]).toContain(after.all);
  else expect(after.all).toBe(before.all);
  if (what.kind !== 'start') return;
  const started = what.isPilot ? Math.min(3, before.ready) : before.ready;
  expect(after.ready).toBe(isRefused ? before.ready : before.ready - started);
}

/** What is true after every step. */
async function checkTruths(history: History, isPaid: boolean): Promise<void> {
  const { viewer, batches } = history;
  const generations = await app.db.generation.findMany({
    where: { accountId: viewer.id },
    orderBy: { createdAt: 'asc' },
  });
  for (const id of batches) {
    const { batch, rows } = await read(history, id);
    expect(ROW_STATES.reduce((sum, state) => sum + batch.counts[state], 0)).toBe(batch.counts.all);
    expect(batch.counts.all).toBe(rows.length);
    for (const state of ROW_STATES) {
      expect(rows.filter((row) => row.state === state)).toHaveLength(batch.counts[state]);
    }
    // An open batch is at rest.
    if (batch.status === 'open') expect([batch.counts.waiting, batch.counts.running]).toEqual([0, 0]);
    expect(batch.review.left + batch.review.taken + batch.review.notTaken).toBe(batch.counts.done);
    for (const row of rows) checkAttempts(row, generations);
  }
  expect(generations.filter(isUnfinished).length).toBeLessThanOrEqual(isPaid ? PARALLEL : 1);
  await checkLedger(viewer.id, generations);
}

function checkAttempts(row: BatchRow, generations: Generation[]): void {
  const made = generations.filter(({ batchRowId }) => batchRowId === row.id);
  expect(made).toHaveLength(row.attempts);
  expect(made.at(-1)?.id ?? null).toBe(row.generationId);
  expect(made.filter(isUnfinished).length).toBeLessThanOrEqual(1);
}

/** The balance is the sum of the ledger. Each attempt is held once, and an ended one captured or released once. */
async function checkLedger(accountId: number, generations: Generation[]): Promise<void> {
  const entries = await app.db.starEntry.findMany({ where: { accountId } });
  const { starBalance } = await app.db.account.findUniqueOrThrow({ where: { id: accountId } });
  expect(starBalance).toBe(entries.reduce((sum, { delta }) => sum + delta, 0));
  expect(starBalance).toBeGreaterThanOrEqual(0);
  for (const { id, status } of generations) {
    const kinds = entries.filter(({ generationId }) => generationId === id).map(({ kind }) => kind);
    const end = status === 'completed' ? ['capture'] : status === 'failed' ? ['release'] : [];
    expect(kinds.sort()).toEqual(['hold', ...end].sort());
  }
}

/** Everything that was in line comes to an end by itself once there are stars, time and consent. */
async function finish(history: History): Promise<void> {
  const { viewer, batches } = history;
  await app.db.account.update({ where: { id: viewer.id }, data: { consentVersion: await currentVersion() } });
  await addStars(viewer.id, 500);
  for (let round = 0; round < 100; round++) {
    for (const id of batches) {
      const { batch } = await read(history, id);
      if (batch.status === 'paused') await resumeBatch(app, viewer, id, { agreedStars: batch.prices.waiting.stars });
    }
    await advanceAllLines(app, NEVER);
    const active = await listActive(history);
    for (const generation of active) await completeGeneration(app, generation, [VIDEO_RESULT]);
    const unfinished = await app.db.batch.count({ where: { accountId: viewer.id, status: { not: 'open' } } });
    if (unfinished === 0 && active.length === 0) return;
  }
  throw new Error('a batch does not come to rest');
}

test('whatever happens to batches, the counts add up, each attempt ends once, and the ledger is true', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 8, maxLength: 40 }), async (isPaid, steps) => {
      const history = await begin(isPaid);
      for (const one of steps) {
        await tryStep(history, one);
        await checkTruths(history, isPaid);
      }
      await finish(history);
      await checkTruths(history, isPaid);
      for (const id of history.batches) {
        const { counts } = (await read(history, id)).batch;
        expect([counts.waiting, counts.running]).toEqual([0, 0]);
      }
    }),
    { numRuns: propertyRuns(8), endOnFailure: true },
  );
}, 60_000);
