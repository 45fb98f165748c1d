import { beforeAll, describe, expect, test } from 'vitest';
import { createPayment, makeCopyOf } from '#tests/support/factories.ts';
import { type UserWithPhoto, useToolHarness } from '#tests/support/tool-harness.ts';

const harness = useToolHarness();
const { balanceOf, call, finishVideo, letEngineFinish, readyUser, start, stateOf, waitForStatus } = harness;

test('a photo becomes a video that can be followed, retrieved, listed and played', async () => {
  const user = await readyUser();
  letEngineFinish({ afterPolls: 3 });
  const started = await start(user, user.imageId, { duration: 5 });
  expect(started.statusCode).toBe(200);
  const { generationId, videoId } = started.json();
  expect(videoId).toEqual(expect.any(String));
  expect(await balanceOf(user)).toBe(1);

  await waitForStatus(user, generationId, 'completed');
  expect(await stateOf(user, generationId)).toEqual({
    status: 'completed',
    videoUrl: `/api/video-proxy/${videoId}`,
    videoId,
    error: null,
    message: null,
    code: null,
    progress: {
      share: 1,
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
      expectedSeconds: null,
      isRemote: false,
    },
  });
  const retrieved = (await call(user, { url: `/api/retrieve-video?generationId=${generationId}` })).json();
  expect(retrieved).toMatchObject({ status: 'completed', videoId, videoUrl: `/api/video-proxy/${videoId}` });
  expect(retrieved.duration).toBeCloseTo(1, 1);

  const { videos } = (await call(user, { url: '/api/videos' })).json();
  expect(videos).toEqual([
    {
      id: videoId,
      url: `/api/video-proxy/${videoId}`,
      videoUrl: `/api/video-proxy/${videoId}`,
      videoId,
      generationId,
      title: 'photo, Видео 1',
      isRenamed: false,
      fileName: 'photo_Видео_1.mp4',
      product: null,
      photoName: 'photo',
      number: 1,
      position: 0,
      status: 'completed',
      createdAt: expect.any(String),
      error: null,
      thumbnail: expect.stringMatching(/^\/media\//),
      posterUrl: expect.stringMatching(/^\/media\//),
      duration: expect.closeTo(1, 1),
      width: 180,
      height: 240,
      bytes: expect.any(Number),
      hasDrifted: false,
    },
  ]);
  const thumbnail = await call(user, { url: videos[0].thumbnail });
  expect(thumbnail.headers['content-type']).toBe('image/webp');
  await createPayment(harness.testApp.app.db, user.account.id);
  const bytes = await call(user, { url: `/api/video-proxy/${videoId}` });
  expect(bytes.headers['content-type']).toBe('video/mp4');
  expect(bytes.rawPayload.subarray(4, 8).toString('latin1')).toBe('ftyp');
  expect(videos[0].bytes).toBe(bytes.rawPayload.length);
  expect(await balanceOf(user)).toBe(1);
});

test('an active generation is listed with its settings until it ends', async () => {
  const user = await readyUser();
  const { generationId } = (await start(user, user.imageId, { duration: '10', preset: 'walk' })).json();
  const { activeGenerations } = (await call(user, { url: '/api/active-generations' })).json();
  expect(activeGenerations).toEqual([
    {
      id: generationId,
      generationId,
      kind: 'video',
      made: 'video',
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
      photo: expect.objectContaining({ id: user.imageId, name: 'photo.jpg', width: 300, height: 400 }),
      progress: {
        share: expect.toBeOneOf([null, 0.5]),
        startedAt: expect.any(String),
        finishedAt: null,
        expectedSeconds: expect.toBeOneOf([null, expect.any(Number)]),
        isRemote: false,
      },
    },
  ]);
  expect(await balanceOf(user)).toBe(0);
});

test('an analysis tells what the file really is', async () => {
  const user = await readyUser();
  const videoId = await finishVideo(user);
  await makeCopyOf(harness.testApp.app, videoId);
  expect((await call(user, { url: `/api/analyze-video/${videoId}` })).json()).toEqual({
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

test('the engine gets the motion whose text equals the prompt', async () => {
  const user = await readyUser();
  const { generationId } = (await start(user, user.imageId, { prompt: 'An orbiting shot of a boot' })).json();
  expect(await harness.orderOf('video', generationId)).toMatchObject({
    preset: 'shoe',
    category: 'обувь',
    durationSeconds: 5,
    cfgScale: 0.5,
    aspectRatio: '3:4',
  });
});

describe('settings that do not fit', () => {
  let user: UserWithPhoto;
  beforeAll(async () => {
    user = await readyUser();
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
    { prompt: 'x'.repeat(501) },
    { negativePrompt: 'x'.repeat(501) },
    { negativePrompt: 5 },
  ])('are refused before anything is charged: %j', async (settings) => {
    await harness.expectRefusal(start(user, user.imageId, settings), 400, 'invalid_request');
    expect(await balanceOf(user)).toBe(2);
  });
});
