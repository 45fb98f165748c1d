import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { recordedBytes, watermarkedThumbnailKey } from '#api/services/generations/results/result-files.ts';
import { TOOL_TABLE } from '#api/services/generations/tools/tool-table.ts';
import { listPhotoFiles } from '#api/services/photos/photo-files.ts';
import type { Photo, Result } from '#prisma/generated/client.ts';
import { drawTestVideo } from '#tests/fixtures/draw-test-video.ts';
import { drawTransparent } from '#tests/fixtures/draw-transparent-photo.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import {
  createGeneration,
  createImageResult,
  createPayment,
  createVideoResult,
  keepPhoto,
} from '#tests/support/factories.ts';
import { startFakeS3 } from '#tests/support/fake-s3.ts';
import { readZip } from '#tests/support/read-zip.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

const s3 = await startFakeS3();
afterAll(() => s3.close());

describe.each([
  { name: 'disk', env: {} },
  { name: 's3', env: s3.env },
])('a file that is cut to half in the storage $name', ({ env }) => {
  const testApp = useTestApp({ env });

  const call = (user: TestUser, url: string, payload?: object) =>
    testApp.server.inject({ method: payload ? 'POST' : 'GET', url, headers: { cookie: user.cookie }, payload });

  /** Returns the size that it had. */
  async function cut(key: string | null): Promise<number> {
    if (key === null) throw new Error('there is no file');
    const whole = await testApp.app.storage.read(key);
    await testApp.app.storage.put(key, whole.subarray(0, whole.length / 2), 'application/octet-stream');
    return whole.length;
  }

  async function upload({ account }: TestUser): Promise<Photo> {
    const content = await drawTransparent('shoe', { width: 400, height: 400 }).png().toBuffer();
    return keepPhoto(testApp.app, account.id, content);
  }

  const place = ({ generationId, position }: Result) => `/media/results/${generationId}/${position}`;
  const find = ({ id }: Result) => testApp.app.db.result.findUniqueOrThrow({ where: { id } });

  /** The picture comes whole, and is whole in the storage again. */
  async function expectWhole(user: TestUser, url: string, findKey: () => Promise<string | null>): Promise<void> {
    const answer = await call(user, url);
    expect([url, answer.statusCode]).toEqual([url, 200]);
    await sharp(answer.rawPayload, { failOn: 'truncated' }).raw().toBuffer();
    expect(await testApp.app.storage.findSize((await findKey()) ?? '')).toBe(answer.rawPayload.length);
  }

  test.each(['preview', 'thumbnail'] as const)('is made again when it is the %s of a photo', async (size) => {
    const user = await registerVerified(testApp);
    const photo = await upload(user);
    await cut(photo[`${size}Key`]);
    await expectWhole(user, `/media/photos/${photo.id}/${size}`, async () => photo[`${size}Key`]);
  });

  test('is made again when it is a preview or a thumbnail of a result, of a picture or a video', async () => {
    const { app } = testApp;
    const user = await registerVerified(testApp);
    await createPayment(app.db, user.account.id);
    for (const result of [
      await createImageResult(app, user.account.id),
      await createVideoResult(app, user.account.id),
    ]) {
      for (const [size, key] of [
        ['poster', result.posterKey],
        ['thumbnail', result.thumbnailKey],
      ] as const) {
        await cut(key);
        await expectWhole(user, `${place(result)}/${size}`, async () => key);
      }
    }
  });

  test('is made again when it carries the logo', async () => {
    const user = await registerVerified(testApp);
    const result = await createImageResult(testApp.app, user.account.id);
    for (const [size, findKey] of [
      ['image', async () => (await find(result)).watermarkedKey],
      ['poster', async () => (await find(result)).watermarkedPosterKey],
      ['thumbnail', async () => watermarkedThumbnailKey(result.thumbnailKey)],
    ] as const) {
      await call(user, `${place(result)}/${size}`);
      await cut(await findKey());
      await expectWhole(user, `${place(result)}/${size}`, findKey);
    }
  });

  test.each(['masterKey', 'maskKey'] as const)(
    'makes nothing and is in no export when it is the %s of a photo',
    async (name) => {
      const user = await registerVerified(testApp);
      const photo = await upload(user);
      const stored = listPhotoFiles(photo).find(({ key }) => key === photo[name]);
      await cut(photo[name]);
      const start = await call(user, '/api/generate', { imageId: photo.id });
      expect([start.statusCode, start.json().code]).toEqual([410, 'file_lost']);
      const files = await readZip((await call(user, '/api/account/export')).rawPayload);
      const half = Math.floor((stored?.bytes ?? 0) / 2);
      expect([...files.values()].filter(({ length }) => length === half)).toEqual([]);
    },
  );

  test('is lost when it is the original of a result, of a picture or a video', async () => {
    const { app } = testApp;
    const user = await registerVerified(testApp);
    await createPayment(app.db, user.account.id);
    const picture = await createImageResult(app, user.account.id);
    const video = await createVideoResult(app, user.account.id);
    for (const [{ originalKey }, url] of [
      [picture, `${place(picture)}/image`],
      [video, `/api/video-proxy/${video.generationId}`],
    ] as const) {
      await cut(originalKey);
      const answer = await call(user, url);
      expect([answer.statusCode, answer.json().code]).toEqual([410, 'result_lost']);
    }
  });

  test('is known by its size, because every file of a photo and of a result is written down with it', async () => {
    const { app } = testApp;
    const user = await registerVerified(testApp);
    const accountId = user.account.id;
    const photo = await upload(user);
    expect(listPhotoFiles(photo)).toHaveLength(4);
    for (const { key, bytes } of listPhotoFiles(photo))
      expect([key, bytes]).toEqual([key, await app.storage.findSize(key)]);

    const book = async (kind: 'photosession' | 'video') => {
      const id = await createGeneration(app, accountId, kind);
      return app.db.generation.findUniqueOrThrow({ where: { id } });
    };
    const pictured = await book('photosession');
    const jpeg = await drawJpeg(300, 400);
    const picture = { position: 0, contentType: 'image/jpeg', open: async () => Readable.from([jpeg]) } as const;
    const filmed = await book('video');
    const { content } = await drawTestVideo();
    const film = { position: 0, contentType: 'video/mp4', open: async () => Readable.from([content]) } as const;
    for (const [{ id: generationId, kind }, made, count] of [
      [pictured, await TOOL_TABLE.photosession.store.keep(app, pictured, picture), 6],
      [filmed, await TOOL_TABLE.video.store.keep(app, filmed, film), 3],
    ] as const) {
      const result = await app.db.result.create({
        data: {
          ...made,
          photoName: 'Фото',
          number: 1,
          accountId,
          generationId,
          kind,
          startedAt: new Date(),
          made: kind,
        },
      });
      const seen: [string, number | undefined, number][] = [];
      for await (const { key, bytes } of app.storage.list(`results/${accountId}/${generationId}/`)) {
        seen.push([key, recordedBytes(result, key), bytes]);
      }
      expect(seen).toHaveLength(count);
      for (const [key, recorded, bytes] of seen) expect([key, recorded]).toEqual([key, bytes]);
    }
  });
});
