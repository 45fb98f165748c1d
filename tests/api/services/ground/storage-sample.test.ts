import { randomUUID } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { createStorage } from '#api/app-context.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { reviewResult } from '#api/services/generations/lost-results.ts';
import { storeNewResults } from '#api/services/generations/store-results.ts';
import { createProcessState } from '#api/services/ground/process-state.ts';
import { MARKER_KEY, proveStorage } from '#api/services/ground/right-storage.ts';
import { removeExpired } from '#api/services/leaving/clean-up.ts';
import { removeOrphanFiles } from '#api/services/leaving/orphan-files.ts';
import { openPhotoMaster } from '#api/services/photos/photos.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { asUpload, createAccount, createImageResult, createPhoto } from '#tests/support/factories.ts';
import { startFakeS3 } from '#tests/support/fake-s3.ts';
import { encodeFileForm } from '#tests/support/forms.ts';
import { registerVerified } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

const s3 = await startFakeS3();
afterAll(() => s3.close());
const DAY_MS = 24 * 60 * 60_000;

const STORAGES = [
  {
    name: 'disk',
    env: {},
    age: async ({ config }: AppContext, key: string) => {
      const time = new Date(Date.now() - 2 * DAY_MS);
      await utimes(path.join(config.dataDir, 'files', key), time, time);
    },
  },
  { name: 's3', env: s3.env, age: async (_app: AppContext, key: string) => s3.age(key, 2 * DAY_MS) },
];

describe.each(STORAGES)('a storage $name', ({ env, age }) => {
  let testApp: TestApp;
  let app: AppContext;
  beforeEach(async () => {
    s3.objects.clear();
    testApp = await createTestApp({ env });
    app = testApp.app;
  });
  afterEach(() => testApp.close());

  /** Another process with the same settings. */
  async function startAnother(): Promise<Pick<AppContext, 'db' | 'state' | 'storage'>> {
    return { db: app.db, state: createProcessState(), storage: await createStorage(app.config) };
  }
  async function empty(): Promise<void> {
    for (const folder of ['photos', 'results'])
      for await (const { key } of app.storage.list(`${folder}/`)) await app.storage.remove(key);
    await app.storage.remove(MARKER_KEY);
  }
  const marker = async () => (await text(await app.storage.open(MARKER_KEY))).trim();
  const ownId = async () => (await app.db.installation.findFirstOrThrow()).id;
  const prove = async () => proveStorage(await startAnother());
  async function explain(): Promise<string> {
    const error = await prove().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(StorageUnavailableError);
    return String((error as Error).cause);
  }
  const isLost = async (id: string) => (await app.db.result.findUniqueOrThrow({ where: { id } })).lostAt !== null;

  test('gets the id of a new installation, and processes that start at once agree on it', async () => {
    expect(await marker()).toBe(await ownId());
    await app.storage.remove(MARKER_KEY);
    await app.db.installation.deleteMany();
    await Promise.all([prove(), prove(), prove()]);
    expect(await app.db.installation.count()).toBe(1);
    expect(await marker()).toBe(await ownId());
  });

  test('that is an empty one in the place of ours takes nothing, and no result counts as lost, whatever is put there', async () => {
    const person = await registerVerified(testApp);
    const lost = await createImageResult(app, person.account.id);
    await empty();
    app.state.storageProof.forget();
    // Files of a process that has not noticed.
    await createImageResult(app, person.account.id);
    expect(await explain()).toMatch(/^Error: The storage is not the one of this database: it has no podium/);
    await expect(reviewResult(app, lost)).rejects.toThrow(StorageUnavailableError);
    expect(await isLost(lost.id)).toBe(false);
    const form = await encodeFileForm('image', {
      ...{ content: await drawJpeg(400, 500), name: 'photo.jpg', type: 'image/jpeg' },
    });
    const upload = await testApp.server.inject({
      ...{ method: 'POST', url: '/api/upload', payload: form.body },
      headers: { ...form.headers, cookie: person.cookie },
    });
    expect([upload.statusCode, upload.json().code]).toEqual([503, 'storage_unavailable']);
    const photo = await createPhoto(app, person.account.id);
    const url = `/media/photos/${photo.id}/preview`;
    const seen = await testApp.server.inject({ url, headers: { cookie: person.cookie } });
    expect([seen.statusCode, seen.json().code]).toEqual([503, 'storage_unavailable']);
    await expect(openPhotoMaster(app, photo)).rejects.toThrow(StorageUnavailableError);
    const generation = await app.db.generation.findUniqueOrThrow({ where: { id: lost.generationId } });
    const output = { position: 1, contentType: 'image/jpeg' as const, open: async () => Readable.from([]) };
    await expect(storeNewResults(app, generation, [output])).rejects.toThrow(StorageUnavailableError);
    const ready = await testApp.server.inject('/readyz');
    expect([ready.statusCode, ready.json().parts.storage]).toEqual([503, 'failed']);
  });

  test('that is new after a loss is taken once its marker is written by hand, and then the losses are seen', async () => {
    const { id: accountId } = await createAccount(app);
    const lost = await createImageResult(app, accountId);
    await empty();
    const [, id = ''] = /write (\S+) into its podium-installation\.txt/.exec(await explain()) ?? [];
    await app.storage.put(MARKER_KEY, Buffer.from(id), 'text/plain');
    await prove();
    app.state.storageProof.forget();
    expect(await reviewResult(app, lost)).toBe(true);
    expect(await isLost(lost.id)).toBe(true);
  });

  test('of another installation is left as it is', async () => {
    await app.storage.put(MARKER_KEY, Buffer.from(randomUUID()), 'text/plain');
    app.state.storageProof.forget();
    expect(await explain()).toContain('names another installation');
    const { id: accountId } = await createAccount(app);
    const theirs = `photos/${accountId}/${randomUUID()}/master.jpg`;
    await app.storage.put(theirs, Buffer.from('file'), 'image/jpeg');
    await age(app, theirs);
    await expect(removeOrphanFiles(app)).rejects.toThrow(StorageUnavailableError);
    const { id } = await createImageResult(app, accountId);
    const deletedAt = new Date(Date.now() - 40 * DAY_MS);
    const { originalKey } = await app.db.result.update({ where: { id }, data: { deletedAt } });
    await expect(removeExpired(app)).rejects.toThrow('results, photos, accounts');
    for (const key of [theirs, originalKey]) expect(await app.storage.findSize(key)).not.toBeNull();
  });

  describe('of a version before the marker', () => {
    beforeEach(async () => {
      await app.storage.remove(MARKER_KEY);
      await app.db.installation.deleteMany();
    });

    test('gets the id when it holds the files of the database, though some are lost', async () => {
      const { id: accountId } = await createAccount(app);
      const [, newest] = [await createImageResult(app, accountId), await createImageResult(app, accountId)];
      for (const photo of await app.db.photo.findMany())
        await app.storage.put(asUpload(photo).masterKey, Buffer.from('photo'), 'image/jpeg');
      await app.storage.remove(newest.originalKey);
      await prove();
      expect(await marker()).toBe(await ownId());
    });

    test('gets none when it holds next to nothing', async () => {
      const { id: accountId } = await createAccount(app);
      for (const _ of [1, 2]) await createPhoto(app, accountId);
      // An upload of the version before, into the empty disk.
      await createImageResult(app, accountId);
      expect(await explain()).toContain('most of the files that the database names are not in it');
      expect(await app.storage.findSize(MARKER_KEY)).toBeNull();
    });
  });
});
