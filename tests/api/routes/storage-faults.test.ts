import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { StorageFullError, StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { createVideoResult } from '#tests/support/factories.ts';
import { type UserWithPhoto, useToolHarness } from '#tests/support/tool-harness.ts';
import { until } from '#tests/support/until.ts';
import { uploadPhoto } from '#tests/support/users.ts';

const harness = useToolHarness();
afterEach(() => {
  vi.restoreAllMocks();
  forgetLastCheck();
});

const FAULTS = [
  { fault: new StorageFullError('test'), status: 507, code: 'storage_full', retryAfter: '300' },
  { fault: new StorageUnavailableError('test'), status: 503, code: 'storage_unavailable', retryAfter: '60' },
];

/** The next start or upload looks at the storage again. */
function forgetLastCheck(): void {
  harness.testApp.app.state.storageRoom.forget();
  harness.testApp.app.state.storageCheck.forget();
}

async function listFiles(folder: 'files' | 'work'): Promise<string[]> {
  const entries = await readdir(path.join(harness.testApp.app.config.dataDir, folder), {
    recursive: true,
    withFileTypes: true,
  });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const upload = async (user: UserWithPhoto) => uploadPhoto(harness.testApp, user, await drawJpeg(400, 500));

describe.each(FAULTS)('while the storage answers $code', ({ fault, status, code, retryAfter }) => {
  test('an upload is refused with words and a time, and leaves neither row nor file', async () => {
    const user = await harness.readyUser();
    const { storage, db } = harness.testApp.app;
    const before = [await db.photo.count(), (await listFiles('files')).length];
    const put = storage.put;
    // The first file fits, and the second does not.
    vi.spyOn(storage, 'put')
      .mockImplementationOnce((...file) => put(...file))
      .mockRejectedValue(fault);
    const refused = await upload(user);
    expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([
      status,
      code,
      retryAfter,
    ]);
    // The answer does not wait until the first file is removed.
    await until(async () => expect([await db.photo.count(), (await listFiles('files')).length]).toEqual(before));
    expect(await listFiles('work')).toEqual([]);
  });

  test('no order is taken and nothing is charged, and the next one is, once it works again', async () => {
    const user = await harness.readyUser();
    forgetLastCheck();
    const check = vi.spyOn(harness.testApp.app.storage, 'check').mockRejectedValue(fault);
    // The clock stands still, because a busy machine may take longer than a check is relied on.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    for (const _ of [1, 2]) {
      const refused = await harness.start(user, user.imageId);
      expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([
        status,
        code,
        retryAfter,
      ]);
    }
    // Starts that follow each other rely on one check.
    expect(check).toHaveBeenCalledTimes(1);
    clock.mockRestore();
    expect(await harness.balanceOf(user)).toBe(2);
    check.mockRestore();
    forgetLastCheck();
    expect((await harness.start(user, user.imageId)).statusCode).toBe(200);
  });
});

test('no order is taken when the space that is left would not hold the results of those before it', async () => {
  const user = await harness.readyUser();
  forgetLastCheck();
  vi.spyOn(harness.testApp.app.storage, 'findFreeBytes').mockResolvedValue(100_000_000);
  expect((await harness.start(user, user.imageId)).json().code).toBe('storage_full');
  forgetLastCheck();
  // A storage that can tell no limit has none.
  vi.spyOn(harness.testApp.app.storage, 'findFreeBytes').mockResolvedValue(null);
  expect((await harness.start(user, user.imageId)).statusCode).toBe(200);
});

test.each(['check', 'findSize'] as const)('a start does not wait for a storage that hangs (%s)', async (call) => {
  const user = await harness.readyUser();
  forgetLastCheck();
  vi.spyOn(harness.testApp.app.storage, call).mockReturnValue(new Promise<never>(() => undefined));
  const refused = await harness.start(user, user.imageId);
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'storage_unavailable']);
  expect(await harness.balanceOf(user)).toBe(2);
  vi.restoreAllMocks();
  forgetLastCheck();
  expect((await harness.start(user, user.imageId)).statusCode).toBe(200);
});

test('an upload does not wait for a storage that hangs', async () => {
  const user = await harness.readyUser();
  forgetLastCheck();
  vi.spyOn(harness.testApp.app.storage, 'check').mockReturnValue(new Promise<never>(() => undefined));
  const refused = await upload(user);
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'storage_unavailable']);
  vi.restoreAllMocks();
  forgetLastCheck();
  expect((await upload(user)).statusCode).toBe(200);
});

test('an upload that could not be stored does not wait until its files are removed', async () => {
  const user = await harness.readyUser();
  const { storage } = harness.testApp.app;
  vi.spyOn(storage, 'put').mockRejectedValue(new StorageUnavailableError('test'));
  const answered = Promise.withResolvers<void>();
  const remove = vi.spyOn(storage, 'remove').mockImplementation(async () => {
    await answered.promise;
    throw new StorageUnavailableError('test');
  });
  const refused = await upload(user);
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'storage_unavailable']);
  // Nobody is told of these failures, and they end nothing.
  answered.resolve();
  await until(() => expect(remove).toHaveBeenCalledTimes(3));
  await until(() => expect(harness.logLines.join('')).toContain('a file without a row stays'));
});

test('no order is taken while nobody can say whether its photo is there', async () => {
  const user = await harness.readyUser();
  const { storage } = harness.testApp.app;
  const findSize = vi.spyOn(storage, 'findSize').mockRejectedValue(new StorageUnavailableError('test'));
  const refused = await harness.start(user, user.imageId);
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'storage_unavailable']);
  expect(await harness.balanceOf(user)).toBe(2);
  findSize.mockRestore();
  expect((await harness.start(user, user.imageId)).statusCode).toBe(200);
});

test('the list of videos is shown while the storage is away', async () => {
  const { app } = harness.testApp;
  const user = await harness.readyUser();
  const { accountId } = await app.db.photo.findUniqueOrThrow({ where: { id: user.imageId } });
  const { id, generationId } = await createVideoResult(app, accountId);
  await app.db.result.update({ where: { id }, data: { watermarkedKey: 'results/copy.mp4' } });
  vi.spyOn(app.storage, 'findSize').mockRejectedValue(new StorageUnavailableError('test'));
  const answer = await harness.call(user, { method: 'GET', url: '/api/videos' });
  expect([answer.statusCode, answer.json().videos]).toMatchObject([200, [{ generationId }]]);
});

test('a result that finds the disk full fails its order once, with the stars back and no file left', async () => {
  const user = await harness.readyUser();
  const { app, engine } = harness.testApp;
  const { generationId } = (await harness.start(user, user.imageId)).json();
  const { put } = app.storage;
  vi.spyOn(app.storage, 'put').mockImplementation(async (key, ...file) => {
    if (key.endsWith('original.mp4')) throw new StorageFullError('test');
    await put(key, ...file);
  });
  harness.letEngineFinish();
  await harness.waitForStatus(user, generationId, 'failed');
  expect(await harness.stateOf(user, generationId)).toMatchObject({
    code: 'storage_failed',
    message: 'Не удалось сохранить результат. Звёзды возвращены, попробуйте позже',
  });
  expect(await harness.balanceOf(user)).toBe(2);
  expect(engine.jobs.get(`fake-${generationId}`)?.starts).toBe(1);
  await harness.waitUntil(async () => {
    const [run] = await app.db.engineRun.findMany({ where: { generationId } });
    expect(run).toMatchObject({ status: 'cancelled', failureCode: null });
    const left = [];
    for await (const { key } of app.storage.list('results/')) if (key.includes(generationId)) left.push(key);
    expect(left).toEqual([]);
  });
});

test('a result waits for a storage that does not answer, and is kept when it does', async () => {
  const user = await harness.readyUser();
  const { app, engine } = harness.testApp;
  const { generationId } = (await harness.start(user, user.imageId)).json();
  const put = vi.spyOn(app.storage, 'put').mockRejectedValue(new StorageUnavailableError('test'));
  harness.letEngineFinish();
  // Copies of videos that earlier tests have asked for are stored meanwhile, too.
  const triesOf = (id: string) => put.mock.calls.filter(([key]) => key.includes(id));
  await harness.waitUntil(() => expect(triesOf(generationId)).toHaveLength(2));
  put.mockRestore();
  await harness.waitForStatus(user, generationId, 'completed');
  expect(engine.jobs.get(`fake-${generationId}`)?.starts).toBe(1);
});
