import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { getModelChangeStatus } from '#shared/contract/model-changes.ts';
import { drawTransparent } from '#tests/fixtures/draw-transparent-photo.ts';
import { createPayment } from '#tests/support/factories.ts';
import { useToolHarness } from '#tests/support/tool-harness.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

const harness = useToolHarness();
const { balanceOf, call, countTraces, expectRefusal, modelChangeOf, orderOf, readyUser, send, waitForStatus } = harness;

const MODEL = '/attached_assets/woman/w5.webp';
const BACKGROUND = '/backgrounds/concrete.webp';
const PREMIUM = '/backgrounds/luxury.webp';
const URL = '/api/change-model';

interface Choice {
  modelImageUrl?: string;
  backgroundImageUrl?: string;
}

function start(user: Pick<TestUser, 'cookie'>, choice: Choice = {}, headers = {}) {
  return send(
    user,
    URL,
    [
      ['userImage', harness.photoPart],
      ['modelImageUrl', choice.modelImageUrl ?? MODEL],
      ['backgroundImageUrl', choice.backgroundImageUrl ?? BACKGROUND],
    ],
    headers,
  );
}

test('a change of model starts queued, costs a star and ends with a picture', async () => {
  const user = await registerVerified(harness.testApp);
  const started = await start(user);
  expect(started.statusCode).toBe(200);
  const { request_id: requestId } = started.json();
  expect(started.json()).toEqual({
    status: 'QUEUED',
    request_id: expect.any(String),
    result_url: null,
    stars_spent: 1,
    current_star_balance: 1,
  });
  harness.letEngineHandIn([0]);
  await waitForStatus(user, requestId, 'completed');
  const state = await modelChangeOf(user, requestId);
  expect(getModelChangeStatus.answer.parse(state)).toMatchObject({
    result_url: `/media/results/${requestId}/0/image`,
    has_watermark: true,
    is_optimized: false,
    stars_spent: 1,
    current_star_balance: 1,
    error: null,
    code: null,
    model_id: 'w5',
    background_id: 'concrete',
    is_model_replaced: true,
    image_id: expect.any(String),
  });
  expect((await call(user, { url: state.original_url })).headers['content-type']).toBe('image/webp');
  const result = await harness.testApp.app.db.result.findFirstOrThrow({ where: { generationId: requestId } });
  const name = { title: null, photoName: 'photo', number: 1 };
  expect(result).toMatchObject({ ...name, kind: 'model_change', accountId: user.account.id });
});

test('the engine is given the photo, the model and the background as files', async () => {
  const user = await registerVerified(harness.testApp);
  const { request_id: requestId } = (await start(user)).json();
  const order = await orderOf('model_change', requestId);
  if (!order.model || !order.background) throw new Error('not the order that was placed');
  const sizeOf = async (open: () => Promise<Readable>) => {
    const { width, height } = await sharp(await buffer(await open())).metadata();
    return `${width}x${height}`;
  };
  expect(order.model.id).toBe('w5');
  expect(order.background.id).toBe('concrete');
  expect(await sizeOf(order.photos.subject)).toBe('300x400');
  expect(await sizeOf(order.model.openImage)).toBe('600x800');
  expect(await sizeOf(order.background.openImage)).toBe('1080x1440');
});

test('the engine is given the transparency that the file had, and the photo on white', async () => {
  const user = await registerVerified(harness.testApp);
  const content = await drawTransparent('shoe', { width: 400, height: 400 }).png().toBuffer();
  const answer = await send(user, URL, [
    ['userImage', { content, name: 'shoe.png', type: 'image/png' }],
    ['modelImageUrl', MODEL],
    ['backgroundImageUrl', BACKGROUND],
  ]);
  const { request_id: requestId } = answer.json();
  const order = await orderOf('model_change', requestId);
  if (!order.subjectMask) throw new Error('the mask is missing');
  const cornerOf = async (open: () => Promise<Readable>) => [
    ...(await sharp(await buffer(await open()))
      .extract({ left: 0, top: 0, width: 1, height: 1 })
      .raw()
      .toBuffer()),
  ];
  expect(await cornerOf(order.photos.subject)).toEqual([255, 255, 255]);
  expect(await cornerOf(order.subjectMask)).toEqual([0, 0, 0]);
});

test('the parts of the form may come in any order, and absolute addresses of ours count', async () => {
  const user = await registerVerified(harness.testApp);
  const { publicUrl } = harness.testApp.app.config;
  const answer = await send(user, URL, [
    ['modelImageUrl', `${publicUrl}/attached_assets/man/m2.avif`],
    ['userImage', harness.photoPart],
    ['backgroundImageUrl', `${publicUrl}${BACKGROUND}`],
  ]);
  expect(answer.statusCode).toBe(200);
  expect(await modelChangeOf(user, answer.json().request_id)).toMatchObject({ model_id: 'm2' });
});

test('a photo that is on the server already is used by its id', async () => {
  const user = await readyUser();
  const answer = await send(user, URL, [
    ['imageId', user.imageId],
    ['modelImageUrl', MODEL],
  ]);
  expect(answer.statusCode).toBe(200);
  expect(await modelChangeOf(user, answer.json().request_id)).toMatchObject({
    original_url: `/media/photos/${user.imageId}/preview`,
    background_id: 'keep_original',
  });
  expect(await countTraces(user)).toEqual({ photos: 1, generations: 1, holds: 1 });
});

test('a free owner gets copies with the logo beside the original; a paid one needs none', async () => {
  const [free, paid] = await Promise.all([registerVerified(harness.testApp), registerVerified(harness.testApp)]);
  await createPayment(harness.testApp.app.db, paid.account.id);
  await harness.letEngineHandInFullSize();
  for (const user of [free, paid]) {
    const { request_id: requestId } = (await start(user)).json();
    await waitForStatus(user, requestId, 'completed');
    const result = await harness.testApp.app.db.result.findFirstOrThrow({ where: { generationId: requestId } });
    expect(result.contentType).toBe('image/jpeg');
    expect(await modelChangeOf(user, requestId)).toMatchObject({ has_watermark: user === free });
    const { storage } = harness.testApp.app;
    const read = async (key: string) => buffer(await storage.open(key));
    const original = await read(result.originalKey);
    expect(original.length).toBe(result.bytes);
    expect(await sharp(await read(result.posterKey)).metadata()).toMatchObject({ format: 'webp', height: 1080 });
    expect(await sharp(await read(result.thumbnailKey)).metadata()).toMatchObject({ format: 'webp', height: 320 });
    if (user === paid) {
      expect(result).toMatchObject({ watermarkedKey: null, watermarkedPosterKey: null });
      continue;
    }
    const marked = await read(result.watermarkedKey ?? '');
    expect(await sharp(marked).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 1600 });
    expect(await meanDifference(original, marked)).toBeGreaterThan(1);
    const markedPreview = await read(result.watermarkedPosterKey ?? '');
    expect(await sharp(markedPreview).metadata()).toMatchObject({ format: 'webp', height: 1080 });
  }
});

async function meanDifference(one: Buffer, other: Buffer): Promise<number> {
  const { channels } = await sharp(one)
    .composite([{ input: other, blend: 'difference' }])
    .toBuffer()
    .then((picture) => sharp(picture).stats());
  return channels.reduce((sum, { mean }) => sum + mean, 0);
}

describe('anything outside the catalogue is refused, and nothing is stored or charged', () => {
  let user: TestUser;
  beforeAll(async () => {
    user = await registerVerified(harness.testApp);
  });

  test.each([
    ['/attached_assets/woman/w99.webp', BACKGROUND],
    ['/attached_assets/woman/w5.jpg', BACKGROUND],
    ['/attached_assets/woman/../woman/w5.webp', BACKGROUND],
    ['/attached_assets/woman/w5.webp?x=1', BACKGROUND],
    ['/attached_assets/woman/w5.webp#x', BACKGROUND],
    ['//attached_assets/woman/w5.webp', BACKGROUND],
    ['https://example.com/attached_assets/woman/w5.webp', BACKGROUND],
    ['http://localhost:3000@example.com/attached_assets/woman/w5.webp', BACKGROUND],
    ['file:///attached_assets/woman/w5.webp', BACKGROUND],
    ['data:image/webp;base64,AAAA', BACKGROUND],
    [BACKGROUND, BACKGROUND],
    [MODEL, MODEL],
    [MODEL, '/backgrounds/unknown.webp'],
    [MODEL, 'null'],
    [MODEL, 'https://example.com/backgrounds/concrete.webp'],
    [MODEL, 'file:///etc/hostname'],
    [MODEL, 'data:text/plain,x'],
  ])('model %s, background %s', async (modelImageUrl, backgroundImageUrl) => {
    await expectRefusal(start(user, { modelImageUrl, backgroundImageUrl }), 400, 'catalogue_entry_unknown');
    expect(await countTraces(user)).toEqual({ photos: 0, generations: 0, holds: 0 });
    expect(await balanceOf(user)).toBe(2);
  });

  test('no connection is made to an address of another server', async () => {
    let connections = 0;
    const listener = createServer((_request, response) => response.end()).on('connection', () => connections++);
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as AddressInfo;
    try {
      for (const host of ['127.0.0.1', 'localhost', '0x7f000001']) {
        const url = `http://${host}:${port}`;
        await expectRefusal(start(user, { modelImageUrl: `${url}${MODEL}` }), 400, 'catalogue_entry_unknown');
        await expectRefusal(start(user, { backgroundImageUrl: `${url}${BACKGROUND}` }), 400, 'catalogue_entry_unknown');
      }
      expect(connections).toBe(0);
    } finally {
      await new Promise((resolve) => listener.close(resolve));
    }
  });

  test('a form without a model, with too long an address or without a photo, and a body that is no form', async () => {
    const photo = ['userImage', harness.photoPart] as ['userImage', typeof harness.photoPart];
    const missing = await expectRefusal(send(user, URL, [photo]), 400, 'invalid_request');
    expect(missing.fields).toHaveProperty('modelImageUrl');
    for (const length of [501, 5000]) {
      await expectRefusal(start(user, { modelImageUrl: '/'.repeat(length) }), 400, 'invalid_request');
    }
    await expectRefusal(send(user, URL, [['modelImageUrl', MODEL]]), 400, 'photo_missing');
    await expectRefusal(
      send(user, URL, [
        ['modelImageUrl', MODEL],
        ['userImage', { content: Buffer.alloc(0), name: '' }],
      ]),
      400,
      'photo_missing',
    );
    await expectRefusal(send(user, URL, [photo, ['modelImageUrl', MODEL], photo]), 400, 'invalid_request');
    await expectRefusal(
      call(user, { method: 'POST', url: URL, payload: { modelImageUrl: MODEL } }),
      400,
      'photo_missing',
    );
    expect(await countTraces(user)).toEqual({ photos: 0, generations: 0, holds: 0 });
  });

  test('a file that is no picture', async () => {
    const answer = send(user, URL, [
      ['userImage', { content: Buffer.from('no picture'), name: 'photo.jpg', type: 'image/jpeg' }],
      ['modelImageUrl', MODEL],
    ]);
    await expectRefusal(answer, 415, 'photo_not_image');
    expect(await countTraces(user)).toEqual({ photos: 0, generations: 0, holds: 0 });
  });
});

test('a premium background is for paid accounts', async () => {
  const user = await registerVerified(harness.testApp);
  await expectRefusal(start(user, { backgroundImageUrl: PREMIUM }), 403, 'premium_background');
  expect(await countTraces(user)).toEqual({ photos: 0, generations: 0, holds: 0 });
  await createPayment(harness.testApp.app.db, user.account.id);
  expect((await start(user, { backgroundImageUrl: PREMIUM })).statusCode).toBe(200);
});

test('the same Idempotency-Key with the same file is one request, whose photo is kept once', async () => {
  const user = await registerVerified(harness.testApp);
  const headers = { 'idempotency-key': 'click-1' };
  const answers = await Promise.all(Array.from({ length: 6 }, () => start(user, {}, headers)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200));
  expect(new Set(answers.map((answer) => answer.json().request_id)).size).toBe(1);
  expect(await countTraces(user)).toEqual({ photos: 1, generations: 1, holds: 1 });
  await expectRefusal(
    start(user, { modelImageUrl: '/attached_assets/man/m1.webp' }, headers),
    409,
    'idempotency_key_reused',
  );
});
