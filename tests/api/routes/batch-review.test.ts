import { randomUUID } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { settleBatches } from '#api/services/batches/settle.ts';
import { endGeneration } from '#api/services/generations/running/outcome.ts';
import type { Batch, BatchRow } from '#shared/contract/batches.ts';
import { useBatchHarness, VIDEO_SET } from '#tests/support/batch-harness.ts';
import { createFakeGarmentChecker, describeFinding } from '#tests/support/fake-garment-checker.ts';
import { type TestUser, uploadPhoto } from '#tests/support/users.ts';

const checker = createFakeGarmentChecker();
const { harness, testApp, createUser, post, create, createReady, read, start, drawFile } = useBatchHarness({
  garmentChecker: checker,
});
const { balanceOf, waitUntil } = harness;

const SESSION_SET = { kind: 'photosession', settings: {} };

interface Reviewed {
  user: TestUser;
  id: string;
  rows: BatchRow[];
}

/** A batch of which all rows are done and compared. The check reads the photos, so they have files. */
async function createDone(count: number, set: object = VIDEO_SET): Promise<Reviewed> {
  const user = await createUser();
  if (set === VIDEO_SET) harness.letEngineFinish();
  else harness.letEngineHandIn([0, 1, 2, 3, 4]);
  const { id } = await create(user, set);
  const rows: { id: string; name: string; photoId: string }[] = [];
  for (let seed = 0; seed < count; seed++) {
    const uploaded = await uploadPhoto(testApp, user, await drawFile(seed));
    rows.push({ id: randomUUID(), name: 'photo.jpg', photoId: uploaded.json().id });
  }
  const { batch } = await post<{ batch: Batch }>(user, `/api/batches/${id}/rows`, { rows });
  await start(user, batch);
  return { user, id, rows: await waitForRows(user, id) };
}

/** The rows, once all are done and compared. */
function waitForRows(user: TestUser, id: string): Promise<BatchRow[]> {
  return waitUntil(async () => {
    const { rows } = await read(user, id);
    for (const { state, results } of rows) {
      expect(state).toBe('done');
      expect(results.map(({ garmentCheck }) => garmentCheck?.verdict)).not.toContain('pending');
    }
    return rows;
  });
}

type Decisions = { rowId: string | undefined; isTaken: boolean | null }[];

const review = ({ user, id }: Pick<Reviewed, 'user' | 'id'>, decisions: Decisions): Promise<Batch> =>
  post(user, `/api/batches/${id}/review`, { decisions });

const redo = ({ user, id }: Pick<Reviewed, 'user' | 'id'>, rowId: string | undefined, agreedStars: number) =>
  testApp.call(user, {
    method: 'POST',
    url: `/api/batches/${id}/rows/${rowId}/redo`,
    payload: { agreedStars },
    headers: { 'idempotency-key': randomUUID() },
  });

async function takenOf({ user, id }: Pick<Reviewed, 'user' | 'id'>): Promise<(boolean | null)[]> {
  return (await read(user, id)).rows.map(({ isTaken }) => isTaken);
}

describe('a review', () => {
  it('counts what is taken, what is not and what is left, and takes decisions back', async () => {
    const batch = await createDone(3);
    const [first, second] = batch.rows;
    const decided = await review(batch, [
      { rowId: first?.id, isTaken: true },
      { rowId: second?.id, isTaken: false },
    ]);
    expect(decided.review).toEqual({ left: 1, taken: 1, notTaken: 1 });
    const undone = await review(batch, [{ rowId: second?.id, isTaken: null }]);
    expect(undone.review).toEqual({ left: 2, taken: 1, notTaken: 0 });
    expect(await takenOf(batch)).toEqual([true, null, null]);
  });

  it('keeps the last of several decisions about a row', async () => {
    const batch = await createDone(1);
    const [row] = batch.rows;
    await review(batch, [
      { rowId: row?.id, isTaken: false },
      { rowId: row?.id, isTaken: true },
    ]);
    expect(await takenOf(batch)).toEqual([true]);
    await review(batch, [
      { rowId: row?.id, isTaken: true },
      { rowId: row?.id, isTaken: false },
    ]);
    expect(await takenOf(batch)).toEqual([false]);
  });

  it('deletes nothing that is not taken', async () => {
    const batch = await createDone(2);
    await review(
      batch,
      batch.rows.map(({ id }) => ({ rowId: id, isTaken: false })),
    );
    const { rows } = await read(batch.user, batch.id);
    expect(rows.map(({ results }) => results.length)).toEqual([1, 1]);
    const videos = (await testApp.call(batch.user, { url: '/api/videos' })).json();
    expect(JSON.stringify(videos)).toContain(rows[0]?.results[0]?.generationId);
  });

  it('passes over rows that are not done', async () => {
    const user = await createUser();
    const batch = await createReady(user, 1);
    const { rows } = await read(user, batch.id);
    const answer = await review({ user, id: batch.id }, [{ rowId: rows[0]?.id, isTaken: true }]);
    expect(answer.review).toEqual({ left: 0, taken: 0, notTaken: 0 });
    expect(await takenOf({ user, id: batch.id })).toEqual([null]);
  });
});

describe('a redo', () => {
  it('costs the price, and the row comes back undecided with another result', async () => {
    const batch = await createDone(2);
    const [row] = batch.rows;
    const { user } = batch;
    await review(batch, [{ rowId: row?.id, isTaken: true }]);
    const balance = await balanceOf(user);
    harness.testApp.engine.behave({ say: 'running' });
    await harness.expectRefusal(redo(batch, row?.id, 0), 409, 'price_changed');
    expect((await redo(batch, row?.id, 1)).json()).toMatchObject({ isTaken: null });
    const { batch: without } = await read(user, batch.id);
    expect(without.review).toEqual({ left: 1, taken: 0, notTaken: 0 });
    await harness.expectRefusal(redo(batch, row?.id, 1), 409, 'batch_row_not_done');

    harness.letEngineFinish();
    const [again] = await waitForRows(user, batch.id);
    expect(again).toMatchObject({ isTaken: null, attempts: 2, reroll: 'not_offered' });
    expect(again?.results[0]?.id).not.toBe(row?.results[0]?.id);
    expect(await balanceOf(user)).toBe(balance - 1);
    // The earlier result is still there.
    const earlier = await harness.viewOf(user, row?.generationId ?? '');
    expect(earlier).toMatchObject({ status: 'completed', results: [{ id: row?.results[0]?.id }] });
  });

  it('of a stopped batch leaves the row with its earlier result, undecided', async () => {
    const batch = await createDone(1);
    const { user, id, rows } = batch;
    await review(batch, [{ rowId: rows[0]?.id, isTaken: true }]);
    harness.testApp.engine.behave({ say: 'running' });
    const busy = await createReady(user, 3);
    await start(user, busy);
    await waitUntil(async () => expect((await read(user, busy.id)).batch.counts.running).toBe(3));
    await redo(batch, rows[0]?.id, 1);
    await post(user, `/api/batches/${id}/stop`);
    expect((await read(user, id)).rows).toMatchObject([
      { state: 'done', isTaken: null, results: [{ id: rows[0]?.results[0]?.id }] },
    ]);
  });

  it('of drifted frames is free once, and the other frames stay in the row', async () => {
    checker.find(
      ...Array.from({ length: 5 }, () => async ({ results }: { results: Uint8Array[] }) => {
        const isSecond = Buffer.from(results[0] ?? []).equals(await harness.readPicture(1));
        return describeFinding(isSecond ? 'drifted' : 'kept');
      }),
      'kept',
    );
    const batch = await createDone(1, SESSION_SET);
    const { user, id, rows } = batch;
    expect(rows).toMatchObject([{ reroll: 'offered', stars: 2 }]);
    const balance = await balanceOf(user);
    await harness.expectRefusal(redo(batch, rows[0]?.id, 2), 409, 'price_changed');

    harness.testApp.engine.behave({ say: 'running' });
    expect((await redo(batch, rows[0]?.id, 0)).statusCode).toBe(200);
    await waitUntil(async () => expect((await read(user, id)).batch.counts.running).toBe(1));
    harness.letEngineHandIn([1]);
    const [again] = await waitForRows(user, id);
    const before = rows[0]?.results.map((result) => result.id) ?? [];
    const after = again?.results.map((result) => result.id) ?? [];
    expect(after.map((resultId, position) => resultId === before[position])).toEqual([true, false, true, true, true]);
    expect(again).toMatchObject({ isTaken: null, reroll: 'not_offered', stars: 2 });
    expect(await balanceOf(user)).toBe(balance);
    await harness.expectRefusal(redo(batch, rows[0]?.id, 0), 409, 'price_changed');
  });

  it('that is free stays free when an outage or the engine ends it', async () => {
    checker.find('drifted');
    const batch = await createDone(1);
    const { user, id, rows } = batch;
    const { app } = testApp;
    const balance = await balanceOf(user);
    harness.testApp.engine.behave({ say: 'running' });
    await redo(batch, rows[0]?.id, 0);

    const endAttempt = async (...[code]: [Parameters<typeof endGeneration>[2]]) => {
      const generationId = await waitUntil(async () => {
        const [row] = (await read(user, id)).rows;
        expect(row?.state).toBe('running');
        return row?.generationId ?? '';
      });
      const generation = await app.db.generation.findUniqueOrThrow({ where: { id: generationId } });
      await endGeneration(app, generation, code);
    };
    await endAttempt('engine_maintenance');
    await settleBatches(app, user.account.id);
    expect(await read(user, id)).toMatchObject({
      batch: { status: 'paused', prices: { waiting: { rows: 1, stars: 0 } } },
      rows: [{ state: 'waiting', stars: 0 }],
    });
    await post(user, `/api/batches/${id}/resume`, { agreedStars: 0 });
    await endAttempt('engine_error');
    await waitUntil(async () => expect((await read(user, id)).rows[0]?.state).toBe('failed'));
    expect((await read(user, id)).batch.prices.failed).toEqual({ rows: 1, stars: 0 });

    checker.find('kept');
    harness.letEngineFinish();
    await post(user, `/api/batches/${id}/repeat`, { agreedStars: 0 });
    const [again] = await waitForRows(user, id);
    expect(again).toMatchObject({ reroll: 'not_offered', isTaken: null });
    expect(await balanceOf(user)).toBe(balance);
    expect(await app.db.generation.count({ where: { rerollOfId: rows[0]?.generationId, status: 'completed' } })).toBe(
      1,
    );
  });
});

test('a row whose drifted result was made again by hand goes back to its review', async () => {
  checker.find('drifted');
  const batch = await createDone(1);
  const { user, id, rows } = batch;
  harness.testApp.engine.behave({ say: 'running' });
  const busy = await createReady(user, 3);
  await start(user, busy);
  await waitUntil(async () => expect((await read(user, busy.id)).batch.counts.running).toBe(3));
  await redo(batch, rows[0]?.id, 0);
  const byHand = await testApp.call(user, { method: 'POST', url: `/api/generations/${rows[0]?.generationId}/reroll` });
  expect(byHand.statusCode).toBe(200);
  checker.find('kept');
  harness.letEngineFinish();
  const [again] = await waitForRows(user, id);
  expect(again).toMatchObject({ attempts: 1, reroll: 'used', results: [{ id: rows[0]?.results[0]?.id }] });
});
