import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImageResult, createPayment, createVideoResult } from '#tests/support/factories.ts';
import { type FakeS3, startFakeS3 } from '#tests/support/fake-s3.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

let s3: FakeS3;
let testApp: TestApp;
let paid: TestUser;
let free: TestUser;
beforeAll(async () => {
  s3 = await startFakeS3();
  testApp = await createTestApp({ env: s3.env });
  [paid, free] = [await registerVerified(testApp), await registerVerified(testApp)];
  await createPayment(testApp.app.db, paid.account.id);
});
afterAll(async () => {
  await testApp.close();
  await s3.close();
});

/** As a browser asks; `dest` says what for. */
const get = (url: string, user: TestUser, dest: string | null, method: 'GET' | 'HEAD' = 'GET') =>
  testApp.server.inject({
    method,
    url,
    headers: { cookie: user.cookie, ...(dest === null ? {} : { 'sec-fetch-dest': dest }) },
  });

test('a picture in full size of an owner who has paid is a link to S3 that a browser follows', async () => {
  const image = await createImageResult(testApp.app, paid.account.id);
  const answer = await get(`/media/results/${image.generationId}/0/image`, paid, 'image');
  expect(answer.statusCode).toBe(302);
  expect(answer.headers['cache-control']).toBe('private, no-store');
  expect(answer.rawPayload).toHaveLength(0);
  const link = new URL(String(answer.headers.location));
  expect([link.origin, link.searchParams.get('X-Amz-Expires')]).toEqual([s3.endpoint, '60']);
  const followed = await fetch(link);
  expect(followed.headers.get('content-type')).toBe('image/jpeg');
  expect(Buffer.from(await followed.arrayBuffer())).toEqual(s3.objects.get(image.originalKey)?.content);
});

test('a download that is opened as a page is a link with the name of the file', async () => {
  const video = await createVideoResult(testApp.app, paid.account.id);
  await testApp.app.db.result.updateMany({ where: { id: video.id }, data: { title: 'Платье_Дефиле' } });
  const url = `/api/video-proxy/${video.generationId}?download=1`;
  const answer = await get(url, paid, 'document');
  expect(answer.statusCode).toBe(302);
  const { headers } = await fetch(String(answer.headers.location));
  expect(headers.get('content-type')).toBe('video/mp4');
  const name = encodeURIComponent('Платье_Дефиле.mp4');
  expect(headers.get('content-disposition')).toMatch(
    new RegExp(`^attachment; filename="[\\w.]+"; filename\\*=UTF-8''${name}$`),
  );
});

test.each([
  ['the player, which asks again long after a link has expired', 'video'],
  ['a page of its own, whose player does the same', 'document'],
  ['a script, which would need CORS', 'empty'],
  ['a program that says nothing about itself', null],
])('%s gets the bytes from us', async (_who, dest) => {
  const video = await createVideoResult(testApp.app, paid.account.id);
  const answer = await get(`/api/video-proxy/${video.generationId}`, paid, dest);
  expect(answer.statusCode).toBe(200);
  expect(answer.rawPayload).toEqual(s3.objects.get(video.originalKey)?.content);
  const head = await get(`/api/video-proxy/${video.generationId}`, paid, 'document', 'HEAD');
  expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(answer.rawPayload.length)]);
});

test('an owner who has not paid gets the copy with the logo from us, and a link once they have paid', async () => {
  const { app } = testApp;
  const image = await createImageResult(app, free.account.id);
  const url = `/media/results/${image.generationId}/0/image`;
  const marked = await get(url, free, 'image');
  const { watermarkedKey } = await app.db.result.findUniqueOrThrow({ where: { id: image.id } });
  expect(marked.statusCode).toBe(200);
  expect(marked.rawPayload).toEqual(s3.objects.get(watermarkedKey ?? '')?.content);
  await createPayment(app.db, free.account.id);
  expect((await get(url, free, 'image')).statusCode).toBe(302);
});

test('nobody else gets a link, and small pictures, which the worker of the page keeps, are none', async () => {
  const image = await createImageResult(testApp.app, paid.account.id);
  const address = `/media/results/${image.generationId}/0`;
  const stranger = await registerVerified(testApp);
  expect((await get(`${address}/image`, stranger, 'image')).statusCode).toBe(403);
  expect((await get(`${address}/image`, { ...paid, cookie: '' }, 'image')).statusCode).toBe(401);
  for (const kind of ['poster', 'thumbnail']) {
    const answer = await get(`${address}/${kind}`, paid, 'image');
    expect([kind, answer.statusCode, answer.headers['content-type']]).toEqual([kind, 200, 'image/webp']);
  }
});

test('download-image sends the bytes itself', async () => {
  const image = await createImageResult(testApp.app, paid.account.id);
  const answer = await testApp.server.inject({
    method: 'POST',
    url: '/api/download-image',
    payload: { imageId: image.id },
    headers: { cookie: paid.cookie, 'sec-fetch-dest': 'document' },
  });
  expect(answer.statusCode).toBe(200);
  expect(answer.rawPayload).toEqual(s3.objects.get(image.originalKey)?.content);
});
