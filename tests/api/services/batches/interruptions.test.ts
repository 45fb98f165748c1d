import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Viewer } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { createBatch, deleteBatch, getBatch } from '#api/services/batches/batches.ts';
import { pauseBatch, redoRow, repeatRows, resumeBatch, startBatch, stopBatch } from '#api/services/batches/commands.ts';
import { advanceAllLines } from '#api/services/batches/line.ts';
import { addRows, removeRows } from '#api/services/batches/rows.ts';
import { completeGeneration, endGeneration } from '#api/services/generations/running/outcome.ts';
import { listToolSettings } from '#api/services/generations/tools/tool-settings.ts';
import type { Generation } from '#prisma/generated/client.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { createAccount, createStoredPhoto, VIDEO_RESULT } from '#tests/support/factories.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

const NEVER = new AbortController().signal;

let testApp: TestApp;
let app: AppContext;
beforeAll(async () => {
  testApp = await createTestApp();
  app = testApp.app;
});
afterAll(() => testApp.close());
/** The next test finds an engine with room and an empty line. */
afterEach(async () => {
  await app.db.batch.deleteMany();
  await app.db.batchLine.deleteMany();
  const active = await app.db.generation.findMany({ where: { status: { in: [...ACTIVE_STATUSES] } } });
  for (const generation of active) await endGeneration(app, generation, 'photo_unsuitable');
});

interface Owned {
  viewer: Viewer;
  id: string;
  rowIds: string[];
}

/** A batch of so many rows of an account, which has started. Nothing works on jobs, so each step is the test's own. */
async function startRows(count: number, { isPaid = true } = {}): Promise<Owned> {
  const account = await createAccount(app, { stars: 20, isPaid });
  const premium = { isPremium: isPaid, hasSuccessfulTransactions: isPaid, transactionCount: 1 };
  const viewer = { id: account.id, premium } as Viewer;
  const id = randomUUID();
  await createBatch(app, viewer, { id, set: { kind: 'video', settings: { duration: 5 } as never } });
  const rowIds = Array.from({ length: count }, () => randomUUID());
  for (const rowId of rowIds) {
    const { id: photoId } = await createStoredPhoto(app, account.id);
    await addRows(app, viewer, id, [{ id: rowId, name: 'a.jpg', photoId }]);
  }
  await startBatch(app, viewer, id, { isPilot: false, agreedStars: count, key: null });
  return { viewer, id, rowIds };
}

const advance = () => advanceAllLines(app, NEVER);
const read = async ({ viewer, id }: Owned) => getBatch(app, viewer, id);

async function attemptsOf({ viewer }: Owned): Promise<Generation[]> {
  return app.db.generation.findMany({ where: { accountId: viewer.id }, orderBy: { id: 'asc' } });
}

async function endFirst(owned: Owned, code: 'engine_maintenance' | 'timed_out' | 'photo_unsuitable') {
  const [first] = await attemptsOf(owned);
  if (first) await endGeneration(app, first, code);
  return first;
}

test('a row that was removed after it had run and is added again under its id is made again', async () => {
  const owned = await startRows(1);
  await advance();
  await endFirst(owned, 'photo_unsuitable');
  const [row] = (await read(owned)).rows;
  await removeRows(app, owned.viewer, owned.id, owned.rowIds);
  await addRows(app, owned.viewer, owned.id, [{ id: row?.id ?? '', name: 'a.jpg', photoId: row?.photo?.id }]);
  await startBatch(app, owned.viewer, owned.id, { isPilot: false, agreedStars: 1, key: null });
  await advance();
  expect((await read(owned)).batch.counts).toMatchObject({ running: 1, waiting: 0 });
  expect(await attemptsOf(owned)).toHaveLength(2);
});

test('a start whose key was used before fails its row, and the line goes on', async () => {
  const owned = await startRows(2);
  const [row] = await app.db.batchRow.findMany({ where: { batchId: owned.id }, orderBy: { position: 'asc' } });
  await advance();
  const [first] = await attemptsOf(owned);
  await completeGeneration(app, first as Generation, [VIDEO_RESULT]);
  // As if the first attempt had never been noted.
  await app.db.batchRow.update({
    where: { id: row?.id ?? '' },
    data: { stage: 'waiting', attempts: 0, generationId: null, agreedStars: 1 },
  });
  await app.db.batchLine.updateMany({ where: { accountId: owned.viewer.id }, data: { isOpen: true } });
  await advance();
  const [repeated] = (await read(owned)).rows;
  expect([repeated?.state, repeated?.reason?.code]).toEqual(['failed', 'idempotency_key_reused']);
});

test('a stop after an outage that the line has not noticed yet leaves nothing waiting', async () => {
  const owned = await startRows(2, { isPaid: false });
  await advance();
  await endFirst(owned, 'engine_maintenance');
  await stopBatch(app, owned.viewer, owned.id);
  await advance();
  const { batch } = await read(owned);
  expect([batch.status, batch.counts.waiting, batch.counts.stopped]).toEqual(['open', 0, 2]);
  expect(await attemptsOf(owned)).toHaveLength(1);
});

test('failed rows are repeated at the price of those whose photo is still there', async () => {
  const owned = await startRows(2);
  await advance();
  for (const attempt of await attemptsOf(owned)) await endGeneration(app, attempt, 'photo_unsuitable');
  await advance();
  await app.db.batchRow.update({ where: { id: owned.rowIds[0] ?? '' }, data: { photoId: null } });
  const { prices } = (await read(owned)).batch;
  expect(prices.failed).toEqual({ rows: 1, stars: 1 });
  const repeated = await repeatRows(app, owned.viewer, owned.id, { agreedStars: prices.failed.stars, key: null });
  expect(repeated.counts).toMatchObject({ waiting: 1, failed: 1 });
});

test('a row that cannot be started for a reason nobody knows pauses its batch and not those of others', async () => {
  const broken = await startRows(1);
  const sound = await startRows(1);
  await app.db.batchRow.updateMany({ where: { batchId: broken.id }, data: { settings: { duration: 7 } } });
  await advance();
  const record = await app.db.batch.findUniqueOrThrow({ where: { id: broken.id } });
  expect([record.status, record.pauseCode]).toEqual(['paused', 'unavailable']);
  expect((await read(sound)).batch.counts.running).toBe(1);
});

test('what is added to a paused batch waits until its owner agrees to the sum of all', async () => {
  const owned = await startRows(3, { isPaid: false });
  await advance();
  await pauseBatch(app, owned.viewer, owned.id);
  await endFirst(owned, 'photo_unsuitable');
  const { prices } = (await read(owned)).batch;
  await repeatRows(app, owned.viewer, owned.id, { agreedStars: prices.failed.stars, key: null });
  await advance();
  const { batch } = await read(owned);
  expect([batch.status, batch.counts.waiting, batch.counts.running]).toEqual(['paused', 3, 0]);
  await resumeBatch(app, owned.viewer, owned.id, { agreedStars: 3 });
  await advance();
  expect((await read(owned)).batch.counts).toMatchObject({ waiting: 2, running: 1 });
});

test('the owner’s pause outlasts that of an outage', async () => {
  const owned = await startRows(2, { isPaid: false });
  await advance();
  await endFirst(owned, 'engine_maintenance');
  await advance();
  const paused = await pauseBatch(app, owned.viewer, owned.id);
  expect(paused.pause).toMatchObject({ code: 'by_owner', resumesAt: null });
});

test('a result that comes after its row had timed out is the row’s, and nothing is made twice', async () => {
  const owned = await startRows(1);
  await advance();
  const late = await endFirst(owned, 'timed_out');
  await advance();
  expect((await read(owned)).batch.counts.waiting).toBe(1);
  const ended = await app.db.generation.findUniqueOrThrow({ where: { id: late?.id ?? '' } });
  await completeGeneration(app, ended, [VIDEO_RESULT]);
  await app.db.batch.update({ where: { id: owned.id }, data: { resumesAt: new Date(0) } });
  await advance();
  const { batch, rows } = await read(owned);
  expect([batch.status, rows[0]?.state, rows[0]?.results.length]).toEqual(['open', 'done', 1]);
  expect(await attemptsOf(owned)).toHaveLength(1);
});

test('a row whose paid redo cannot start keeps its earlier result', async () => {
  const owned = await startRows(1);
  await advance();
  const [first] = await attemptsOf(owned);
  await completeGeneration(app, first as Generation, [VIDEO_RESULT]);
  await advance();
  const rowId = owned.rowIds[0] ?? '';
  await redoRow(app, owned.viewer, { batchId: owned.id, rowId }, { agreedStars: 1, key: null });
  const { photo } = (await read(owned)).rows[0] ?? {};
  const { masterKey } = await app.db.photo.findUniqueOrThrow({ where: { id: photo?.id ?? '' } });
  await app.storage.remove(masterKey ?? '');
  await advance();
  const [row] = (await read(owned)).rows;
  expect([row?.state, row?.results.length]).toEqual(['done', 1]);
});

test('what a batch has made does not count as started by hand once the batch is deleted', async () => {
  const owned = await startRows(1);
  await advance();
  const [first] = await attemptsOf(owned);
  await completeGeneration(app, first as Generation, [VIDEO_RESULT]);
  await advance();
  await deleteBatch(app, owned.viewer.id, owned.id);
  expect((await listToolSettings(app, owned.viewer.id)).last).toEqual({});
});
