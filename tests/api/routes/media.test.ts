import { createHash, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Photo, Result } from '#prisma/generated/client.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { createImageResult, createPayment, createVideoResult, keepPhoto } from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { registerUnverified, type TestUser } from '#tests/support/users.ts';

const testApp = useTestApp();
let owner: TestUser;
let stranger: TestUser;
let photo: Photo;
let generationId: string;

beforeAll(async () => {
  owner = await registerUnverified(testApp);
  stranger = await registerUnverified(testApp);
  const { app } = testApp;
  photo = await keepPhoto(app, owner.account.id, await drawJpeg(1200, 1600));
  const result = await createImageResult(app, owner.account.id, { width: 1200, height: 1600 });
  generationId = result.generationId;
});

const get = (
  url: string,
  user: TestUser | null,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
) => testApp.server.inject({ method, url, headers: { ...headers, ...(user ? { cookie: user.cookie } : {}) } });

describe('pictures of a photo', () => {
  test('come to their owner as WebP that this browser may keep, and shows again only after it has asked', async () => {
    const preview = await get(`/media/photos/${photo.id}/preview`, owner);
    expect(preview.statusCode).toBe(200);
    expect(preview.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, no-cache',
      'content-length': String(preview.rawPayload.length),
    });
    expect(await sharp(preview.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 810, height: 1080 });
    const thumbnail = await get(`/media/photos/${photo.id}/thumbnail`, owner);
    expect(await sharp(thumbnail.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 240, height: 320 });
  });

  test('are distinguished by their tags', async () => {
    const tags = await Promise.all(
      ['preview', 'thumbnail'].map(
        async (size) => (await get(`/media/photos/${photo.id}/${size}`, owner)).headers.etag,
      ),
    );
    expect(new Set(tags).size).toBe(2);
    const again = await get(`/media/photos/${photo.id}/preview`, owner, { 'if-none-match': String(tags[0]) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    // The tag gives nobody else access.
    const elsewhere = await get(`/media/photos/${photo.id}/preview`, stranger, { 'if-none-match': String(tags[0]) });
    expect([elsewhere.statusCode, elsewhere.headers.etag]).toEqual([403, undefined]);
  });

  test('HEAD tells their size', async () => {
    const head = await get(`/media/photos/${photo.id}/preview`, owner, {}, 'HEAD');
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(100);
  });
});

const place = (result: Pick<Result, 'generationId' | 'position'>, size: string) =>
  `/media/results/${result.generationId}/${result.position}/${size}`;

/** The share of pixels that differ clearly between two pictures of one size. */
async function compare(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((file) => sharp(file).greyscale().raw().toBuffer()));
  if (!a || !b || a.length !== b.length) return 1;
  let changed = 0;
  for (let at = 0; at < a.length; at++) if (Math.abs((a[at] ?? 0) - (b[at] ?? 0)) > 12) changed++;
  return changed / a.length;
}

async function read(key: string): Promise<Buffer> {
  return buffer(await testApp.app.storage.open(key));
}

describe('pictures of a result', () => {
  test('are full of logos for a free owner, and originals at the same address after a payment', async () => {
    const { app } = testApp;
    const user = await registerUnverified(testApp);
    const result = await createImageResult(app, user.account.id);
    const original = await read(result.originalKey);
    const preview = await read(result.posterKey);

    const free = await get(place(result, 'image'), user);
    expect(free.headers).toMatchObject({ 'content-type': 'image/jpeg', 'cache-control': 'private, no-cache' });
    expect(await sharp(free.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 600, height: 800 });
    expect(await compare(free.rawPayload, original)).toBeGreaterThan(0.03);
    const freePoster = await get(place(result, 'poster'), user);
    expect(freePoster.headers['cache-control']).toBe('private, no-cache');
    expect(await compare(freePoster.rawPayload, preview)).toBeGreaterThan(0.02);
    const thumbnail = await read(result.thumbnailKey);
    const freeThumbnail = await get(place(result, 'thumbnail'), user);
    expect(freeThumbnail.headers['cache-control']).toBe('private, no-cache');
    expect(await compare(freeThumbnail.rawPayload, thumbnail)).toBeGreaterThan(0.02);

    await createPayment(app.db, user.account.id);
    expect((await get(place(result, 'thumbnail'), user)).rawPayload).toEqual(thumbnail);
    const tag = { 'if-none-match': String(free.headers.etag) };
    const paid = await get(place(result, 'image'), user, tag);
    expect(paid.statusCode).toBe(200);
    expect(paid.rawPayload).toEqual(original);
    expect((await get(place(result, 'poster'), user)).rawPayload).toEqual(preview);

    // After a refund the same address gives the copy again, also with the tag of the original.
    await app.db.payment.updateMany({ where: { accountId: user.account.id }, data: { refundedMinor: 49_000 } });
    const again = await get(place(result, 'image'), user, { 'if-none-match': String(paid.headers.etag) });
    expect(again.rawPayload).toEqual(free.rawPayload);
  });

  test('with the logo are made once for parallel requests', async () => {
    const result = await createImageResult(testApp.app, owner.account.id);
    const put = vi.spyOn(testApp.app.storage, 'put');
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => get(place(result, index % 2 ? 'image' : 'poster'), owner)),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200));
    expect(put).toHaveBeenCalledTimes(2);
    put.mockRestore();
    const row = await testApp.app.db.result.findUniqueOrThrow({ where: { id: result.id } });
    expect(await testApp.app.storage.findSize(row.watermarkedKey ?? '')).toBe(answers[1]?.rawPayload.length);
    expect(await testApp.app.storage.findSize(row.watermarkedPosterKey ?? '')).toBe(answers[0]?.rawPayload.length);
  });

  test('of a free owner never become the original by a parameter, a header, a range or a path', async () => {
    const result = await createImageResult(testApp.app, owner.account.id);
    const original = await read(result.originalKey);
    const preview = await read(result.posterKey);
    const thumbnail = await read(result.thumbnailKey);
    const copy = (await get(place(result, 'image'), owner)).rawPayload;
    const originalTag = `"${createHash('sha256')
      .update(`${result.originalKey}:${original.length}`)
      .digest('base64url')
      .slice(0, 22)}"`;
    const address = place(result, 'image');
    const base = `/media/results/${result.generationId}/${result.position}`;
    const tries: [url: string, headers?: Record<string, string>, method?: 'GET' | 'HEAD'][] = [
      [`${address}?download=1`],
      [`${address}?original=true&watermark=0&premium=1`],
      [address, { range: 'bytes=0-' }],
      [address, { range: 'bytes=0-99' }],
      [address, { 'if-none-match': originalTag }],
      [address, { 'if-range': originalTag, range: 'bytes=0-' }],
      [address, { accept: 'image/png, image/avif' }],
      [address, { 'x-original-url': `${base}/original`, 'x-forwarded-for': '127.0.0.1', 'x-premium': '1' }],
      [address, {}, 'HEAD'],
      [`${base}/thumbnail`],
      [`${base}/original`],
      [`${base}/original.jpg`],
      [`${base}/image/original.jpg`],
      [`${base}/image/..%2foriginal.jpg`],
      [`${base}/..%2f0%2foriginal.jpg`],
      [`/media/results/${result.generationId}/0%2foriginal/image`],
      [`/media/${result.originalKey}`],
      [`/files/${result.originalKey}`],
      [`/api/video-proxy/${result.generationId}?download=1`],
      [`/api/video-proxy-full/${result.generationId}`],
      [`/media/results/${result.generationId.toUpperCase()}/00/image`],
    ];
    // 503 is the answer for a page of the interface, which is not built here.
    for (const [url, headers = {}, method] of tries) {
      const answer = await get(url, owner, headers, method);
      expect(Number(answer.headers['content-length']), url).not.toBe(original.length);
      for (const secret of [original, preview, thumbnail]) {
        const sample = secret.subarray(secret.length / 2, secret.length / 2 + 64);
        expect(answer.rawPayload.includes(sample), url).toBe(false);
      }
      if (answer.statusCode === 200 && method !== 'HEAD' && answer.headers['content-type'] === 'image/jpeg') {
        expect(answer.rawPayload.equals(copy), url).toBe(true);
      } else if (url === `${base}/thumbnail`) expect(answer.statusCode).toBe(200);
      else if (method !== 'HEAD') expect([400, 404, 503], url).toContain(answer.statusCode);
    }
  });

  test('the stills of a video are marked too, and a video is not served as a picture', async () => {
    const video = await createVideoResult(testApp.app, owner.account.id);
    const poster = await get(place(video, 'poster'), owner);
    expect(await compare(poster.rawPayload, await read(video.posterKey))).toBeGreaterThan(0.02);
    const thumbnail = await get(place(video, 'thumbnail'), owner);
    expect(await compare(thumbnail.rawPayload, await read(video.thumbnailKey))).toBeGreaterThan(0.02);
    expect((await get(place(video, 'image'), owner)).json()).toMatchObject({ code: 'generation_not_found' });
  });

  test('that is not there, or was deleted, are not found', async () => {
    expect((await get(`/media/results/${generationId}/1/poster`, owner)).json()).toMatchObject({
      code: 'generation_not_found',
    });
    const deleted = await createImageResult(testApp.app, owner.account.id);
    await testApp.app.db.result.update({ where: { id: deleted.id }, data: { deletedAt: new Date() } });
    for (const size of ['image', 'poster', 'thumbnail']) {
      expect((await get(place(deleted, size), owner)).statusCode).toBe(404);
    }
  });
});

test.each([
  [`/media/results/${randomUUID()}/minus/poster`, 400],
  [`/media/photos/${randomUUID()}/master`, 404],
  [`/media/results/%2e%2e/0/image`, 404],
  [`/media/results/${randomUUID()}/0%2f..%2f..%2f..%2fsecrets%2fsession-secret/image`, 400],
  [`/media/results/${randomUUID()}/-1/image`, 400],
  [`/media/results/${randomUUID()}/0/..%2f..%2f..%2f..%2fsecrets%2fsession-secret`, 404],
  ['/media/..%2fsecrets%2fsession-secret', 404],
  ['/media/photos/..%5c..%5csecrets/preview', 404],
  [`/media/photos/${randomUUID()}%00/preview`, 404],
])('%s answers %i', async (url, status) => {
  const response = await get(url, owner);
  expect(response.statusCode).toBe(status);
  expect(response.json().message).toMatch(/[а-я]/);
});
