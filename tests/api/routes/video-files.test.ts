import { expect, test } from 'vitest';
import { createPayment, makeCopyOf } from '#tests/support/factories.ts';
import { useToolHarness } from '#tests/support/tool-harness.ts';

const harness = useToolHarness();
const { call, finishVideo, readyUser } = harness;

test('a free owner is served the copy with the logo and cannot get the original; a payment unlocks it at once', async () => {
  const user = await readyUser();
  const videoId = await finishVideo(user);
  const result = await makeCopyOf(harness.testApp.app, videoId);
  const free = await call(user, { url: `/api/video-proxy/${videoId}` });
  expect(result.watermarkedKey).not.toBeNull();
  expect(free.rawPayload.length).toBe(await harness.testApp.app.storage.findSize(result.watermarkedKey as string));
  const access = (await call(user, { url: `/api/videos/${videoId}/download-access` })).json();
  expect(access).toEqual({
    canDownload: false,
    downloadUrl: null,
    upgradeMessage: 'Скачивание оригиналов доступно только платным пользователям',
    premiumStatus: { hasSuccessfulTransactions: false, transactionCount: 0 },
  });
  const refused = await call(user, { url: `/api/video-proxy/${videoId}?download=1` });
  expect(refused.statusCode).toBe(402);
  expect(refused.json()).toMatchObject({ code: 'premium_required', upgradeMessage: expect.any(String) });

  const listedBytes = async () => (await call(user, { url: '/api/videos' })).json().videos[0].bytes;
  expect(await listedBytes()).toBe(free.rawPayload.length);

  await createPayment(harness.testApp.app.db, user.account.id);
  expect(await listedBytes()).toBe(result.bytes);
  const unlocked = (await call(user, { url: `/api/videos/${videoId}/download-access` })).json();
  expect(unlocked).toMatchObject({ canDownload: true, premiumStatus: { transactionCount: 1 } });
  const original = await call(user, { url: unlocked.downloadUrl });
  expect(original.rawPayload.length).toBe(result.bytes);
  expect(original.headers['content-disposition']).toMatch(/^attachment/);
});

test('a video is called by its photo, its tool and its number', async () => {
  const user = await readyUser();
  await createPayment(harness.testApp.app.db, user.account.id);
  const videoId = await finishVideo(user, { preset: 'walk' });
  const { videos } = (await call(user, { url: '/api/videos' })).json();
  expect(videos).toEqual([expect.objectContaining({ title: 'photo, Видео 1' })]);
  const { headers } = await call(user, { url: `/api/video-proxy/${videoId}?download=1` });
  expect(decodeURIComponent(String(headers['content-disposition']))).toContain(`UTF-8''photo_Видео_1.mp4`);
});

test('a video is served with ranges and to HEAD; the full variant ignores ranges', async () => {
  const user = await readyUser();
  const videoId = await finishVideo(user);
  await makeCopyOf(harness.testApp.app, videoId);
  const head = await call(user, { method: 'HEAD', url: `/api/video-proxy/${videoId}` });
  expect(head.statusCode).toBe(200);
  expect(head.rawPayload.length).toBe(0);
  const size = Number(head.headers['content-length']);
  const part = await call(user, { url: `/api/video-proxy/${videoId}`, headers: { range: 'bytes=10-19' } });
  expect(part.statusCode).toBe(206);
  expect(part.headers['content-range']).toBe(`bytes 10-19/${size}`);
  expect(part.rawPayload.length).toBe(10);
  const whole = await call(user, { url: `/api/video-proxy-full/${videoId}`, headers: { range: 'bytes=10-19' } });
  expect(whole.statusCode).toBe(200);
  expect(whole.rawPayload.length).toBe(size);
});
