import { describe, expect, it, test } from 'vitest';
import { findDiscrepancies } from '#api/services/administration/book-checks.ts';
import { closeReport } from '#api/services/administration/reports.ts';
import { reportResult } from '#api/services/generations/reports/result-reports.ts';
import type { NewResult } from '#api/services/generations/results/result-files.ts';
import {
  completeGeneration,
  endGeneration,
  failOverdueGenerations,
} from '#api/services/generations/running/outcome.ts';
import type { GarmentVerdict, Generation } from '#prisma/generated/client.ts';
import { GENERATION_TIMEOUT_MS } from '#shared/rules/generation-lifecycle.ts';
import { createFinding, createGeneration, createImageResult, createStoredPhoto } from '#tests/support/factories.ts';
import { createFakeGarmentChecker, describeFinding } from '#tests/support/fake-garment-checker.ts';
import { useToolHarness } from '#tests/support/tool-harness.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

const ADMIN_ID = 3;
const RESULT: NewResult = {
  position: 0,
  originalKey: 'o',
  posterKey: 'p',
  thumbnailKey: 't',
  contentType: 'image/jpeg',
  bytes: 1,
  posterBytes: 1,
  thumbnailBytes: 1,
  width: 60,
  height: 80,
};
const checker = createFakeGarmentChecker();
const harness = useToolHarness({ garmentChecker: checker });
const { balanceOf, call, expectRefusal, readyUser, send, viewOf, waitForStatus, waitUntil } = harness;

const reroll = (user: Pick<TestUser, 'cookie'>, id: string) =>
  call(user, { method: 'POST', url: `/api/generations/${id}/reroll` });

/** A finished photo session whose frames were compared. */
async function createSession(user: TestUser, verdicts: readonly GarmentVerdict[]): Promise<string> {
  const { app } = harness.testApp;
  const photo = await createStoredPhoto(app, user.account.id);
  const generationId = await createGeneration(app, user.account.id, 'photosession', 'completed', photo);
  for (const [position, verdict] of verdicts.entries()) {
    const result = await createImageResult(app, user.account.id, { generationId, position, width: 60, height: 80 });
    await createFinding(app, result, verdict);
  }
  return generationId;
}

/** The price of a session of which all frames have come. */
async function payFor(user: TestUser, generationId: string): Promise<void> {
  const { db } = harness.testApp.app;
  const { id: accountId } = user.account;
  const cause = { accountId, generationId, delta: 0 };
  await db.generation.update({ where: { id: generationId }, data: { stars: 5 } });
  await db.starEntry.createMany({
    data: [
      { ...cause, kind: 'correction', delta: 5, generationId: null, causeKey: `correction:${generationId}` },
      { ...cause, kind: 'hold', delta: -5, causeKey: `hold:${generationId}` },
      { ...cause, kind: 'capture', causeKey: `capture:${generationId}` },
    ],
  });
}

async function complain(user: TestUser, generationId: string, position: number): Promise<string> {
  const { app } = harness.testApp;
  const place = { generationId, position };
  await reportResult(app, user.account.id, place, { reason: 'garment_distorted', comment: null });
  const { id } = await app.db.resultReport.findFirstOrThrow({ where: { generationId, result: { position } } });
  return id;
}

const generationOf = (id: string): Promise<Generation> =>
  harness.testApp.app.db.generation.findUniqueOrThrow({ where: { id } });

test('a session is compared frame by frame, and the drifted frame is made again for nothing', async () => {
  const user = await readyUser();
  // The frames are compared in the order in which they are booked.
  checker.find(
    ...Array.from({ length: 5 }, () => async ({ results }: { results: Uint8Array[] }) => {
      const isSecond = Buffer.from(results[0] ?? []).equals(await harness.readPicture(1));
      return describeFinding(isSecond ? 'drifted' : 'kept');
    }),
    'kept',
  );
  const { sessionId } = (await send(user, '/api/photosession', [['image', harness.photoPart]])).json();
  expect(await viewOf(user, sessionId)).toMatchObject({ positions: [0, 1, 2, 3, 4], reroll: 'not_offered' });
  harness.letEngineHandIn([0, 1, 2, 3, 4]);
  await waitUntil(async () => expect((await viewOf(user, sessionId)).reroll).toBe('offered'));
  const { results } = await viewOf(user, sessionId);
  expect(results.map(({ garmentCheck }) => garmentCheck?.verdict)).toEqual(['kept', 'drifted', 'kept', 'kept', 'kept']);
  const balance = await balanceOf(user);

  harness.testApp.engine.behave({ say: 'running' });
  const { generationId } = (await reroll(user, sessionId)).json();
  expect(await viewOf(user, sessionId)).toMatchObject({ reroll: 'used', rerolledBy: generationId });
  expect(await viewOf(user, generationId)).toMatchObject({
    kind: 'photosession',
    positions: [1],
    starsSpent: 0,
    reroll: 'not_offered',
    rerollOf: sessionId,
  });
  expect((await harness.orderOf('photosession', generationId)).positions).toEqual([1]);
  // A frame that was not asked for is not taken.
  harness.letEngineHandIn([0, 1]);
  await waitForStatus(user, generationId, 'completed');
  const made = await viewOf(user, generationId);
  expect(made.results.map(({ position }) => position)).toEqual([1]);
  expect(made.starsSpent).toBe(0);
  expect(await balanceOf(user)).toBe(balance);
  const { db } = harness.testApp.app;
  expect(await db.starEntry.count({ where: { generationId } })).toBe(0);
  expect(await db.engineRun.findMany({ where: { generationId }, select: { position: true, reason: true } })).toEqual([
    { position: 1, reason: 'reroll' },
  ]);
  expect(await db.$transaction((tx) => findDiscrepancies(tx))).toEqual([]);
});

describe('a re-roll', () => {
  it('is started once, also by two calls at the same moment', async () => {
    const user = await registerVerified(harness.testApp);
    const id = await createSession(user, ['drifted', 'kept', 'drifted']);
    const answers = await Promise.all([reroll(user, id), reroll(user, id), reroll(user, id)]);
    const again = await reroll(user, id);
    const ids = [...answers, again].map((answer) => answer.json().generationId);
    expect(new Set(ids).size).toBe(1);
    expect((await generationOf(ids[0])).positions).toEqual([0, 2]);
    expect(await harness.testApp.app.db.generation.count({ where: { rerollOfId: id } })).toBe(1);
  });

  it('ends with the complaint that repaid its frame, and makes the others', async () => {
    const { app } = harness.testApp;
    const user = await registerVerified(harness.testApp);
    const id = await createSession(user, ['drifted', 'drifted']);
    await payFor(user, id);
    await closeReport(app, ADMIN_ID, await complain(user, id, 0), { decision: 'stars_returned', answer: null });
    const { generationId } = (await reroll(user, id)).json();
    expect((await generationOf(generationId)).positions).toEqual([1]);

    const alone = await createSession(user, ['drifted']);
    await payFor(user, alone);
    expect((await viewOf(user, alone)).reroll).toBe('offered');
    await closeReport(app, ADMIN_ID, await complain(user, alone, 0), { decision: 'stars_returned', answer: null });
    expect((await viewOf(user, alone)).reroll).toBe('not_offered');
    await expectRefusal(reroll(user, alone), 409, 'reroll_not_offered');
  });

  it('ends the return of the stars for the frame that it replaces, unless it has failed', async () => {
    const { app } = harness.testApp;
    const user = await registerVerified(harness.testApp);
    const id = await createSession(user, ['drifted', 'kept']);
    await payFor(user, id);
    const reportId = await complain(user, id, 0);
    const returned = { decision: 'stars_returned', answer: null } as const;
    const { generationId } = (await reroll(user, id)).json();
    await expect(closeReport(app, ADMIN_ID, reportId, returned)).rejects.toMatchObject({
      code: 'report_costs_nothing',
    });
    await endGeneration(app, await generationOf(generationId), 'engine_error');
    expect(await closeReport(app, ADMIN_ID, reportId, returned)).toMatchObject({ decision: 'stars_returned' });
  });

  it('that makes one of two frames leaves the return of the stars for the other, also when its own result is removed', async () => {
    const { app } = harness.testApp;
    const user = await registerVerified(harness.testApp);
    const id = await createSession(user, ['drifted', 'drifted']);
    await payFor(user, id);
    const [first, second] = [await complain(user, id, 0), await complain(user, id, 1)];
    const partial = await generationOf((await reroll(user, id)).json().generationId);
    expect(partial.positions).toEqual([0, 1]);
    await completeGeneration(app, partial, [RESULT]);
    await app.db.result.deleteMany({ where: { generationId: partial.id } });
    const returned = { decision: 'stars_returned', answer: null } as const;
    await expect(closeReport(app, ADMIN_ID, first, returned)).rejects.toMatchObject({ code: 'report_costs_nothing' });
    expect(await closeReport(app, ADMIN_ID, second, returned)).toMatchObject({ stars: 1 });
  });

  it('and a return of the stars at the same moment: one of the two happens, never both', async () => {
    const { app, database } = harness.testApp;
    const user = await registerVerified(harness.testApp);
    // The embedded database has one connection, so nothing can meet there.
    const rounds = database.isEmbedded ? 2 : 20;
    for (let round = 0; round < rounds; round++) {
      const id = await createSession(user, ['drifted']);
      await payFor(user, id);
      const reportId = await complain(user, id, 0);
      const [started] = await Promise.all([
        reroll(user, id),
        closeReport(app, ADMIN_ID, reportId, { decision: 'stars_returned', answer: null }).catch(() => undefined),
      ]);
      const { status } = await app.db.resultReport.findUniqueOrThrow({ where: { id: reportId } });
      const remade = await app.db.generation.findFirst({ where: { rerollOfId: id } });
      expect([status, started.statusCode], `round ${round}`).toEqual(remade ? ['open', 200] : ['closed', 409]);
      if (remade) await endGeneration(app, remade, 'engine_error');
    }
  });

  it('that timed out is not kept when its frame was repaid since', async () => {
    const { app } = harness.testApp;
    const user = await registerVerified(harness.testApp);
    const id = await createSession(user, ['drifted']);
    await payFor(user, id);
    const reportId = await complain(user, id, 0);
    const late = await generationOf((await reroll(user, id)).json().generationId);
    await endGeneration(app, late, 'timed_out');
    await closeReport(app, ADMIN_ID, reportId, { decision: 'stars_returned', answer: null });
    expect(await completeGeneration(app, late, [RESULT])).toBe('discarded');
    expect((await generationOf(late.id)).status).toBe('failed');
  });

  it('makes no frame again that its owner has deleted', async () => {
    const user = await registerVerified(harness.testApp);
    const id = await createSession(user, ['drifted', 'drifted']);
    const { results } = await viewOf(user, id);
    await call(user, { method: 'DELETE', url: `/api/gallery/${results[0]?.id}` });
    const { generationId } = (await reroll(user, id)).json();
    expect((await generationOf(generationId)).positions).toEqual([1]);
  });

  it('may be repeated after a failure and after a cancellation', async () => {
    const { app } = harness.testApp;
    const user = await registerVerified(harness.testApp);
    const id = await createSession(user, ['drifted']);
    const first = (await reroll(user, id)).json().generationId;
    await endGeneration(app, await generationOf(first), 'engine_overloaded');
    expect(await viewOf(user, id)).toMatchObject({ reroll: 'offered', rerolledBy: null });
    expect((await viewOf(user, first)).failure?.message).toBe(
      'Сервис генерации перегружен: попробуйте через несколько минут',
    );
    const second = (await reroll(user, id)).json().generationId;
    expect(second).not.toBe(first);
    const cancelled = await call(user, { method: 'POST', url: `/api/generations/${second}/cancel` });
    expect(cancelled.json()).toEqual({ outcome: 'cancelled', message: 'Генерация отменена' });
    expect(await viewOf(user, id)).toMatchObject({ reroll: 'offered', rerolledBy: null });
    const third = (await reroll(user, id)).json().generationId;
    expect(await viewOf(user, id)).toMatchObject({ reroll: 'used', rerolledBy: third });
    expect(await balanceOf(user)).toBe(2);
  });

  it('that timed out gives no second result when it was started again', async () => {
    const { app } = harness.testApp;
    const user = await registerVerified(harness.testApp);
    const id = await createSession(user, ['drifted']);
    const late = (await reroll(user, id)).json().generationId;
    await app.db.generation.update({
      where: { id: late },
      data: { createdAt: new Date(Date.now() - GENERATION_TIMEOUT_MS - 1000) },
    });
    await failOverdueGenerations(app);
    const { generationId: next } = (await reroll(user, id)).json();
    expect(await completeGeneration(app, await generationOf(late), [RESULT])).toBe('discarded');
    expect(await completeGeneration(app, await generationOf(next), [RESULT])).toBe('completed');
    expect(await viewOf(user, id)).toMatchObject({ reroll: 'used', rerolledBy: next });
  });

  it('is not offered where nothing has drifted, while frames are compared, and for a re-roll', async () => {
    const user = await registerVerified(harness.testApp);
    const [kept, unknown, pending] = [
      await createSession(user, ['kept']),
      await createSession(user, ['not_comparable']),
      await createSession(user, ['drifted', 'pending']),
    ];
    for (const id of [kept, unknown, pending]) {
      expect((await viewOf(user, id)).reroll).toBe('not_offered');
      await expectRefusal(reroll(user, id), 409, 'reroll_not_offered');
    }
    const again = await createSession(user, ['drifted']);
    await harness.testApp.app.db.generation.update({ where: { id: again }, data: { rerollOfId: kept } });
    expect((await viewOf(user, again)).reroll).toBe('not_offered');
    await expectRefusal(reroll(user, again), 409, 'reroll_not_offered');
  });

  it('is not offered where the tool only moves the pixels of the photo now', async () => {
    const user = await registerVerified(harness.testApp);
    const id = await createSession(user, ['drifted']);
    harness.testApp.engine.setGenerative(false);
    expect((await viewOf(user, id)).reroll).toBe('not_offered');
    await expectRefusal(reroll(user, id), 409, 'reroll_not_offered');
    harness.testApp.engine.setGenerative(true);
    expect((await viewOf(user, id)).reroll).toBe('offered');
  });

  it('waits for another generation of the tool', async () => {
    const user = await registerVerified(harness.testApp);
    const id = await createSession(user, ['drifted']);
    const active = await createGeneration(harness.testApp.app, user.account.id, 'photosession', 'generating');
    expect(await expectRefusal(reroll(user, id), 409, 'active_generation')).toMatchObject({ generationId: active });
  });
});

describe('the crops of a drift', () => {
  it('are pictures for their owner, and for nobody when nothing has drifted', async () => {
    const user = await registerVerified(harness.testApp);
    const { results } = await viewOf(user, await createSession(user, ['drifted', 'kept']));
    const [drifted, kept] = results;
    const { sourceUrl, resultUrl } = drifted?.garmentCheck?.crops ?? { sourceUrl: '', resultUrl: '' };
    const [source, result] = [await call(user, { url: sourceUrl }), await call(user, { url: resultUrl })];
    for (const { statusCode, headers } of [source, result]) {
      expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'image/webp',
        'private, no-cache',
      ]);
    }
    // An owner who has not paid gets the result with the logo.
    expect(result.rawPayload.equals(source.rawPayload)).toBe(false);
    expect(kept?.garmentCheck).toEqual({ verdict: 'kept', drifts: [], crops: null });
    await expectRefusal(call(user, { url: `/api/results/${kept?.id}/garment-crops/result` }), 404, 'image_not_found');
  });

  it('have a badge in the gallery', async () => {
    const user = await registerVerified(harness.testApp);
    await createSession(user, ['drifted', 'kept']);
    const { images } = (await call(user, { url: '/api/gallery' })).json();
    expect(images.map(({ hasDrifted }: { hasDrifted: boolean }) => hasDrifted).sort()).toEqual([false, true]);
  });
});
