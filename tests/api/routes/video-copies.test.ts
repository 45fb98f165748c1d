import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { StorageFullError, StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { WorkProcessError } from '#api/platform/work-processes/work-process-error.ts';
import { makeVideoCopy } from '#api/services/generations/results/video-copies.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { createPayment, createVideoResult } from '#tests/support/factories.ts';
import { endPauses, finishJobs } from '#tests/support/finish-jobs.ts';
import { readZip } from '#tests/support/read-zip.ts';
import { useToolHarness } from '#tests/support/tool-harness.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

const harness = useToolHarness();
const { call, finishVideo, readyUser } = harness;
afterEach(() => vi.restoreAllMocks());

const app = () => harness.testApp.app;
const finishCopies = () => finishJobs(harness.testApp.database.pool, ['make-video-copy']);
const play = (user: Pick<TestUser, 'cookie'>, id: string, headers = {}) =>
  call(user, { url: `/api/video-proxy/${id}`, headers });
const prepare = (user: TestUser, id: string) => call(user, { method: 'POST', url: `/api/videos/${id}/prepare` });
const resultOf = (generationId: string) => app().db.result.findFirstOrThrow({ where: { generationId } });
const orderOf = async (generationId: string) =>
  app().db.videoCopyOrder.findUnique({ where: { resultId: (await resultOf(generationId)).id } });

/** A person with a video whose copy was never asked for. */
async function newVideo(): Promise<{ user: TestUser; id: string }> {
  const user = await registerVerified(harness.testApp);
  return { user, id: (await createVideoResult(app(), user.account.id)).generationId };
}

test('a video is booked without its copy, and the first to play it has the copy made', async () => {
  const addWatermark = vi.spyOn(app().videoEncoder, 'addWatermark');
  const user = await readyUser();
  const id = await finishVideo(user);
  expect(await resultOf(id)).toMatchObject({ watermarkedKey: null, watermarkedBytes: null });
  expect(addWatermark).not.toHaveBeenCalled();

  const early = await play(user, id);
  expect([early.statusCode, early.json()]).toMatchObject([
    409,
    { code: 'video_preparing', message: ERRORS.video_preparing.message, retryAfter: 1 },
  ]);
  expect(early.headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' });
  await finishCopies();
  const late = await play(user, id);
  const { watermarkedKey, watermarkedBytes, bytes } = await resultOf(id);
  expect([late.statusCode, late.rawPayload.length]).toEqual([200, watermarkedBytes]);
  expect(watermarkedBytes).toBe(await app().storage.findSize(watermarkedKey ?? ''));
  expect(watermarkedBytes).not.toBe(bytes);
  expect(await orderOf(id)).toBeNull();
});

test('HEAD, ranges, the whole file and the analysis wait for the copy, too', async () => {
  const { user, id } = await newVideo();
  const ask = async () => [
    (await call(user, { method: 'HEAD', url: `/api/video-proxy/${id}` })).statusCode,
    (await play(user, id, { range: 'bytes=0-9' })).statusCode,
    (await call(user, { url: `/api/video-proxy-full/${id}` })).statusCode,
    (await call(user, { url: `/api/analyze-video/${id}` })).statusCode,
  ];
  expect(await ask()).toEqual([409, 409, 409, 409]);
  await finishCopies();
  expect(await ask()).toEqual([200, 206, 200, 200]);
});

test('however many ask at once, the copy is made once', async () => {
  const { user, id } = await newVideo();
  // A copy that an earlier test has ordered would be counted.
  await finishCopies();
  const addWatermark = vi.spyOn(app().videoEncoder, 'addWatermark');
  const answers = await Promise.all(Array.from({ length: 6 }, () => play(user, id)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(409));
  await finishCopies();
  expect((await play(user, id)).statusCode).toBe(200);
  expect(addWatermark).toHaveBeenCalledTimes(1);
});

test('a copy of which the storage has only a half is made again, and never shown', async () => {
  const { user, id } = await newVideo();
  await play(user, id);
  await finishCopies();
  const { watermarkedKey } = await resultOf(id);
  const whole = await app().storage.read(watermarkedKey ?? '');
  await app().storage.put(watermarkedKey ?? '', whole.subarray(0, whole.length / 2), 'video/mp4');
  expect((await play(user, id)).json().code).toBe('video_preparing');
  await finishCopies();
  // Two encodings of one video may differ by some bytes.
  const { watermarkedBytes } = await resultOf(id);
  expect(watermarkedBytes).toBeGreaterThan(0.9 * whole.length);
  expect((await play(user, id)).rawPayload).toHaveLength(watermarkedBytes ?? 0);
});

test('a payment shows the original at once, while the copy is still made', async () => {
  const { user, id } = await newVideo();
  expect((await play(user, id)).statusCode).toBe(409);
  await createPayment(app().db, user.account.id);
  const { statusCode, rawPayload } = await play(user, id);
  expect([statusCode, rawPayload.length]).toEqual([200, (await resultOf(id)).bytes]);
  expect((await prepare(user, id)).json()).toEqual({ isReady: true });
});

test('a copy that cannot be made is said to have failed, and is made when its owner asks again', async () => {
  const { user, id } = await newVideo();
  // A copy that an earlier test has ordered would be counted.
  await finishCopies();
  const addWatermark = vi.spyOn(app().videoEncoder, 'addWatermark').mockRejectedValue(new Error('the encoder fails'));
  expect((await play(user, id)).statusCode).toBe(409);
  await vi.waitFor(async () => expect((await orderOf(id))?.failedAt).not.toBeNull(), 60_000);
  expect(addWatermark).toHaveBeenCalledTimes(3);
  const failed = await play(user, id);
  expect([failed.statusCode, failed.json()]).toMatchObject([503, { code: 'video_copy_failed', retryAfter: 60 }]);
  addWatermark.mockRestore();
  // Only the owner's wish orders it again so soon.
  expect((await play(user, id)).statusCode).toBe(503);
  expect((await prepare(user, id)).json()).toEqual({ isReady: false });
  await finishCopies();
  expect((await prepare(user, id)).json()).toEqual({ isReady: true });
  expect((await play(user, id)).statusCode).toBe(200);
});

test('a copy that failed a while ago is ordered again by whoever plays the video', async () => {
  const { user, id } = await newVideo();
  const { id: resultId } = await resultOf(id);
  await app().db.videoCopyOrder.create({
    data: { resultId, attempts: 3, failedAt: new Date(Date.now() - 61_000), orderedAt: new Date(Date.now() - 90_000) },
  });
  expect((await play(user, id)).statusCode).toBe(409);
  await finishCopies();
  expect((await play(user, id)).statusCode).toBe(200);
});

test('an order whose job was lost is given again', async () => {
  const { user, id } = await newVideo();
  const { id: resultId } = await resultOf(id);
  await app().db.videoCopyOrder.create({ data: { resultId, orderedAt: new Date(Date.now() - 10 * 60_000) } });
  const waiting = await play(user, id);
  expect([waiting.statusCode, waiting.json().retryAfter]).toEqual([409, 30]);
  await finishCopies();
  expect((await play(user, id)).statusCode).toBe(409);
  await app().db.videoCopyOrder.update({
    where: { resultId },
    data: { orderedAt: new Date(Date.now() - 31 * 60_000) },
  });
  expect((await play(user, id)).statusCode).toBe(409);
  await finishCopies();
  expect((await play(user, id)).statusCode).toBe(200);
});

test('a worker that stops while it makes a copy leaves all attempts to the next one', async () => {
  const { id } = await newVideo();
  const { id: resultId } = await resultOf(id);
  await app().db.videoCopyOrder.create({ data: { resultId } });
  const stop = new AbortController();
  vi.spyOn(app().videoEncoder, 'addWatermark').mockImplementationOnce(async ({ signal }) => {
    stop.abort(new Error('the process stops'));
    signal?.throwIfAborted();
  });
  await expect(makeVideoCopy(app(), resultId, stop.signal)).rejects.toThrow('the process stops');
  expect(await orderOf(id)).toMatchObject({ attempts: 0, failedAt: null });
  await makeVideoCopy(app(), resultId, new AbortController().signal);
  expect((await resultOf(id)).watermarkedKey).not.toBeNull();
});

test('while no storage works the player waits, the log says why, and the copy is made as soon as one works', async () => {
  const { user, id } = await newVideo();
  const { pool } = harness.testApp.database;
  const away = new StorageUnavailableError(new Error('nobody answers'));
  const open = vi.spyOn(app().storage, 'open').mockRejectedValue(away);
  expect((await play(user, id)).statusCode).toBe(409);
  const findSize = vi.spyOn(app().storage, 'findSize').mockRejectedValue(away);
  await vi.waitFor(async () => {
    await endPauses(pool, 'make-video-copy');
    expect(open.mock.calls.length + findSize.mock.calls.length).toBeGreaterThan(4);
  }, 60_000);
  const waiting = await play(user, id);
  expect([waiting.statusCode, waiting.json().code]).toEqual([409, 'video_preparing']);
  const warning = { job: 'make-video-copy', err: expect.objectContaining({ type: 'StorageUnavailableError' }) };
  expect(harness.logLines.map((line) => JSON.parse(line))).toContainEqual(expect.objectContaining(warning));
  open.mockRestore();
  findSize.mockRestore();
  await vi.waitFor(async () => {
    await endPauses(pool, 'make-video-copy');
    expect((await play(user, id)).statusCode).toBe(200);
  }, 60_000);
});

const FAULTS = [
  new StorageUnavailableError(new Error('nobody answers')),
  new StorageFullError(new Error('no space')),
  new WorkProcessError('ffmpeg was killed'),
];
test.each(FAULTS)('a fault of the machine costs no attempt ($name)', async (fault) => {
  const { id } = await newVideo();
  const { id: resultId } = await resultOf(id);
  await app().db.videoCopyOrder.create({ data: { resultId, attempts: 2 } });
  vi.spyOn(app().videoEncoder, 'addWatermark').mockRejectedValue(fault);
  await expect(makeVideoCopy(app(), resultId, new AbortController().signal)).rejects.toThrow(fault);
  expect(await orderOf(id)).toMatchObject({ attempts: 2, failedAt: null });
});

test('a copy is given up when no storage has worked until its order is nearly over', async () => {
  const { user, id } = await newVideo();
  const { id: resultId } = await resultOf(id);
  await app().db.videoCopyOrder.create({ data: { resultId, orderedAt: new Date(Date.now() - 24 * 60_000) } });
  const fault = new StorageUnavailableError(new Error('nobody answers'));
  vi.spyOn(app().videoEncoder, 'addWatermark').mockRejectedValue(fault);
  const run = () => makeVideoCopy(app(), resultId, new AbortController().signal);
  await expect(run()).rejects.toThrow(fault);
  await app().db.videoCopyOrder.update({
    where: { resultId },
    data: { orderedAt: new Date(Date.now() - 25 * 60_000) },
  });
  await run();
  expect((await play(user, id)).json().code).toBe('video_copy_failed');
  const told = harness.logLines.map((line) => JSON.parse(line)).find((line) => line.resultId === resultId);
  expect(told).toMatchObject({ level: 'error', err: { type: 'StorageUnavailableError' } });
});

test('a video that kills its worker every time is given up', async () => {
  const { id } = await newVideo();
  const { id: resultId } = await resultOf(id);
  const addWatermark = vi.spyOn(app().videoEncoder, 'addWatermark');
  await app().db.videoCopyOrder.create({ data: { resultId, attempts: 3 } });
  await makeVideoCopy(app(), resultId, new AbortController().signal);
  expect((await orderOf(id))?.failedAt).not.toBeNull();
  expect(addWatermark).not.toHaveBeenCalled();
});

test('a video that is removed while its copy is made leaves no file behind', async () => {
  const { user, id } = await newVideo();
  const { id: resultId } = await resultOf(id);
  await app().db.videoCopyOrder.create({ data: { resultId } });
  const { videoEncoder } = app();
  const addWatermark = videoEncoder.addWatermark.bind(videoEncoder);
  vi.spyOn(videoEncoder, 'addWatermark').mockImplementationOnce(async (request) => {
    await app().db.result.delete({ where: { id: resultId } });
    await addWatermark(request);
  });
  await makeVideoCopy(app(), resultId, new AbortController().signal);
  const copies: string[] = [];
  for await (const { key } of app().storage.list(`results/${user.account.id}/`)) {
    if (key.includes('watermarked')) copies.push(key);
  }
  expect(copies).toEqual([]);
});

test('the data of an account wait for a copy that was never made, and leave out one that cannot be made', async () => {
  const { user, id } = await newVideo();
  const failing = (await createVideoResult(app(), user.account.id)).generationId;
  const { id: resultId } = await resultOf(failing);
  await app().db.videoCopyOrder.create({ data: { resultId, attempts: 3, failedAt: new Date() } });
  const answer = await call(user, { url: '/api/account/export' });
  const files = await readZip(answer.rawPayload);
  const { watermarkedKey } = await resultOf(id);
  const copy = await buffer(await app().storage.open(watermarkedKey ?? ''));
  expect(files.get(`results/${id}-1.mp4`)).toEqual(copy);
  expect(files.has(`results/${failing}-1.mp4`)).toBe(false);
});

test('the list tells the size of the copy once it is made, and until then that of the original', async () => {
  const { user, id } = await newVideo();
  const { bytes } = await resultOf(id);
  const findSize = vi.spyOn(app().storage, 'findSize');
  const listed = async () => (await call(user, { url: '/api/videos' })).json().videos[0].bytes;
  expect(await listed()).toBe(bytes);
  expect(findSize).not.toHaveBeenCalled();
  await play(user, id);
  await finishCopies();
  findSize.mockClear();
  expect(await listed()).toBe((await resultOf(id)).watermarkedBytes);
  expect(findSize).not.toHaveBeenCalled();
});

test('pages of the owner are told when the copy is there', async () => {
  const { user, id } = await newVideo();
  const heard: unknown[] = [];
  const stop = await app().accountEvents.listen((accountEvent) => heard.push(accountEvent));
  await play(user, id);
  await finishCopies();
  const accountEvent = { accountId: user.account.id, event: 'generation', id, kind: 'video' };
  await vi.waitFor(() => expect(heard).toContainEqual(accountEvent), 60_000);
  await stop();
});
