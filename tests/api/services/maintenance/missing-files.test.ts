import { expect, test } from 'vitest';
import { findMissingFiles, type MissingFile, markMissingResults } from '#api/services/maintenance/missing-files.ts';
import { createAccount, createImageResult, createPhoto } from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const testApp = useTestApp();

async function collect(): Promise<MissingFile[]> {
  const missing: MissingFile[] = [];
  for await (const file of findMissingFiles(testApp.app)) missing.push(file);
  return missing;
}

const isLost = async (id: string) => (await testApp.app.db.result.findUniqueOrThrow({ where: { id } })).lostAt !== null;

test('names the files that rows promise and the storage has not, or has with another size', async () => {
  const { app } = testApp;
  const [one, another] = [await createAccount(app), await createAccount(app)];
  const kept = await createImageResult(app, one.id);
  const missing = await createImageResult(app, another.id);
  const broken = await createImageResult(app, another.id);
  // As after a merge: the row has another owner than its folder.
  await app.db.result.update({ where: { id: kept.id }, data: { accountId: another.id } });
  await app.storage.remove(missing.originalKey);
  await app.storage.put(broken.originalKey, Buffer.from('half of it'), 'image/jpeg');
  // Its row is made without files.
  const photo = await createPhoto(app, one.id);
  const found = await collect();
  const told = found.map(({ key, accountId, isBroken, result }) => ({ key, accountId, isBroken, id: result?.id }));
  const ofResults = told.filter(({ id }) => id !== undefined);
  expect(ofResults).toHaveLength(2);
  expect(ofResults).toContainEqual({
    key: missing.originalKey,
    accountId: another.id,
    isBroken: false,
    id: missing.id,
  });
  expect(ofResults).toContainEqual({ key: broken.originalKey, accountId: another.id, isBroken: true, id: broken.id });
  expect(told).toContainEqual({ key: photo.masterKey, accountId: one.id, isBroken: false, id: undefined });
  expect([await isLost(missing.id), await isLost(broken.id)]).toEqual([false, false]);
});

test('a night marks the results whose originals are lost, before anybody asks for them', async () => {
  const { app } = testApp;
  const { id: accountId } = await createAccount(app);
  const [lost, kept] = [await createImageResult(app, accountId), await createImageResult(app, accountId)];
  await app.storage.remove(lost.originalKey);
  await app.storage.remove(kept.posterKey);
  await markMissingResults(app);
  expect([await isLost(lost.id), await isLost(kept.id)]).toEqual([true, false]);
});
