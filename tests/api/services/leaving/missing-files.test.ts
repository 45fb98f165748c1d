import { afterAll, beforeAll, expect, test } from 'vitest';
import { findMissingFiles, type MissingFile } from '#api/services/leaving/missing-files.ts';
import { createAccount, createImageResult, createPhoto } from '#tests/support/factories.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp.close());

async function collect(): Promise<MissingFile[]> {
  const missing: MissingFile[] = [];
  for await (const file of findMissingFiles(testApp.app)) missing.push(file);
  return missing;
}

test('names the files that rows promise and the storage has not, and marks lost results until they are back', async () => {
  const { app } = testApp;
  const [one, another] = [await createAccount(app), await createAccount(app)];
  const kept = await createImageResult(app, one.id);
  const lost = await createImageResult(app, another.id);
  // As after a merge: the row has another owner than its folder.
  await app.db.result.update({ where: { id: kept.id }, data: { accountId: another.id } });
  const ofResults = async () => (await collect()).filter(({ owner }) => owner === 'result');
  expect(await ofResults()).toEqual([]);

  const content = await app.storage.open(lost.originalKey).then((stream) => stream.toArray());
  await app.storage.remove(lost.originalKey);
  // Its row is made without files.
  const photo = await createPhoto(app, one.id);
  const found = await collect();
  expect(found).toContainEqual({ owner: 'result', id: lost.id, accountId: another.id, key: lost.originalKey });
  expect(found).toContainEqual({ owner: 'photo', id: photo.id, accountId: one.id, key: photo.masterKey });
  expect(found.some(({ id }) => id === kept.id)).toBe(false);
  const isLost = async () => (await app.db.result.findUniqueOrThrow({ where: { id: lost.id } })).lostAt !== null;
  expect(await isLost()).toBe(true);

  await app.storage.put(lost.originalKey, Buffer.concat(content), 'image/jpeg');
  await collect();
  expect(await isLost()).toBe(false);
});
