import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { receivePhoto } from '#api/services/photos.ts';
import type { Photo } from '#prisma/generated/client.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { type Person, registerUnverified } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let testApp: TestApp;
let owner: Person;
let stranger: Person;
let photo: Photo;
let generationId: string;

beforeAll(async () => {
  testApp = await createTestApp();
  owner = await registerUnverified(testApp);
  stranger = await registerUnverified(testApp);
  const { app } = testApp;
  const stream = Readable.from([await drawJpeg(1200, 1600)]);
  photo = await receivePhoto(app, owner.account.id, { stream, name: 'a.jpg' });
  generationId = await createResult();
});
afterAll(() => testApp.close());

async function createResult(): Promise<string> {
  const { app } = testApp;
  const generation = await app.db.generation.create({
    data: {
      accountId: owner.account.id,
      kind: 'video',
      status: 'completed',
      photoId: photo.id,
      settings: {},
      stars: 1,
      requestHash: Buffer.alloc(32),
      engine: 'fake',
    },
  });
  const folder = `results/${owner.account.id}/${generation.id}`;
  const keys = {
    originalKey: `${folder}/original.mp4`,
    posterKey: `${folder}/poster.webp`,
    thumbnailKey: `${folder}/thumbnail.jpg`,
  };
  await app.storage.put(keys.posterKey, Buffer.from('poster'));
  await app.storage.put(keys.thumbnailKey, Buffer.from('thumbnail'));
  await app.db.result.create({
    data: {
      generationId: generation.id,
      position: 0,
      ...keys,
      contentType: 'video/mp4',
      bytes: 1,
      width: 1,
      height: 1,
    },
  });
  return generation.id;
}

const get = (
  url: string,
  person: Person | null,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
) => testApp.server.inject({ method, url, headers: { ...headers, ...(person ? { cookie: person.cookie } : {}) } });

describe('pictures of a photo', () => {
  test('come to their owner as WebP that only this browser may keep', async () => {
    const preview = await get(`/media/photos/${photo.id}/preview`, owner);
    expect(preview.statusCode).toBe(200);
    expect(preview.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=31536000, immutable',
      'content-length': String(preview.rawPayload.length),
    });
    expect(await sharp(preview.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 810, height: 1080 });
    const thumbnail = await get(`/media/photos/${photo.id}/thumbnail`, owner);
    expect(await sharp(thumbnail.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 240, height: 320 });
  });

  test('are told apart and recognised by their tags', async () => {
    const tags = await Promise.all(
      ['preview', 'thumbnail'].map(
        async (size) => (await get(`/media/photos/${photo.id}/${size}`, owner)).headers.etag,
      ),
    );
    expect(new Set(tags).size).toBe(2);
    const again = await get(`/media/photos/${photo.id}/preview`, owner, { 'if-none-match': String(tags[0]) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    // Even with the tag nobody else learns that the photo exists.
    const elsewhere = await get(`/media/photos/${photo.id}/preview`, stranger, { 'if-none-match': String(tags[0]) });
    expect(elsewhere.statusCode).toBe(404);
  });

  test('HEAD tells their size', async () => {
    const head = await get(`/media/photos/${photo.id}/preview`, owner, {}, 'HEAD');
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(100);
  });
});

describe('stills of a result', () => {
  test('come to the owner in the format they are stored in', async () => {
    const poster = await get(`/media/results/${generationId}/0/poster`, owner);
    expect([poster.statusCode, poster.headers['content-type'], poster.body]).toEqual([200, 'image/webp', 'poster']);
    const thumbnail = await get(`/media/results/${generationId}/0/thumbnail`, owner);
    expect([thumbnail.statusCode, thumbnail.headers['content-type'], thumbnail.body]).toEqual([
      200,
      'image/jpeg',
      'thumbnail',
    ]);
  });

  test('of a result that is not there, or whose generation was deleted, are not found', async () => {
    expect((await get(`/media/results/${generationId}/1/poster`, owner)).json()).toMatchObject({
      code: 'generation_not_found',
    });
    const deleted = await createResult();
    await testApp.app.db.generation.update({ where: { id: deleted }, data: { deletedAt: new Date() } });
    expect((await get(`/media/results/${deleted}/0/poster`, owner)).statusCode).toBe(404);
  });
});

test('every picture is closed to visitors and not there for anybody else', async () => {
  const urls = [
    `/media/photos/${photo.id}/preview`,
    `/media/photos/${photo.id}/thumbnail`,
    `/media/results/${generationId}/0/poster`,
    `/media/results/${generationId}/0/thumbnail`,
  ];
  for (const url of urls) {
    const visitor = await get(url, null);
    expect([url, visitor.statusCode, visitor.json().code]).toEqual([url, 401, 'unauthorized']);
    const other = await get(url, stranger);
    expect([url, other.statusCode, other.json().code]).toEqual([url, 404, expect.stringMatching(/_not_found$/)]);
    expect(other.headers['cache-control'] ?? '').not.toContain('immutable');
  }
});

test.each([
  [`/media/photos/${randomUUID()}/preview`, 404],
  ['/media/photos/1/preview', 404],
  ['/media/photos/..%2f..%2fetc/preview', 404],
  [`/media/results/${randomUUID()}/0/poster`, 404],
  ['/media/results/1/0/poster', 404],
  [`/media/results/${randomUUID()}/minus/poster`, 400],
  [`/media/photos/${randomUUID()}/master`, 404],
])('%s answers %i', async (url, status) => {
  const response = await get(url, owner);
  expect(response.statusCode).toBe(status);
  expect(response.json().message).toMatch(/[а-я]/);
});
