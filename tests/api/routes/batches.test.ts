import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Db } from '#api/database/database.ts';
import { getBatch } from '#api/services/batches/batches.ts';
import { countRows, ROW_STATES } from '#shared/rules/batches.ts';
import { useBatchHarness, VIDEO_SET } from '#tests/support/batch-harness.ts';

const { harness, testApp, createUser, post, create, createReady, read, start, drawFile } = useBatchHarness();

describe('a batch', () => {
  it('makes each of its rows, and its counts add up', async () => {
    const user = await createUser();
    harness.letEngineFinish();
    const batch = await createReady(user, 5);
    expect(batch).toMatchObject({
      status: 'open',
      counts: { all: 5, ready: 5 },
      prices: { ready: { rows: 5, stars: 5 } },
    });
    await start(user, batch);
    await harness.waitUntil(async () => {
      const { batch: now, rows } = await read(user, batch.id);
      expect(ROW_STATES.reduce((sum, state) => sum + now.counts[state], 0)).toBe(now.counts.all);
      expect(rows.map(({ state }) => state)).toEqual(Array(5).fill('done'));
      expect(now).toMatchObject({ status: 'open', isUnseen: true, review: { left: 5, taken: 0, notTaken: 0 } });
    });
    expect(await harness.balanceOf(user)).toBe(95);
  });

  it('is told with rows and counts of one moment', async () => {
    const user = await createUser();
    const { id } = await createReady(user, 3);
    // After each look at the rows, another one ends.
    const db = testApp.app.db.$extends({
      query: {
        batchRow: {
          findMany: async ({ args, query }) => {
            const rows = await query(args);
            const ready = await testApp.app.db.batchRow.findFirst({ where: { batchId: id, stage: 'ready' } });
            if (ready) await testApp.app.db.batchRow.update({ where: { id: ready.id }, data: { stage: 'stopped' } });
            return rows;
          },
        },
      },
    });
    const premium = { isPremium: true, hasSuccessfulTransactions: true, transactionCount: 1 };
    const viewer = { id: user.account.id, premium };
    const { batch, rows } = await getBatch({ ...testApp.app, db: db as unknown as Db }, viewer, id);
    expect(batch.counts).toEqual(countRows(rows.map(({ state }) => state)));
  });

  it('runs three rows at once for who has paid and one for others', async () => {
    for (const [isPaid, atOnce] of [
      [true, 3],
      [false, 1],
    ] as const) {
      const user = await createUser({ isPaid });
      const batch = await createReady(user, 5);
      await start(user, batch);
      await harness.waitUntil(async () => expect((await read(user, batch.id)).batch.counts.running).toBe(atOnce));
      await post(user, `/api/batches/${batch.id}/stop`);
      const { batch: stopped } = await read(user, batch.id);
      expect(stopped.counts).toMatchObject({ running: atOnce, stopped: 5 - atOnce });
    }
  });

  it('pauses when the stars end, and goes on by itself after a purchase', async () => {
    const user = await createUser({ stars: 2 });
    harness.letEngineFinish();
    const batch = await createReady(user, 4);
    await start(user, batch, { continuesAfterPurchase: true });
    await harness.waitUntil(async () =>
      expect((await read(user, batch.id)).batch).toMatchObject({
        status: 'paused',
        pause: { code: 'not_enough_stars', missingStars: 2 },
        counts: { done: 2, waiting: 2 },
      }),
    );
  });

  it('keeps a file once: the second one is a duplicate', async () => {
    const user = await createUser();
    const { id } = await create(user);
    const [first, second, broken] = [randomUUID(), randomUUID(), randomUUID()];
    await post(user, `/api/batches/${id}/rows`, {
      rows: [first, second, broken].map((rowId) => ({ id: rowId, name: 'ART-1.jpg' })),
    });
    const file = await drawFile(1);
    const send = (row: string, content: Buffer) =>
      harness.send(user, `/api/batches/${id}/rows/${row}/photo`, [
        ['image', { content, name: 'a.jpg', type: 'image/jpeg' }],
      ]);
    expect((await send(first, file)).json()).toMatchObject({ state: 'ready', photo: { guessedArticle: 'ART-1' } });
    expect((await send(second, file)).json()).toMatchObject({ state: 'duplicate' });
    expect((await send(broken, Buffer.from('nonsense'))).json()).toMatchObject({
      state: 'refused',
      reason: { code: 'photo_not_image' },
    });
    expect((await read(user, id)).batch.counts).toMatchObject({ all: 3, ready: 1, duplicate: 1, refused: 1 });
    const kept = await post<{ batch: { counts: object } }>(user, `/api/batches/${id}/rows/keep`, { rowIds: [second] });
    expect(kept.batch.counts).toMatchObject({ all: 3, ready: 2, duplicate: 0, refused: 1 });
  });

  it('needs no file that the account has: its row is a duplicate of that photo', async () => {
    const user = await createUser();
    const { id } = await create(user);
    const [first, second, other, unusable] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await post(user, `/api/batches/${id}/rows`, {
      rows: [first, second, other, unusable].map((rowId) => ({ id: rowId, name: 'ART-1.jpg' })),
    });
    const file = await drawFile(7);
    const sha256 = createHash('sha256').update(file).digest('hex');
    const tell = (row: string, told: object) =>
      testApp.call(user, { method: 'POST', url: `/api/batches/${id}/rows/${row}/unsent`, payload: told });
    expect((await tell(first, { sha256 })).json()).toMatchObject({ code: 'photo_not_found' });

    const sent = (
      await harness.send(user, `/api/batches/${id}/rows/${first}/photo`, [
        ['image', { content: file, name: 'a.jpg', type: 'image/jpeg' }],
      ])
    ).json();
    expect((await tell(first, { sha256 })).json()).toMatchObject({ state: 'ready', photo: { id: sent.photo.id } });
    expect((await tell(second, { sha256 })).json()).toMatchObject({ state: 'duplicate', photo: { id: sent.photo.id } });
    expect((await tell(unusable, { refusal: 'photo_unreadable' })).json()).toMatchObject({
      state: 'refused',
      reason: { code: 'photo_unreadable' },
    });
    expect((await read(user, id)).batch.counts).toMatchObject({
      all: 4,
      ready: 1,
      duplicate: 1,
      refused: 1,
      uploading: 1,
    });
  });

  it('is listed page by page, also after the last one of a page was deleted', async () => {
    const user = await createUser();
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.unshift((await create(user)).id);
    const read = async (cursor: string | null) =>
      (await testApp.call(user, { url: `/api/batches?limit=2${cursor ? `&cursor=${cursor}` : ''}` })).json();
    const first = await read(null);
    await testApp.call(user, { method: 'DELETE', url: `/api/batches/${ids[1]}` });
    const second = await read(first.nextCursor);
    const third = await read(second.nextCursor);
    const listed = [first, second, third].flatMap(({ batches }) => batches.map(({ id }: { id: string }) => id));
    expect([listed, third.nextCursor]).toEqual([ids, null]);
  });

  it('starts the same rows once, whatever is sent twice', async () => {
    const user = await createUser();
    const batch = await createReady(user, 6);
    const again = { headers: { 'idempotency-key': randomUUID() } };
    const pilot = () => post(user, `/api/batches/${batch.id}/start`, { agreedStars: 3, isPilot: true }, again.headers);
    await pilot();
    await pilot();
    expect((await read(user, batch.id)).batch.counts.ready).toBe(3);
    await post(user, `/api/batches/${batch.id}/stop`);
  });

  it('queues a photo behind what runs', async () => {
    const user = await createUser({ isPaid: false });
    const { photo } = (await read(user, (await createReady(user, 1)).id)).rows[0] ?? {};
    const order = { rowId: randomUUID(), set: VIDEO_SET, photoId: photo?.id, agreedStars: 1 };
    const { batch, row } = await post<{ batch: { id: string }; row: { state: string } }>(
      user,
      '/api/batches/queue',
      order,
    );
    expect(row.state).toBe('waiting');
    const listLine = async (kind: string) => {
      const { batches } = (await testApp.call(user, { url: `/api/batches?lineOf=${kind}` })).json();
      return batches.map(({ id }: { id: string }) => id);
    };
    expect([await listLine('video'), await listLine('photosession')]).toEqual([[batch.id], []]);
    await harness.waitUntil(async () => {
      const { jobs } = testApp.engine;
      expect(jobs.size).toBeGreaterThan(0);
    });
  });
});

describe('of two accounts', () => {
  it('neither gets a batch or a row under an id of the other', async () => {
    const [owner, other] = [await createUser(), await createUser()];
    const batch = await createReady(owner, 1);
    const { rows } = await read(owner, batch.id);
    const answer = await testApp.call(other, {
      method: 'POST',
      url: '/api/batches',
      payload: { id: batch.id, set: VIDEO_SET },
    });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'batch_forbidden']);
    const own = await create(other);
    const taken = { id: rows[0]?.id, name: 'a.jpg' };
    const added = await testApp.call(other, {
      method: 'POST',
      url: `/api/batches/${own.id}/rows`,
      payload: { rows: [taken] },
    });
    expect([added.statusCode, added.json().code]).toEqual([400, 'invalid_request']);
    const queued = await testApp.call(other, {
      method: 'POST',
      url: '/api/batches/queue',
      payload: { rowId: taken.id, set: VIDEO_SET, photoId: rows[0]?.photo?.id, agreedStars: 1 },
    });
    expect([queued.statusCode, queued.json().code]).toEqual([400, 'invalid_request']);
  });
});
