import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ObjectStorage } from '#api/adapters/storage/object-storage.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getOwnPhoto, openPhotoMaster, presentPhoto, removePhoto } from '#api/services/photos/photos.ts';
import { createLogger } from '#api/telemetry/log.ts';
import { drawTransparent } from '#tests/fixtures/draw-transparent-photo.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { createAccount, keepPhoto } from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const testApp = useTestApp();
let app: AppContext;
let accountId: number;
beforeAll(async () => {
  app = testApp.app;
  accountId = (await createAccount(app)).id;
});

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(app.config.dataDir, folder), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function countEverything() {
  return {
    rows: await app.db.photo.count(),
    files: (await listFiles('files')).length,
    work: (await listFiles('work')).length,
  };
}

const send = (content: Buffer, name?: string) => keepPhoto(app, accountId, content, name);

describe('a photo that is received', () => {
  test('is stored in three sizes with a row of its own', async () => {
    const sent = await drawJpeg(1500, 1000);
    const before = await countEverything();
    const photo = await send(sent, 'Платье.jpg');
    expect(await countEverything()).toEqual({ ...before, rows: before.rows + 1, files: before.files + 3 });
    expect(photo).toMatchObject({
      accountId,
      name: 'Платье.jpg',
      type: 'image/jpeg',
      size: sent.length,
      width: 1500,
      height: 1000,
    });
    const master = await sharp(await buffer(await openPhotoMaster(app, photo))).metadata();
    expect(master).toMatchObject({ format: 'jpeg', width: 1500, height: 1000 });
    expect(presentPhoto(photo, null)).toEqual({
      id: photo.id,
      name: 'Платье.jpg',
      width: 1500,
      height: 1000,
      size: sent.length,
      type: 'image/jpeg',
      product: null,
      guessedArticle: null,
      previewUrl: `/media/photos/${photo.id}/preview`,
      thumbnailUrl: `/media/photos/${photo.id}/thumbnail`,
    });
  });

  test('keeps the transparency of its file beside it, and goes with it', async () => {
    const before = await countEverything();
    const photo = await send(await drawTransparent('shoe', { width: 400, height: 400 }).png().toBuffer(), 'shoe.png');
    expect(await countEverything()).toEqual({ ...before, rows: before.rows + 1, files: before.files + 4 });
    expect(await getOwnPhoto(app.db, accountId, photo.id)).toEqual(photo);
    expect(await app.storage.findSize(photo.maskKey ?? '')).toBeGreaterThan(0);
    await removePhoto(app, photo);
    expect(await countEverything()).toEqual(before);
  });

  test('is decoded with a time limit', async () => {
    const lines: string[] = [];
    const log = createLogger({ isProduction: false, logLevel: 'debug' }, { write: (line) => void lines.push(line) });
    await keepPhoto({ ...app, log }, accountId, await drawJpeg(400, 400));
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ operation: 'decode_photo', ms: expect.any(Number) }),
    );
  });

  test.each([
    ['C:\\Users\\me\\Рабочий стол\\платье.jpg', 'платье.jpg'],
    ['../../etc/passwd', 'passwd'],
    ['a\u0000b\u202Egpj.exe\n', 'abgpj.exe'],
    ['', 'photo'],
    ['folder/', 'photo'],
    ['ё'.repeat(200), 'ё'.repeat(120)],
  ])('its name %j becomes %j', async (name, expected) => {
    expect((await send(await drawJpeg(300, 300), name)).name).toBe(expected);
  });
});

describe('a photo that is not taken leaves nothing behind', () => {
  test('when its row cannot be written', async () => {
    const before = await countEverything();
    const noSuchAccount = 999_999_999;
    await expect(keepPhoto(app, noSuchAccount, await drawJpeg(400, 400))).rejects.toThrow();
    expect(await countEverything()).toEqual({ ...before, work: 0 });
  });

  test('when the storage fails half-way', async () => {
    const before = await countEverything();
    const storage = { ...app.storage, put: failOnThumbnail };
    function failOnThumbnail(...file: Parameters<ObjectStorage['put']>): Promise<void> {
      const isThumbnail = file[0].endsWith('thumbnail.webp');
      return isThumbnail ? Promise.reject(new Error('disk full')) : app.storage.put(...file);
    }
    const kept = keepPhoto({ ...app, storage }, accountId, await drawJpeg(400, 400));
    await expect(kept).rejects.toThrow('disk full');
    expect(await countEverything()).toEqual({ ...before, work: 0 });
  });
});

test('a photo is found by its owner only', async () => {
  const photo = await send(await drawJpeg(300, 300));
  const stranger = await createAccount(app);
  expect(await getOwnPhoto(app.db, accountId, photo.id)).toEqual(photo);
  await expect(getOwnPhoto(app.db, stranger.id, photo.id)).rejects.toMatchObject({ code: 'photo_forbidden' });
  for (const id of ['00000000-0000-7000-8000-000000000000', "1' or '1'='1"]) {
    await expect(getOwnPhoto(app.db, accountId, id)).rejects.toMatchObject({ code: 'photo_not_found' });
  }
});
