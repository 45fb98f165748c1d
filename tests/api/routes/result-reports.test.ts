import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createRowId } from '#api/database/database.ts';
import { findDiscrepancies } from '#api/services/administration/book-checks.ts';
import type { Result } from '#prisma/generated/client.ts';
import { createGeneration, createImageResult, createVideoResult } from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { createAdmin, makeAdmin, registerVerified, type TestUser } from '#tests/support/users.ts';

const testApp = useTestApp();
let admin: TestUser;
let otherAdmin: TestUser;
let user: TestUser;

beforeAll(async () => {
  admin = await createAdmin(testApp);
  [otherAdmin, user] = [await registerVerified(testApp), await registerVerified(testApp)];
  await makeAdmin(testApp, otherAdmin.account.id);
});

function call(method: 'GET' | 'POST' | 'DELETE', url: string, { cookie }: TestUser, payload?: object) {
  return testApp.server.inject({ method, url, headers: { cookie }, ...(payload ? { payload } : {}) });
}
/** Results are named as in the interface: a video by its generation. */
const itemOf = ({ id, generationId, kind }: Result) => (kind === 'video' ? generationId : id);
const report = (result: Result, body: object = { reason: 'garment_distorted' }) =>
  call('POST', `/api/results/${itemOf(result)}/report`, user, body);
const stateOf = async (result: Result) =>
  (await call('GET', `/api/results/${itemOf(result)}/report`, user)).json().report;
const decide = (id: string, decision: string, who = admin, answer?: string) =>
  call('POST', `/api/admin/reports/${id}/decision`, who, { decision, ...(answer ? { answer } : {}) });
const queue = async (status = 'open') =>
  (await call('GET', `/api/admin/reports?status=${status}`, admin)).json().reports;
const balance = async () => (await call('GET', '/api/stars/balance', user)).json().balance;

/** Writes the stars of a generation as if it had run: held, and spent except for `refund`. */
async function spend(generationId: string, stars: number, refund = 0): Promise<void> {
  const { db } = testApp.app;
  const accountId = user.account.id;
  await db.generation.update({ where: { id: generationId }, data: { stars } });
  await db.starEntry.createMany({
    data: [
      { accountId, kind: 'correction', delta: stars, causeKey: `correction:${randomUUID()}` },
      { accountId, kind: 'hold', delta: -stars, causeKey: `hold:${generationId}`, generationId },
      { accountId, kind: 'capture', delta: refund, causeKey: `capture:${generationId}`, generationId },
    ],
  });
  await db.account.update({ where: { id: accountId }, data: { starBalance: { increment: refund } } });
}

async function makePicture(stars = 1): Promise<Result> {
  const result = await createImageResult(testApp.app, user.account.id, { kind: 'model_change' });
  const settings = { modelId: 'w1', backgroundId: 'dunes', isModelReplaced: true };
  await testApp.app.db.generation.update({ where: { id: result.generationId }, data: { settings } });
  await spend(result.generationId, stars);
  return result;
}

/** The frames of one photo session of two stars. */
async function makeSession(frames: number, refund = 0): Promise<Result[]> {
  const generationId = await createGeneration(testApp.app, user.account.id, 'photosession');
  await spend(generationId, 2, refund);
  const results: Result[] = [];
  for (let position = 0; position < frames; position++) {
    results.push(await createImageResult(testApp.app, user.account.id, { generationId, position, width: 60 }));
  }
  return results;
}

async function reportAndFind(result: Result, body?: object): Promise<string> {
  expect((await report(result, body)).statusCode).toBe(200);
  const found = await testApp.app.db.resultReport.findFirstOrThrow({
    where: { resultId: result.id },
    orderBy: { id: 'desc' },
  });
  return found.id;
}

describe('a complaint about a result', () => {
  it('is kept once while it is open, and shown with the result', async () => {
    const result = await makePicture();
    const answers = await Promise.all([1, 2, 3].map(() => report(result)));
    const open = { status: 'open', decision: null, answer: null };
    expect(answers.map((answer) => answer.json())).toEqual([open, open, open]);
    expect(await testApp.app.db.resultReport.count({ where: { resultId: result.id } })).toBe(1);
    const view = (await call('GET', `/api/generations/${result.generationId}`, user)).json();
    expect(view.results).toMatchObject([{ id: result.id, report: open }]);
  });

  it('can be about a video, named by its generation', async () => {
    const video = await createVideoResult(testApp.app, user.account.id);
    expect(await stateOf(video)).toBeNull();
    expect((await report(video, { reason: 'person_distorted', comment: '  шесть пальцев ' })).statusCode).toBe(200);
    expect(await testApp.app.db.resultReport.findFirst({ where: { resultId: video.id } })).toMatchObject({
      reason: 'person_distorted',
      comment: 'шесть пальцев',
      isUrgent: false,
      accountId: user.account.id,
    });
    expect(await stateOf(video)).toMatchObject({ status: 'open' });
  });

  it.each([
    [{ reason: 'other' }],
    [{ reason: 'other', comment: '  ' }],
    [{ reason: 'dislike' }],
    [{ reason: 'minor', comment: 'x'.repeat(501) }],
    [{}],
  ])('is refused for %j', async (body) => {
    const answer = await report(await makePicture(), body);
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request']);
  });

  it('cannot be made about a deleted result', async () => {
    const result = await makePicture();
    await call('DELETE', `/api/gallery/${result.id}`, user);
    expect((await report(result)).json().code).toBe('image_not_found');
  });
});

describe('the queue', () => {
  it('has urgent complaints first and says what an administrator needs to decide', async () => {
    await testApp.app.db.resultReport.deleteMany({ where: { status: 'open' } });
    const plain = await makePicture();
    const urgent = await makePicture();
    await testApp.app.db.garmentCheck.create({ data: { resultId: plain.id, verdict: 'drifted', drifts: ['colour'] } });
    const plainId = await reportAndFind(plain, { reason: 'other', comment: 'не та пуговица' });
    const urgentId = await reportAndFind(urgent, { reason: 'minor' });
    const reports = await queue();
    expect(reports.map(({ id }: { id: string }) => id)).toEqual([urgentId, plainId]);
    expect(reports[1]).toMatchObject({
      reason: 'other',
      isUrgent: false,
      comment: 'не та пуговица',
      status: 'open',
      stars: 1,
      photos: 1,
      account: { id: user.account.id, email: user.email },
      kind: 'model_change',
      made: 'model_change',
      engine: 'fake',
      model: null,
      garmentCheck: { verdict: 'drifted', drifts: ['colour'] },
      result: { position: 0, isVideo: false, width: 600, height: 800, isDeleted: false },
    });
    expect((await call('GET', '/api/admin/open-report-count', admin)).json()).toEqual({ count: 2 });
  });

  it('is read a page at a time', async () => {
    const { db } = testApp.app;
    const { id: resultId, generationId } = await makePicture();
    const accountId = user.account.id;
    const made = Array.from({ length: 51 }, createRowId);
    await db.resultReport.createMany({
      data: made.map((id) => ({
        id,
        resultId,
        generationId,
        accountId,
        reason: 'minor' as const,
        isUrgent: true,
        status: 'closed' as const,
        decision: 'no_action' as const,
        closedAt: new Date(),
      })),
    });
    const first = (await call('GET', '/api/admin/reports?status=closed', admin)).json();
    const next = (await call('GET', `/api/admin/reports?status=closed&cursor=${first.nextCursor}`, admin)).json();
    const ids = [...first.reports, ...next.reports].map(({ id }) => id);
    expect([first.reports.length, ids.length - new Set(ids).size, next.nextCursor]).toEqual([50, 0, null]);
    expect(ids).toEqual(expect.arrayContaining(made));
    expect((await call('GET', '/api/admin/reports?cursor=oops', admin)).statusCode).toBe(400);
  });

  it('serves the files of a reported result to administrators', async () => {
    const { app } = testApp;
    const video = await createVideoResult(app, user.account.id);
    const [photo] = await app.db.photo.findMany({ where: { usedBy: { some: { generationId: video.generationId } } } });
    await app.storage.put(photo?.previewKey ?? '', Buffer.from('preview'), 'image/jpeg');
    const id = await reportAndFind(video);
    const get = (what: string) => call('GET', `/api/admin/reports/${id}/${what}`, admin);
    const file = await get('result');
    expect([file.statusCode, file.headers['content-type'], file.rawPayload.length]).toEqual([
      200,
      'video/mp4',
      video.bytes,
    ]);
    expect((await get('preview')).headers['content-type']).toBe('image/webp');
    expect((await get('photos/0')).body).toBe('preview');
    expect((await get('photos/1')).json().code).toBe('report_not_found');
  });
});

describe('a decision', () => {
  it('without action leaves the result and the stars, and is shown with its answer', async () => {
    const result = await makePicture();
    const id = await reportAndFind(result);
    const before = await balance();
    const closed = await decide(id, 'no_action', admin, 'Такой крой и на фото');
    expect(closed.json()).toMatchObject({ id, status: 'closed', closedBy: admin.email, stars: 0 });
    const state = { status: 'closed', decision: 'no_action', answer: 'Такой крой и на фото' };
    expect(await stateOf(result)).toEqual(state);
    expect(await balance()).toBe(before);
    expect((await queue('closed'))[0]).toMatchObject({ id, decision: 'no_action' });
    const { entries } = (await call('GET', '/api/admin/audit', admin)).json();
    expect(entries[0]).toMatchObject({
      admin: admin.email,
      action: 'report_closed',
      accountId: user.account.id,
      details: { reportId: id, decision: 'no_action', stars: 0 },
    });
    // After that the person may complain again.
    expect((await report(result)).json()).toMatchObject({ status: 'open' });
  });

  it('returns the stars once, also when two administrators decide at the same moment', async () => {
    const result = await makePicture(2);
    const id = await reportAndFind(result);
    const before = await balance();
    const answers = await Promise.all([decide(id, 'stars_returned'), decide(id, 'stars_returned', otherAdmin)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json().code).toBe('report_closed');
    expect(await balance()).toBe(before + 2);
    const { entries } = (await call('GET', '/api/stars/history', user)).json();
    expect(entries[0]).toMatchObject({
      kind: 'correction',
      delta: 2,
      note: 'По вашей жалобе на результат',
      generation: { id: result.generationId },
    });
    const view = (await call('GET', `/api/generations/${result.generationId}`, user)).json();
    expect(view.starsSpent).toBe(0);
    const discrepancies = await testApp.app.db.$transaction((tx) => findDiscrepancies(tx));
    expect(discrepancies.filter((text) => /жалоб|вернулось/.test(text))).toEqual([]);
  });

  it('is answered again to the administrator who repeats it, and cannot be changed', async () => {
    const id = await reportAndFind(await makePicture());
    const before = await balance();
    const [first, second] = [await decide(id, 'stars_returned'), await decide(id, 'stars_returned')];
    expect(second.json()).toEqual(first.json());
    expect(await balance()).toBe(before + 1);
    expect((await decide(id, 'result_removed')).json().code).toBe('report_closed');
  });

  it('returns a star for a frame, and never more than its session has cost', async () => {
    const frames = await makeSession(5);
    const before = await balance();
    const decisions: string[] = [];
    for (const frame of frames) {
      const id = await reportAndFind(frame);
      const { stars } = (await queue()).find((one: { id: string }) => one.id === id);
      const answer = await decide(id, 'stars_returned');
      decisions.push(`${stars} ${answer.json().code ?? answer.json().decision}`);
    }
    expect(decisions).toEqual([
      '1 stars_returned',
      '1 stars_returned',
      '0 report_costs_nothing',
      '0 report_costs_nothing',
      '0 report_costs_nothing',
    ]);
    expect(await balance()).toBe(before + 2);
  });

  it('returns only what a session with few frames has cost', async () => {
    const [first, second] = await makeSession(2, 1);
    const before = await balance();
    expect((await decide(await reportAndFind(first as Result), 'stars_returned')).json().stars).toBe(1);
    expect((await decide(await reportAndFind(second as Result), 'stars_returned')).json().code).toBe(
      'report_costs_nothing',
    );
    expect(await balance()).toBe(before + 1);
  });

  it('does not return the stars of one result twice', async () => {
    const [frame] = await makeSession(5);
    await decide(await reportAndFind(frame as Result), 'stars_returned');
    const again = await reportAndFind(frame as Result);
    expect((await decide(again, 'stars_returned')).json().code).toBe('report_costs_nothing');
  });

  it('about a free re-roll returns what its original has cost, once for both', async () => {
    const original = await makePicture();
    const reroll = await createImageResult(testApp.app, user.account.id, { kind: 'model_change' });
    await testApp.app.db.generation.update({
      where: { id: reroll.generationId },
      data: { stars: 0, rerollOfId: original.generationId, positions: [0] },
    });
    const before = await balance();
    const ids = [await reportAndFind(reroll), await reportAndFind(original)] as const;
    const shown = (await queue()).filter(({ id }: { id: string }) => ids.includes(id));
    expect(shown.map(({ stars }: { stars: number }) => stars)).toEqual([1, 0]);
    expect((await decide(ids[0], 'stars_returned')).json().stars).toBe(1);
    expect((await decide(ids[1], 'stars_returned')).json().code).toBe('report_costs_nothing');
    expect(await balance()).toBe(before + 1);
    const discrepancies = await testApp.app.db.$transaction((tx) => findDiscrepancies(tx));
    expect(discrepancies.filter((text) => /жалоб|вернулось/.test(text))).toEqual([]);
  });

  it('returns nothing for a result that is gone when it was made again', async () => {
    const original = await makePicture();
    const reroll = await createImageResult(testApp.app, user.account.id, { kind: 'model_change' });
    await testApp.app.db.generation.update({
      where: { id: reroll.generationId },
      data: { stars: 0, rerollOfId: original.generationId, positions: [0] },
    });
    const id = await reportAndFind(original);
    await testApp.app.db.result.delete({ where: { id: original.id } });
    expect((await queue()).find((one: { id: string }) => one.id === id)).toMatchObject({ stars: 0, result: null });
    expect((await decide(id, 'stars_returned')).json().code).toBe('report_costs_nothing');
  });

  it('returns nothing while the generation runs', async () => {
    const [frame] = await makeSession(1);
    await testApp.app.db.generation.update({
      where: { id: frame?.generationId ?? '' },
      data: { status: 'generating' },
    });
    const id = await reportAndFind(frame as Result);
    expect((await decide(id, 'stars_returned')).json().code).toBe('report_generation_runs');
    expect(await testApp.app.db.resultReport.findUnique({ where: { id } })).toMatchObject({ status: 'open' });
    await testApp.app.db.generation.update({
      where: { id: frame?.generationId ?? '' },
      data: { status: 'completed' },
    });
  });

  it('removes the result with its files for good', async () => {
    const result = await makePicture();
    const id = await reportAndFind(result, { reason: 'forbidden_content' });
    expect((await decide(id, 'result_removed')).json()).toMatchObject({ decision: 'result_removed', result: null });
    expect((await call('POST', `/api/gallery/${result.id}/restore`, user)).json().code).toBe('image_not_found');
    expect(await testApp.app.storage.findSize(result.originalKey)).toBeNull();
    expect((await call('GET', `/api/admin/reports/${id}/result`, admin)).json().code).toBe('report_not_found');
  });

  it('cannot remove a result that is gone', async () => {
    const result = await makePicture();
    const id = await reportAndFind(result);
    await testApp.app.db.result.delete({ where: { id: result.id } });
    expect((await decide(id, 'result_removed')).json().code).toBe('report_result_gone');
    expect((await decide(id, 'stars_returned')).json().stars).toBe(1);
  });

  it.each([randomUUID(), 'oops'])('about %s is refused', async (id) => {
    expect((await decide(id, 'no_action')).json().code).toBe('report_not_found');
  });
});
