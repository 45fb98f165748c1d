import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { failOverdueGenerations } from '#api/services/generations/running/outcome.ts';
import { getPhotosessionStatus, listPhotosessions } from '#shared/contract/photosessions.ts';
import { GENERATION_TIMEOUT_MS } from '#shared/rules/generation-lifecycle.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { createPayment } from '#tests/support/factories.ts';
import { useToolHarness } from '#tests/support/tool-harness.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

const harness = useToolHarness();
const { balanceOf, call, countTraces, expectRefusal, readyUser, send, sessionOf, waitForStatus, waitUntil } = harness;
const URL = '/api/photosession';

function start(user: Pick<TestUser, 'cookie'>, headers = {}) {
  return send(user, URL, [['image', harness.photoPart]], headers);
}

async function startSession(user: TestUser): Promise<string> {
  const answer = await start(user);
  expect(answer.statusCode).toBe(200);
  return answer.json().sessionId;
}

async function waitForFrames(user: TestUser, sessionId: string, positions: number[]): Promise<void> {
  await waitUntil(async () => expect(await framesOf(user, sessionId)).toEqual(positions));
}

async function framesOf(user: TestUser, sessionId: string): Promise<number[]> {
  return (await sessionOf(user, sessionId)).images.map(({ position }: { position: number }) => position);
}

test('a session costs two stars, shows its frames one by one and ends with five', async () => {
  const user = await registerVerified(harness.testApp);
  const sessionId = await startSession(user);
  expect(await balanceOf(user)).toBe(0);
  expect(await sessionOf(user, sessionId)).toMatchObject({ status: 'processing', images: [], starsSpent: 2 });
  harness.letEngineShow([1]);
  await waitForFrames(user, sessionId, [1]);
  harness.letEngineShow([1, 0, 3]);
  await waitForFrames(user, sessionId, [0, 1, 3]);
  expect((await sessionOf(user, sessionId)).status).toBe('processing');
  const early = (await sessionOf(user, sessionId)).images;
  harness.letEngineHandIn([0, 1, 2, 3, 4]);
  await waitForStatus(user, sessionId, 'completed');

  const session = await sessionOf(user, sessionId);
  expect(getPhotosessionStatus.answer.parse(session)).toMatchObject({
    id: sessionId,
    status: 'completed',
    title: 'Фотосессия',
    starsSpent: 2,
    error: null,
    code: null,
  });
  expect(session.images).toEqual(
    [0, 1, 2, 3, 4].map((position) => ({
      id: expect.any(String),
      url: `/media/results/${sessionId}/${position}/image`,
      previewUrl: `/media/results/${sessionId}/${position}/poster`,
      isWatermarked: true,
      position,
      width: 150 + position,
      height: 200,
    })),
  );
  // Frames that were shown early stay as they were.
  expect(session.images).toEqual(expect.arrayContaining(early));
  const { images } = (await call(user, { url: '/api/gallery' })).json();
  expect(images.map(({ title }: { title: string }) => title).sort()).toEqual(
    [1, 2, 3, 4, 5].map((frame) => `photo, Фотосессия 1, кадр ${frame}`),
  );
});

test('the engine is asked for five frames of the photo', async () => {
  const user = await readyUser();
  const answer = await send(user, URL, [['imageId', user.imageId]]);
  const { sessionId } = answer.json();
  expect((await harness.orderOf('photosession', sessionId)).positions).toEqual([0, 1, 2, 3, 4]);
  expect(await countTraces(user)).toEqual({ photos: 1, generations: 1, holds: 1 });
});

test.each([
  { frames: [0, 1, 2, 3], spent: 2 },
  { frames: [0, 2, 4], spent: 2 },
  { frames: [0, 1], spent: 1 },
  { frames: [3], spent: 1 },
])('of fewer than five frames all are kept, and $frames.length cost $spent', async ({ frames, spent }) => {
  const user = await registerVerified(harness.testApp);
  const sessionId = await startSession(user);
  harness.letEngineHandIn(frames);
  await waitForStatus(user, sessionId, 'completed');
  expect(await framesOf(user, sessionId)).toEqual(frames);
  expect((await sessionOf(user, sessionId)).starsSpent).toBe(spent);
  expect(await balanceOf(user)).toBe(2 - spent);
});

test('a session without a single frame has failed and both stars return', async () => {
  const user = await registerVerified(harness.testApp);
  const sessionId = await startSession(user);
  harness.letEngineHandIn([]);
  await waitForStatus(user, sessionId, 'failed');
  expect(await sessionOf(user, sessionId)).toMatchObject({ code: 'engine_error', starsSpent: 0, images: [] });
  expect(await balanceOf(user)).toBe(2);
});

test('frames that are no pictures or were not ordered are left out', async () => {
  const user = await registerVerified(harness.testApp);
  const rubbish = path.join(harness.testApp.database.dataDir, 'rubbish.jpg');
  await writeFile(rubbish, 'this is no picture');
  const sessionId = await startSession(user);
  harness.letEngineShow([0, 1]);
  await waitForFrames(user, sessionId, [0, 1]);
  harness.testApp.engine.behave({
    say: 'completed',
    outputs: [2, 7].map((position) => ({ path: rubbish, contentType: 'image/jpeg', position })),
  });
  await waitForStatus(user, sessionId, 'completed');
  expect(await framesOf(user, sessionId)).toEqual([0, 1]);
  expect((await sessionOf(user, sessionId)).starsSpent).toBe(1);
});

test('an early frame that is no picture is examined once, and again at the end', async () => {
  const user = await registerVerified(harness.testApp);
  const file = path.join(harness.testApp.database.dataDir, 'late.jpg');
  await writeFile(file, 'this is no picture yet');
  const logged = vi.spyOn(harness.testApp.app.log, 'error');
  const examined = () => logged.mock.calls.filter(([, text]) => text === 'unusable result').length;
  const sessionId = await startSession(user);
  const { jobs } = harness.testApp.engine;
  const polls = () => jobs.get(`fake-${sessionId}`)?.polls ?? 0;
  const outputs = [{ path: file, contentType: 'image/jpeg' as const, position: 2 }];
  harness.testApp.engine.behave({ say: 'running', outputs });
  await waitUntil(async () => expect(examined()).toBe(1));
  const before = polls();
  await waitUntil(async () => expect(polls()).toBeGreaterThan(before + 3));
  expect(examined()).toBe(1);
  logged.mockRestore();

  await writeFile(file, await drawJpeg(300, 400));
  harness.testApp.engine.behave({ say: 'completed', outputs });
  await waitForStatus(user, sessionId, 'completed');
  expect(await framesOf(user, sessionId)).toEqual([2]);
});

test('an engine that fails half-way leaves the frames that are ready, at their price', async () => {
  const user = await registerVerified(harness.testApp);
  const sessionId = await startSession(user);
  harness.letEngineShow([0, 1]);
  await waitForFrames(user, sessionId, [0, 1]);
  harness.testApp.engine.behave({
    say: 'failed',
    failure: { code: 'engine_error', detail: 'out of memory', shouldRetry: false },
  });
  await waitForStatus(user, sessionId, 'completed');
  expect(await framesOf(user, sessionId)).toEqual([0, 1]);
  expect(await balanceOf(user)).toBe(1);
});

test('a session that is cancelled half-way keeps its frames, costs what they cost and says so', async () => {
  const user = await registerVerified(harness.testApp);
  const sessionId = await startSession(user);
  harness.letEngineShow([0]);
  await waitForFrames(user, sessionId, [0]);
  const answer = await call(user, { method: 'POST', url: `/api/generations/${sessionId}/cancel` });
  expect(answer.json()).toEqual({ outcome: 'cancelled', message: expect.stringContaining('1 звезда возвращена') });
  expect(await sessionOf(user, sessionId)).toMatchObject({ status: 'completed', starsSpent: 1 });
  expect(await balanceOf(user)).toBe(1);
});

test('after 30 minutes the stars return; frames that come later are kept free of charge', async () => {
  const user = await registerVerified(harness.testApp);
  const sessionId = await startSession(user);
  await waitForStatus(user, sessionId, 'generating');
  await harness.testApp.app.db.generation.update({
    where: { id: sessionId },
    data: { createdAt: new Date(Date.now() - GENERATION_TIMEOUT_MS - 1000) },
  });
  await failOverdueGenerations(harness.testApp.app);
  expect(await sessionOf(user, sessionId)).toMatchObject({ status: 'failed', code: 'timed_out', starsSpent: 0 });
  harness.letEngineHandIn([0, 1, 2, 3, 4]);
  await waitForStatus(user, sessionId, 'completed');
  expect(await framesOf(user, sessionId)).toHaveLength(5);
  expect(await balanceOf(user)).toBe(2);
});

test('a start needs a photo', async () => {
  const user = await registerVerified(harness.testApp);
  await expectRefusal(send(user, URL, []), 400, 'photo_missing');
  await expectRefusal(send(user, URL, [['imageId', 'nonsense']]), 404, 'photo_not_found');
  await expectRefusal(send(user, URL, [['userImage', harness.photoPart]]), 400, 'photo_missing');
  const text = { content: Buffer.from('GIF89a'), name: 'photo.gif', type: 'image/gif' };
  await expectRefusal(send(user, URL, [['image', text]]), 415, 'photo_format_refused');
  expect(await countTraces(user)).toEqual({ photos: 0, generations: 0, holds: 0 });
});

test('sessions are listed newest first, as many as asked for', async () => {
  const user = await registerVerified(harness.testApp);
  await createPayment(harness.testApp.app.db, user.account.id);
  harness.letEngineHandIn([0, 1]);
  const first = await startSession(user);
  await waitForStatus(user, first, 'completed');
  await harness.testApp.app.db.account.update({
    where: { id: user.account.id },
    data: { starBalance: { increment: 2 } },
  });
  harness.testApp.engine.behave({ say: 'running' });
  const second = await startSession(user);
  const all = listPhotosessions.answer.parse((await call(user, { url: '/api/photosessions' })).json());
  expect(all.sessions.map(({ id, status }) => ({ id, status }))).toEqual([
    { id: second, status: 'processing' },
    { id: first, status: 'completed' },
  ]);
  const stranger = await registerVerified(harness.testApp);
  expect((await call(stranger, { url: '/api/photosessions' })).json()).toEqual({ sessions: [] });
  const newest = (await call(user, { url: '/api/photosessions?limit=1' })).json();
  expect(newest.sessions.map(({ id }: { id: string }) => id)).toEqual([second]);
  expect((await call(user, { url: '/api/photosessions?limit=0' })).statusCode).toBe(400);
  expect((await sessionOf(user, first)).images[0].isWatermarked).toBe(false);
  const active = (await call(user, { url: '/api/active-generations' })).json().activeGenerations;
  expect(active).toMatchObject([{ id: second, kind: 'photosession', settings: {} }]);
});
