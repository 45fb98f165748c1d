import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { createMailer } from '#api/app-context.ts';
import { removeExpired } from '#api/services/maintenance/clean-up.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import {
  asUpload,
  createAccount,
  createGeneration,
  createImageResult,
  keepPhoto,
  subjectOf,
} from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const testApp = useTestApp();

test('work folders of killed processes go; one that is gone already, or still in use, is no failure', async () => {
  const work = path.join(testApp.app.config.dataDir, 'work');
  const [current, stale] = [path.join(work, 'task-current'), path.join(work, 'task-stale')];
  for (const folder of [current, stale]) mkdirSync(folder, { recursive: true });
  const longAgo = new Date(Date.now() - 48 * 3_600_000);
  utimesSync(stale, longAgo, longAgo);
  // This name is listed but cannot be opened, like a folder that its task is just removing.
  symlinkSync('nowhere', path.join(work, 'task-gone'));
  await removeExpired(testApp.app);
  expect([existsSync(current), existsSync(stale)]).toEqual([true, false]);
});

test.each([undefined, 'smtp://127.0.0.1:1'])('old mails of the outbox go, with the mail server %s', async (smtpUrl) => {
  const { app } = testApp;
  const outbox = path.join(app.config.dataDir, 'outbox');
  mkdirSync(outbox, { recursive: true });
  const nameMail = (daysAgo: number) =>
    `${new Date(Date.now() - daysAgo * 24 * 3_600_000).toISOString().replace(/[:.]/g, '-')}_anna_aaaaaa.eml`;
  const [old, newer] = [nameMail(31), nameMail(29)];
  for (const name of [old, newer]) writeFileSync(path.join(outbox, name), '');
  const mailer = createMailer({ ...app.config, smtpUrl });
  await removeExpired({ ...app, mailer });
  await mailer.close();
  expect(readdirSync(outbox)).not.toContain(old);
  expect(readdirSync(outbox)).toContain(newer);
});

test('an unused photo of an unconfirmed account goes after a week, with its files; a used one and a newer one stay', async () => {
  const { app } = testApp;
  const { id: accountId } = await createAccount(app, { isVerified: false });
  const { id: confirmedId } = await createAccount(app);
  const receive = async (daysAgo: number, owner = accountId) => {
    const photo = await keepPhoto(app, owner, await drawJpeg(400, 500));
    const createdAt = new Date(Date.now() - daysAgo * 24 * 3_600_000);
    return asUpload(await app.db.photo.update({ where: { id: photo.id }, data: { createdAt } }));
  };
  const [unused, used, newer, second] = [await receive(8), await receive(8), await receive(6), await receive(8)];
  const own = await receive(400, confirmedId);
  const generationId = await createGeneration(app, accountId, 'video');
  await app.db.generationInput.updateMany({ where: { generationId }, data: { photoId: used.id } });
  // A photo that is not the first of its generation is used too.
  await app.db.generationInput.create({ data: { ...subjectOf(second), generationId, position: 1 } });
  await removeExpired(app);
  const left = async (photo: typeof unused) => [
    await app.db.photo.count({ where: { id: photo.id } }),
    (await app.storage.findSize(photo.masterKey)) !== null,
    (await app.storage.findSize(photo.thumbnailKey)) !== null,
  ];
  expect(await Promise.all([unused, used, newer, second, own].map(left))).toEqual([
    [0, false, false],
    [1, true, true],
    [1, true, true],
    [1, true, true],
    [1, true, true],
  ]);
});

test('counted events go after thirteen months', async () => {
  const { db } = testApp.app;
  const monthsAgo = (months: number) => new Date(Date.now() - months * 31 * 24 * 3_600_000);
  for (const [name, createdAt] of [
    ['cases_link_clicked', monthsAgo(14)],
    ['video_download', monthsAgo(12)],
  ] as const) {
    await db.analyticsEvent.create({ data: { name, pageLocation: '/', createdAt } });
  }
  await removeExpired(testApp.app);
  expect((await db.analyticsEvent.findMany()).map(({ name }) => name)).toEqual(['video_download']);
});

test('a file that cannot be removed holds up nothing else', async () => {
  const { app } = testApp;
  const { id: accountId } = await createAccount(app);
  const { id } = await createImageResult(app, accountId);
  const longAgo = new Date(Date.now() - 1000 * 24 * 3_600_000);
  await app.db.result.update({ where: { id }, data: { deletedAt: longAgo } });
  await app.db.analyticsEvent.create({ data: { name: 'video_download', pageLocation: '/', createdAt: longAgo } });
  const remove = vi.spyOn(app.storage, 'remove').mockRejectedValue(new StorageUnavailableError('EACCES'));
  await expect(removeExpired(app)).rejects.toThrow('The clean-up could not finish: results');
  remove.mockRestore();
  expect(await app.db.analyticsEvent.count({ where: { createdAt: longAgo } })).toBe(0);
  await removeExpired(app);
  expect(await app.db.result.count({ where: { id } })).toBe(0);
});

test('names of a chat without an account go after 30 days of silence; those of others stay', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);
  const { app } = testApp;
  const names = { username: 'anna', firstName: 'Анна' };
  const { id: linkedId } = await createAccount(app);
  await app.db.telegramUser.createMany({
    data: [
      { id: 71, ...names, namedAt: daysAgo(31) },
      { id: 72, ...names, namedAt: daysAgo(29) },
      { id: 73, ...names, namedAt: daysAgo(400), accountId: linkedId },
    ],
  });
  await removeExpired(app);
  const named = await app.db.telegramUser.findMany({ where: { username: { not: null } }, orderBy: { id: 'asc' } });
  expect(named.map(({ id }) => Number(id))).toEqual([72, 73]);
  expect(await app.db.telegramUser.findUnique({ where: { id: 71 } })).toMatchObject({ username: null, firstName: '' });
});
