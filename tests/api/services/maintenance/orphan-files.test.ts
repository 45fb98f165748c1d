import { randomUUID } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { PROBE_FOLDER, StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { checkStorage } from '#api/commands/doctor/check-storage.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { removeOrphanFiles } from '#api/services/maintenance/orphan-files.ts';
import { listPhotoKeys } from '#api/services/photos/photo-files.ts';
import { drawTransparent } from '#tests/fixtures/draw-transparent-photo.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { asUpload, createAccount, createImageResult, keepPhoto } from '#tests/support/factories.ts';
import { createTestApp } from '#tests/support/test-app.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const testApp = useTestApp();
let app: AppContext;
let accountId: number;
beforeAll(async () => {
  app = testApp.app;
  accountId = (await createAccount(app)).id;
});

async function age(key: string, hours: number): Promise<void> {
  const time = new Date(Date.now() - hours * 3_600_000);
  await utimes(path.join(app.config.dataDir, 'files', key), time, time);
}

async function put(key: string, hours: number): Promise<string> {
  await app.storage.put(key, Buffer.from('file'), 'image/jpeg');
  await age(key, hours);
  return key;
}

const isThere = async (key: string) => (await app.storage.findSize(key)) !== null;

test('files without a row go once they are a day old; those of rows stay', async () => {
  const content = await drawTransparent('shoe', { width: 400, height: 400 }).png().toBuffer();
  const photo = await keepPhoto(app, accountId, content);
  const result = await createImageResult(app, accountId);
  const kept = [...listPhotoKeys(photo), result.originalKey, result.thumbnailKey];
  for (const key of kept) await age(key, 1000);
  const copy = await put(`${result.originalKey}.watermarked.jpg`, 1000);

  const photoFolder = `photos/${accountId}/${randomUUID()}`;
  const orphans = [
    await put(`${photoFolder}/master.jpg`, 25),
    await put(`results/${accountId}/${randomUUID()}/0/original.mp4`, 25),
    // Left by checks of the storage, of the program and of the doctor.
    await put(`${PROBE_FOLDER}${randomUUID()}`, 25),
    await put(`${PROBE_FOLDER}${randomUUID()}/probe.bin`, 25),
    // The second output of a generation that has a row only for its first.
    await put(`results/${accountId}/${result.generationId}/1/original.jpg`, 25),
  ];
  const young = [
    await put(`photos/${accountId}/${randomUUID()}/master.jpg`, 23),
    await put(`results/${accountId}/${randomUUID()}/0/original.mp4`, 23),
  ];
  const foreign = await put(`photos/${accountId}/not-an-id/master.jpg`, 1000);
  await removeOrphanFiles(app);
  for (const key of [...kept, copy, ...young, foreign]) expect([key, await isThere(key)]).toEqual([key, true]);
  for (const key of orphans) expect([key, await isThere(key)]).toEqual([key, false]);
});

test('the file of a doctor that was killed goes as well', async () => {
  const keys: string[] = [];
  const storage: AppContext['storage'] = {
    ...app.storage,
    async put(key, ...file) {
      keys.push(key);
      await app.storage.put(key, ...file);
    },
    remove: () => Promise.reject(new Error('killed')),
  };
  await expect(checkStorage(storage)).rejects.toThrow('killed');
  expect(keys).toHaveLength(1);
  for (const key of keys) await age(key, 25);
  await removeOrphanFiles(app);
  for (const key of keys) expect([key, await isThere(key)]).toEqual([key, false]);
});

test('files of an erased account go, although a row of the books names them', async () => {
  const erased = await createAccount(app);
  const photo = asUpload(await keepPhoto(app, erased.id, await drawJpeg(400, 500)));
  await age(photo.masterKey, 25);
  await app.db.account.update({ where: { id: erased.id }, data: { erasedAt: new Date() } });
  await removeOrphanFiles(app);
  expect(await isThere(photo.masterKey)).toBe(false);
});

test('stops between two files when the process does', async () => {
  const orphan = await put(`photos/${accountId}/${randomUUID()}/master.jpg`, 25);
  await expect(removeOrphanFiles(app, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
  expect(await isThere(orphan)).toBe(true);
});

test('nothing is removed where more than a few files have no row, as in a storage with another installation', async () => {
  const other = await createTestApp();
  const putOld = async (key: string) => {
    await other.app.storage.put(key, Buffer.from('file'), 'image/jpeg');
    const time = new Date(Date.now() - 25 * 3_600_000);
    await utimes(path.join(other.app.config.dataDir, 'files', key), time, time);
  };
  const owner = await createAccount(other.app);
  const ours: string[] = [];
  for (let index = 0; index < 15; index++) {
    const { originalKey, thumbnailKey } = await createImageResult(other.app, owner.id);
    ours.push(originalKey, thumbnailKey);
  }
  const theirs = Array.from({ length: 21 }, () => `photos/${accountId}/${randomUUID()}/master.jpg`);
  for (const key of [...ours, ...theirs]) await putOld(key);
  const refusal = await removeOrphanFiles(other.app).catch((error: unknown) => error);
  const left = await Promise.all(theirs.map((key) => other.app.storage.findSize(key)));
  await other.app.storage.remove(theirs[0] ?? '');
  await removeOrphanFiles(other.app);
  const few = await Promise.all(theirs.map((key) => other.app.storage.findSize(key)));
  await other.close();
  expect(refusal).toBeInstanceOf(StorageUnavailableError);
  expect((refusal as Error).cause).toMatchObject({
    message: expect.stringMatching(
      /^21 files have no row, .* 30 have one\. None was removed\. .*bucket or a folder of its own/,
    ),
  });
  expect(left).not.toContain(null);
  expect(few.filter((size) => size !== null)).toEqual([]);
});
