import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startJobs } from '#api/jobs/start-jobs.ts';
import { failOverdueGenerations } from '#api/services/overdue-generations.ts';
import { GENERATION_TIMEOUT_MS } from '#shared/rules/generation-lifecycle.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { encodeTestVideo } from '#tests/fixtures/encode-test-video.ts';
import { createPayment } from '#tests/support/factories.ts';
import { encodeFileForm } from '#tests/support/forms.ts';
import { type Person, registerUnverified, registerVerified } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let testApp: TestApp;
let videoFile: string;
let photo: Buffer;

beforeAll(async () => {
  testApp = await createTestApp();
  await startJobs(testApp.app);
  videoFile = path.join(testApp.database.dataDir, 'engine-video.mp4');
  await encodeTestVideo(testApp.app.videoEncoder, videoFile);
  photo = await drawProductPhoto('garment', { width: 600, height: 800 });
});
afterAll(() => testApp.close());
beforeEach(() => testApp.engine.behave({ say: 'running' }));

interface Call {
  method?: 'GET' | 'POST' | 'HEAD';
  url: string;
  payload?: object;
  headers?: Record<string, string>;
}

function call(person: Pick<Person, 'cookie'>, { method = 'GET', url, payload, headers = {} }: Call) {
  return testApp.server.inject({
    method,
    url,
    headers: { cookie: person.cookie, ...headers },
    ...(payload ? { payload } : {}),
  });
}

async function upload(person: Person): Promise<string> {
  const form = await encodeFileForm('image', { content: photo, name: 'photo.jpg', type: 'image/jpeg' });
  const response = await call(person, {
    method: 'POST',
    url: '/api/upload',
    payload: form.body,
    headers: form.headers,
  });
  expect(response.statusCode).toBe(200);
  return response.json().id;
}

async function readyPerson(): Promise<Person & { imageId: string }> {
  const person = await registerVerified(testApp);
  return { ...person, imageId: await upload(person) };
}

function start(person: Pick<Person, 'cookie'>, imageId: string, settings: object = {}, headers = {}) {
  return call(person, { method: 'POST', url: '/api/generate', payload: { imageId, settings }, headers });
}

async function balanceOf(person: Person): Promise<number> {
  return (await call(person, { url: '/api/stars/balance' })).json().balance;
}

async function stateOf(person: Person, generationId: string) {
  return (await call(person, { url: `/api/status?generationId=${generationId}` })).json();
}

async function finishVideo(person: Person & { imageId: string }): Promise<string> {
  testApp.engine.behave({ say: 'completed', outputs: [{ path: videoFile, contentType: 'video/mp4' }] });
  const { generationId } = (await start(person, person.imageId)).json();
  await vi.waitFor(async () => expect((await stateOf(person, generationId)).status).toBe('completed'), 20_000);
  return generationId;
}

test('a photo becomes a video that can be followed, retrieved, listed and played', async () => {
  const person = await readyPerson();
  testApp.engine.behave({
    say: 'completed',
    outputs: [{ path: videoFile, contentType: 'video/mp4' }],
    afterPolls: 3,
  });
  const started = await start(person, person.imageId, { duration: 5 });
  expect(started.statusCode).toBe(200);
  const { generationId, videoId } = started.json();
  expect(videoId).toEqual(expect.any(String));
  expect(await balanceOf(person)).toBe(1);

  await vi.waitFor(async () => expect((await stateOf(person, generationId)).status).toBe('completed'), 20_000);
  expect(await stateOf(person, generationId)).toEqual({
    status: 'completed',
    videoUrl: `/api/video-proxy/${videoId}`,
    videoId,
    error: null,
    message: null,
    code: null,
    progress: { share: 1, startedAt: expect.any(String), expectedSeconds: null },
  });
  const retrieved = (await call(person, { url: `/api/retrieve-video?generationId=${generationId}` })).json();
  expect(retrieved).toMatchObject({ status: 'completed', videoId, videoUrl: `/api/video-proxy/${videoId}` });
  expect(retrieved.duration).toBeCloseTo(1, 1);

  const { videos } = (await call(person, { url: '/api/videos' })).json();
  expect(videos).toEqual([
    {
      id: videoId,
      url: `/api/video-proxy/${videoId}`,
      videoUrl: `/api/video-proxy/${videoId}`,
      videoId,
      generationId,
      status: 'completed',
      createdAt: expect.any(String),
      error: null,
      thumbnail: expect.stringMatching(/^\/media\//),
      posterUrl: expect.stringMatching(/^\/media\//),
      duration: expect.closeTo(1, 1),
    },
  ]);
  const thumbnail = await call(person, { url: videos[0].thumbnail });
  expect(thumbnail.headers['content-type']).toBe('image/webp');
  const bytes = await call(person, { url: `/api/video-proxy/${videoId}` });
  expect(bytes.headers['content-type']).toBe('video/mp4');
  expect(bytes.rawPayload.subarray(4, 8).toString('latin1')).toBe('ftyp');
  expect(await balanceOf(person)).toBe(1);
});

test('an active generation is listed with its settings until it ends', async () => {
  const person = await readyPerson();
  const { generationId } = (await start(person, person.imageId, { duration: '10', preset: 'walk' })).json();
  const { activeGenerations, engine } = (await call(person, { url: '/api/active-generations' })).json();
  expect(activeGenerations).toEqual([
    {
      id: generationId,
      generationId,
      kind: 'video',
      status: expect.stringMatching(/^(pending|processing|generating)$/),
      createdAt: expect.any(String),
      settings: {
        negativePrompt: 'blurry, distorted, text, logos, hands',
        duration: 10,
        cfgScale: 0.5,
        aspectRatio: '3:4',
        preset: 'walk',
      },
      thumbnailUrl: expect.stringMatching(/^\/media\/photos\//),
      progress: { share: expect.toBeOneOf([null, 0.5]), startedAt: expect.any(String), expectedSeconds: null },
    },
  ]);
  expect(engine.isGenerative).toBe(true);
  expect(await balanceOf(person)).toBe(0);
});

test('the engine is given the motion whose literal the prompt equals', async () => {
  const person = await readyPerson();
  const { generationId } = (await start(person, person.imageId, { prompt: 'An orbiting shot of a boot' })).json();
  await vi.waitFor(() => expect(testApp.engine.jobs.get(`fake-${generationId}`)).toBeDefined());
  expect(testApp.engine.jobs.get(`fake-${generationId}`)?.order).toMatchObject({
    preset: 'shoe',
    category: 'обувь',
    durationSeconds: 5,
    cfgScale: 0.5,
    aspectRatio: '3:4',
  });
});

test.each([
  { duration: 7 },
  { duration: '5.5' },
  { duration: null },
  { cfgScale: Number.NaN },
  { cfgScale: 1.1 },
  { cfgScale: '0.5' },
  { preset: 'fly' },
  { aspectRatio: '16:9' },
  { prompt: 'x'.repeat(2001) },
  { negativePrompt: 5 },
])('settings that do not fit are refused before anything is charged: %j', async (settings) => {
  const person = await readyPersonOnce();
  const response = await start(person, person.imageId, settings);
  expect(response.statusCode).toBe(400);
  expect(response.json()).toMatchObject({ code: 'invalid_request', message: expect.stringMatching(/[а-яё]/i) });
  expect(await balanceOf(person)).toBe(2);
});

let shared: Promise<Person & { imageId: string }> | undefined;
function readyPersonOnce() {
  shared ??= readyPerson();
  return shared;
}

test.each([undefined, '', 'not-a-uuid', '00000000-0000-7000-8000-000000000000', 5])(
  'an image that is not there is refused: %j',
  async (imageId) => {
    const person = await readyPersonOnce();
    const response = await start(person, imageId as string);
    expect([400, 404]).toContain(response.statusCode);
    expect(await balanceOf(person)).toBe(2);
  },
);

test("another person's image cannot be used", async () => {
  const [owner, stranger] = await Promise.all([readyPerson(), registerVerified(testApp)]);
  const response = await start(stranger, owner.imageId);
  expect(response.statusCode).toBe(404);
  expect(response.json()).toMatchObject({ code: 'photo_not_found', message: 'Изображение не найдено' });
});

test('a start needs a signed-in person with a confirmed e-mail, in this order', async () => {
  const person = await readyPersonOnce();
  expect((await start({ cookie: '' }, 'x', { duration: 7 })).statusCode).toBe(401);
  const unverified = await registerUnverified(testApp);
  const refused = await start(unverified, person.imageId, { duration: 7 });
  expect(refused.statusCode).toBe(403);
  expect(refused.json().code).toBe('email_not_verified');
});

test('a second generation is refused while one is active, with the id of the running one', async () => {
  const person = await readyPerson();
  const { generationId } = (await start(person, person.imageId)).json();
  const second = await start(person, person.imageId);
  expect(second.statusCode).toBe(409);
  expect(second.json()).toMatchObject({ code: 'active_generation', generationId });
  expect(second.json().message).toContain('активная генерация');
  expect(await balanceOf(person)).toBe(1);
});

test('without a star left a start answers 402 and charges nothing', async () => {
  const person = await readyPerson();
  testApp.engine.behave({ say: 'completed', outputs: [{ path: videoFile, contentType: 'video/mp4' }] });
  const { generationId } = (await start(person, person.imageId, { duration: 10 })).json();
  await vi.waitFor(async () => expect((await stateOf(person, generationId)).status).toBe('completed'), 20_000);
  const response = await start(person, person.imageId);
  expect(response.statusCode).toBe(402);
  expect(response.json()).toMatchObject({ code: 'not_enough_stars', message: 'Недостаточно звезд' });
  expect(await balanceOf(person)).toBe(0);
});

test('of 100 parallel starts with one star exactly one is accepted, with one job and one hold', async () => {
  const person = await readyPerson();
  // One of the two gift stars is spent first.
  await finishVideo(person);
  testApp.engine.behave({ say: 'running' });
  const responses = await Promise.all(Array.from({ length: 100 }, () => start(person, person.imageId)));
  const codes = responses.map((response) => response.statusCode);
  expect(codes.filter((code) => code === 200)).toHaveLength(1);
  expect(codes.filter((code) => code !== 200).every((code) => code === 402 || code === 409)).toBe(true);
  const generationId = responses.find((response) => response.statusCode === 200)?.json().generationId;
  const holds = await testApp.app.db.starEntry.findMany({
    where: { accountId: person.account.id, kind: 'hold', generationId },
  });
  expect(holds).toHaveLength(1);
  const { rows } = await testApp.database.pool.query(
    `select count(*)::int as jobs from pgboss.job where name = 'run-generation' and data->>'generationId' = $1`,
    [generationId],
  );
  expect(rows[0].jobs).toBe(1);
  expect(await balanceOf(person)).toBe(0);
  expect(await testApp.app.db.generation.count({ where: { accountId: person.account.id } })).toBe(2);
});

test('the same Idempotency-Key starts one generation however often it is sent', async () => {
  const person = await readyPerson();
  const headers = { 'idempotency-key': 'click-1' };
  const responses = await Promise.all(Array.from({ length: 10 }, () => start(person, person.imageId, {}, headers)));
  expect(new Set(responses.map((response) => response.json().generationId)).size).toBe(1);
  expect(responses.every((response) => response.statusCode === 200)).toBe(true);
  expect(await balanceOf(person)).toBe(1);
  const other = await start(person, person.imageId, { duration: 10 }, headers);
  expect(other.statusCode).toBe(409);
  expect(other.json().code).toBe('idempotency_key_reused');
});

test('a failed generation gives the star back and says why', async () => {
  const person = await readyPerson();
  testApp.engine.behave({
    say: 'failed',
    failure: { code: 'photo_unsuitable', detail: 'no subject', shouldRetry: false },
  });
  const { generationId } = (await start(person, person.imageId)).json();
  await vi.waitFor(async () => expect((await stateOf(person, generationId)).status).toBe('failed'));
  const state = await stateOf(person, generationId);
  expect(state).toMatchObject({ code: 'photo_unsuitable', videoUrl: null });
  expect(state.error).toMatch(/фото/);
  expect(await balanceOf(person)).toBe(2);
});

test('a failure that may pass is tried again without charging again', async () => {
  const person = await readyPerson();
  testApp.engine.behave({ say: 'failed', failure: { code: 'engine_error', detail: 'overload', shouldRetry: true } });
  const { generationId } = (await start(person, person.imageId)).json();
  await vi.waitFor(() => expect(testApp.engine.jobs.get(`fake-${generationId}`)?.starts).toBeGreaterThan(1));
  testApp.engine.behave({ say: 'completed', outputs: [{ path: videoFile, contentType: 'video/mp4' }] });
  await vi.waitFor(
    async () => expect(['completed', 'failed']).toContain((await stateOf(person, generationId)).status),
    20_000,
  );
  const { status } = await stateOf(person, generationId);
  expect(await balanceOf(person)).toBe(status === 'completed' ? 1 : 2);
});

test('an engine that forgot the job is given the order again', async () => {
  const person = await readyPerson();
  testApp.engine.behave({ say: 'unknown' });
  const { generationId } = (await start(person, person.imageId)).json();
  await vi.waitFor(() => expect(testApp.engine.jobs.get(`fake-${generationId}`)?.starts).toBeGreaterThan(1));
});

test('a file that is not a video fails the generation and gives the star back', async () => {
  const person = await readyPerson();
  const rubbish = path.join(testApp.database.dataDir, 'rubbish.mp4');
  await writeFile(rubbish, 'this is no video');
  testApp.engine.behave({ say: 'completed', outputs: [{ path: rubbish, contentType: 'video/mp4' }] });
  const { generationId } = (await start(person, person.imageId)).json();
  await vi.waitFor(async () => expect((await stateOf(person, generationId)).status).toBe('failed'), 20_000);
  expect(await balanceOf(person)).toBe(2);
});

test('the watchdog fails what is older than 30 minutes; a late result is kept free of charge', async () => {
  const person = await readyPerson();
  const { generationId } = (await start(person, person.imageId)).json();
  await vi.waitFor(async () => expect((await stateOf(person, generationId)).status).toBe('generating'));
  await testApp.app.db.generation.update({
    where: { id: generationId },
    data: { createdAt: new Date(Date.now() - GENERATION_TIMEOUT_MS - 1000) },
  });
  await failOverdueGenerations(testApp.app);
  expect(await stateOf(person, generationId)).toMatchObject({ status: 'failed', code: 'timed_out' });
  expect(await balanceOf(person)).toBe(2);

  testApp.engine.behave({ say: 'completed', outputs: [{ path: videoFile, contentType: 'video/mp4' }] });
  await vi.waitFor(async () => expect((await stateOf(person, generationId)).status).toBe('completed'), 20_000);
  expect(await balanceOf(person)).toBe(2);
  expect((await call(person, { url: '/api/videos' })).json().videos).toHaveLength(1);
});

test('a running generation can be cancelled where the engine can stop it, and the star returns', async () => {
  const person = await readyPerson();
  testApp.engine.answerCancel('cancelled');
  const { generationId } = (await start(person, person.imageId)).json();
  await vi.waitFor(async () => expect((await stateOf(person, generationId)).status).toBe('generating'));
  const cancelled = await call(person, { method: 'POST', url: `/api/generations/${generationId}/cancel` });
  expect(cancelled.json()).toMatchObject({ outcome: 'cancelled', message: expect.stringContaining('возвращены') });
  expect(await stateOf(person, generationId)).toMatchObject({ status: 'failed', code: 'cancelled' });
  expect(await balanceOf(person)).toBe(2);
  const again = await call(person, { method: 'POST', url: `/api/generations/${generationId}/cancel` });
  expect(again.statusCode).toBe(409);
});

test('a generation that the engine cannot stop runs on and lands in the list', async () => {
  const person = await readyPerson();
  testApp.engine.answerCancel('runs_on');
  const { generationId } = (await start(person, person.imageId)).json();
  await vi.waitFor(async () => expect((await stateOf(person, generationId)).status).toBe('generating'));
  const answer = await call(person, { method: 'POST', url: `/api/generations/${generationId}/cancel` });
  expect(answer.json().outcome).toBe('runs_on');
  testApp.engine.behave({ say: 'completed', outputs: [{ path: videoFile, contentType: 'video/mp4' }] });
  await vi.waitFor(async () => expect((await stateOf(person, generationId)).status).toBe('completed'), 20_000);
  expect(await balanceOf(person)).toBe(1);
});

test('a free owner is served the copy with the logo and cannot get the original; a payment unlocks it at once', async () => {
  const person = await readyPerson();
  const videoId = await finishVideo(person);
  const result = await testApp.app.db.result.findFirstOrThrow({ where: { generationId: videoId } });
  const free = await call(person, { url: `/api/video-proxy/${videoId}` });
  expect(result.watermarkedKey).not.toBeNull();
  expect(free.rawPayload.length).toBe(await testApp.app.storage.findSize(result.watermarkedKey as string));
  const access = (await call(person, { url: `/api/videos/${videoId}/download-access` })).json();
  expect(access).toEqual({
    canDownload: false,
    downloadUrl: null,
    upgradeMessage: 'Скачивание оригиналов доступно только платным пользователям',
    premiumStatus: { hasSuccessfulTransactions: false, transactionCount: 0 },
  });
  const refused = await call(person, { url: `/api/video-proxy/${videoId}?download=1` });
  expect(refused.statusCode).toBe(402);
  expect(refused.json()).toMatchObject({ code: 'premium_required', upgradeMessage: expect.any(String) });

  await createPayment(testApp.app.db, person.account.id);
  const unlocked = (await call(person, { url: `/api/videos/${videoId}/download-access` })).json();
  expect(unlocked).toMatchObject({ canDownload: true, premiumStatus: { transactionCount: 1 } });
  const original = await call(person, { url: unlocked.downloadUrl });
  expect(original.rawPayload.length).toBe(result.bytes);
  expect(original.headers['content-disposition']).toMatch(/^attachment/);
});

test('a copy that is missing is made once, however many ask at the same time', async () => {
  const person = await readyPerson();
  const videoId = await finishVideo(person);
  await testApp.app.db.result.updateMany({ where: { generationId: videoId }, data: { watermarkedKey: null } });
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => call(person, { url: `/api/video-proxy/${videoId}` })),
  );
  expect(answers.every((answer) => answer.statusCode === 200)).toBe(true);
  const result = await testApp.app.db.result.findFirstOrThrow({ where: { generationId: videoId } });
  expect(result.watermarkedKey).not.toBeNull();
});

test('a video is served with ranges and to HEAD; the full variant ignores ranges', async () => {
  const person = await readyPerson();
  const videoId = await finishVideo(person);
  const head = await call(person, { method: 'HEAD', url: `/api/video-proxy/${videoId}` });
  expect(head.statusCode).toBe(200);
  expect(head.rawPayload.length).toBe(0);
  const size = Number(head.headers['content-length']);
  const part = await call(person, { url: `/api/video-proxy/${videoId}`, headers: { range: 'bytes=10-19' } });
  expect(part.statusCode).toBe(206);
  expect(part.headers['content-range']).toBe(`bytes 10-19/${size}`);
  expect(part.rawPayload.length).toBe(10);
  const whole = await call(person, { url: `/api/video-proxy-full/${videoId}`, headers: { range: 'bytes=10-19' } });
  expect(whole.statusCode).toBe(200);
  expect(whole.rawPayload.length).toBe(size);
});

test("every route with a video's id answers strangers 403 or 404 and visitors 401, without a byte of it", async () => {
  const owner = await readyPerson();
  const videoId = await finishVideo(owner);
  const stranger = await registerVerified(testApp);
  const routes = [
    `/api/status?generationId=${videoId}`,
    `/api/retrieve-video?generationId=${videoId}`,
    `/api/videos/${videoId}/download-access`,
    `/api/video-proxy/${videoId}`,
    `/api/video-proxy-full/${videoId}`,
    `/api/analyze-video/${videoId}`,
    `/media/results/${videoId}/0/poster`,
    `/media/results/${videoId}/0/thumbnail`,
  ];
  for (const url of routes) {
    const foreign = await call(stranger, { url });
    expect([403, 404], url).toContain(foreign.statusCode);
    expect(foreign.json().code).toEqual(expect.any(String));
    expect((await call({ cookie: '' }, { url })).statusCode, url).toBe(401);
  }
  const proxy = await call(stranger, { url: `/api/video-proxy/${videoId}` });
  expect(proxy.json()).toMatchObject({ code: 'video_forbidden', message: 'У вас нет прав на это видео' });
  const cancel = await call(stranger, { method: 'POST', url: `/api/generations/${videoId}/cancel` });
  expect(cancel.statusCode).toBe(404);
});

test('an analysis tells what the file really is', async () => {
  const person = await readyPerson();
  const videoId = await finishVideo(person);
  expect((await call(person, { url: `/api/analyze-video/${videoId}` })).json()).toEqual({
    codec: 'h264',
    pixelFormat: 'yuv420p',
    width: 180,
    height: 240,
    framesPerSecond: 30,
    durationSeconds: expect.closeTo(1, 1),
    bytes: expect.any(Number),
    isFaststart: true,
  });
});
