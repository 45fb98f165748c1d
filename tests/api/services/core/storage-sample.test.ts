import { afterEach, beforeEach, expect, test } from 'vitest';
import { StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { reviewResult } from '#api/services/generations/results/lost-results.ts';
import { removeExpired } from '#api/services/maintenance/clean-up.ts';
import { markMissingResults } from '#api/services/maintenance/missing-files.ts';
import { removeOrphanFiles } from '#api/services/maintenance/orphan-files.ts';
import { openPhotoMaster } from '#api/services/photos/photos.ts';
import type { Result } from '#prisma/generated/client.ts';
import { createImageResult, createPhoto } from '#tests/support/factories.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

const DAY_MS = 24 * 60 * 60_000;

let testApp: TestApp;
let app: AppContext;
let user: TestUser;
let results: Result[];
beforeEach(async () => {
  testApp = await createTestApp();
  app = testApp.app;
  user = await registerVerified(testApp);
  results = [];
  for (const _ of Array.from({ length: 10 })) results.push(await createImageResult(app, user.account.id));
});
afterEach(() => testApp.close());

const loseOldest = async (count: number) => {
  for (const { originalKey } of results.slice(0, count)) await app.storage.remove(originalKey);
};
const countLost = () => app.db.result.count({ where: { lostAt: { not: null } } });

test('with most of the oldest files missing nothing is lost or removed, and what is missing answers 503', async () => {
  await loseOldest(6);
  for (const result of results.slice(0, 6))
    await expect(reviewResult(app, result)).rejects.toThrow(StorageUnavailableError);
  await expect(markMissingResults(app)).rejects.toThrow(/storage/);
  await expect(removeOrphanFiles(app)).rejects.toThrow(StorageUnavailableError);
  const deletedAt = new Date(Date.now() - 40 * DAY_MS);
  const { originalKey } = await app.db.result.update({ where: { id: results[9]?.id ?? '' }, data: { deletedAt } });
  await expect(removeExpired(app)).rejects.toThrow('results, packs, photos, accounts');
  expect(await app.storage.findSize(originalKey)).not.toBeNull();
  expect(await countLost()).toBe(0);

  const photo = await createPhoto(app, user.account.id);
  const url = `/media/photos/${photo.id}/preview`;
  const seen = await testApp.server.inject({ url, headers: { cookie: user.cookie } });
  expect([seen.statusCode, seen.json().code]).toEqual([503, 'storage_unavailable']);
  await expect(openPhotoMaster(app, photo)).rejects.toThrow(StorageUnavailableError);
});

test('with half of them there, the missing ones are lost', async () => {
  await loseOldest(5);
  await markMissingResults(app);
  expect(await countLost()).toBe(5);
});

test('results that the operator has marked as lost do not count', async () => {
  await loseOldest(9);
  const marked = results.slice(0, 8).map(({ id }) => id);
  await app.db.result.updateMany({ where: { id: { in: marked } }, data: { lostAt: new Date() } });
  await markMissingResults(app);
  expect(await countLost()).toBe(9);
});
