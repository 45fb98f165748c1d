import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { endGeneration } from '#api/services/generations/running/outcome.ts';
import type { Photo } from '#prisma/generated/client.ts';
import { PHOTO_QUOTA_BYTES, UNCONFIRMED_PHOTOS_MAX } from '#shared/rules/photo-quota.ts';
import { drawTransparent } from '#tests/fixtures/draw-transparent-photo.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import {
  createAccount,
  createFinding,
  createGeneration,
  createImageResult,
  createPayment,
  createPhoto,
  keepPhoto,
} from '#tests/support/factories.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { until } from '#tests/support/until.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { registerUnverified, registerVerified, type TestUser, uploadPhoto } from '#tests/support/users.ts';

const testApp = useTestApp();
let app: TestApp['app'];
let photo: Buffer;
beforeAll(async () => {
  app = testApp.app;
  photo = await drawJpeg(300, 400);
});
afterEach(() => vi.restoreAllMocks());

const call = (user: TestUser, url: string, method: 'GET' | 'POST' | 'DELETE' = 'GET') =>
  testApp.server.inject({ method, url, headers: { cookie: user.cookie } });

const upload = (user: TestUser, content = photo) => uploadPhoto(testApp, user, content);
const start = (user: TestUser, imageId: string) =>
  testApp.call(user, { method: 'POST', url: '/api/generate', payload: { imageId, settings: {} } });

async function listKeys(accountId: number): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of app.storage.list(`photos/${accountId}/`)) keys.push(key);
  return keys;
}

/** As if the account had this much more. */
const fill = async ({ account }: TestUser, storedBytes: number) => {
  const { id } = await createPhoto(app, account.id);
  await app.db.photo.update({ where: { id }, data: { storedBytes } });
};

describe('deleting a photo', () => {
  test('removes its files, its mask and its previews at once, and keeps the results, which say that it is gone', async () => {
    const user = await registerVerified(testApp);
    const accountId = user.account.id;
    const content = await drawTransparent('shoe', { width: 400, height: 400 }).png().toBuffer();
    const kept = await keepPhoto(app, accountId, content);
    expect(await listKeys(accountId)).toHaveLength(4);
    const generationId = await createGeneration(app, accountId, 'photosession', 'completed', kept);
    const result = await createImageResult(app, accountId, { generationId });
    await createFinding(app, result);

    expect((await call(user, `/api/photos/${kept.id}`, 'DELETE')).statusCode).toBe(204);
    expect(await listKeys(accountId)).toEqual([]);
    expect((await call(user, `/media/photos/${kept.id}/preview`)).statusCode).toBe(404);
    const view = (await call(user, `/api/generations/${generationId}`)).json();
    expect(view).toMatchObject({ photos: [null], reroll: 'not_offered' });
    // The crop would still be a piece of the photo.
    expect(view.results).toMatchObject([{ id: result.id, garmentCheck: { verdict: 'drifted', crops: null } }]);
    const check = await app.db.garmentCheck.findUniqueOrThrow({ where: { resultId: result.id } });
    expect(check.sourceCrop).toBeNull();
    expect((await call(user, `/api/generations/${generationId}/reroll`, 'POST')).json().code).toBe(
      'reroll_not_offered',
    );
    expect((await call(user, `/api/photos/${kept.id}`, 'DELETE')).statusCode).toBe(404);
  });

  test('waits for the generation that needs it', async () => {
    const user = await registerVerified(testApp);
    const kept = await createPhoto(app, user.account.id);
    const generationId = await createGeneration(app, user.account.id, 'photosession', 'generating', kept);
    expect((await call(user, '/api/photos')).json().photos).toMatchObject([{ id: kept.id, isInUse: true }]);
    const refused = await call(user, `/api/photos/${kept.id}`, 'DELETE');
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'photo_in_use']);
    const generation = await app.db.generation.findUniqueOrThrow({ where: { id: generationId } });
    await endGeneration(app, generation, 'cancelled');
    expect((await call(user, `/api/photos/${kept.id}`, 'DELETE')).statusCode).toBe(204);
  });

  test('leaves nothing behind that a start could use, however the two meet', async () => {
    const user = await registerVerified(testApp);
    const { id: imageId } = (await upload(user)).json();
    const [started, deleted] = await Promise.all([
      start(user, imageId),
      call(user, `/api/photos/${imageId}`, 'DELETE'),
    ]);
    const isKept = (await app.db.photo.count({ where: { id: imageId } })) > 0;
    expect(deleted.statusCode).toBe(isKept ? 409 : 204);
    // The row goes before the files.
    expect(started.statusCode).toBe(isKept ? 200 : 404);
    const files = await listKeys(user.account.id);
    expect(files.length > 0).toBe(isKept);
  });

  test('while a start looks for its file makes it unknown, not lost', async () => {
    const user = await registerVerified(testApp);
    const { id: imageId } = (await upload(user)).json();
    vi.spyOn(app.storage, 'findSize').mockImplementationOnce(async () => {
      expect((await call(user, `/api/photos/${imageId}`, 'DELETE')).statusCode).toBe(204);
      return null;
    });
    const started = await start(user, imageId);
    expect([started.statusCode, started.json().code]).toEqual([404, 'photo_not_found']);
  });
});

describe('the room for photos', () => {
  test('counts what is stored, mask and previews too, and lists the largest and the oldest', async () => {
    const user = await registerVerified(testApp);
    const first = (await upload(user, await drawJpeg(900, 1200))).json() as Photo;
    const content = await drawTransparent('shoe', { width: 400, height: 400 }).png().toBuffer();
    const masked = (await upload(user, content)).json() as Photo;
    const sizes: number[] = [];
    for await (const { bytes } of app.storage.list(`photos/${user.account.id}/`)) sizes.push(bytes);
    const largest = (await call(user, '/api/photos?order=largest')).json();
    expect(largest).toMatchObject({
      total: 2,
      limitBytes: PHOTO_QUOTA_BYTES.free,
      usedBytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
      photos: [{ id: first.id }, { id: masked.id }],
    });
    const oldest = (await call(user, '/api/photos?order=oldest')).json();
    expect(oldest.photos).toMatchObject([{ id: first.id }, { id: masked.id }]);
  });

  test('is 300 MB, and 3 GB once something was paid; deleting a photo makes room', async () => {
    const user = await registerVerified(testApp);
    await fill(user, PHOTO_QUOTA_BYTES.free - 1000);
    const refused = await upload(user);
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'photo_quota_reached']);
    expect(await listKeys(user.account.id)).toEqual([]);
    await createPayment(app.db, user.account.id);
    const taken = await upload(user);
    expect(taken.statusCode).toBe(200);
    const { photos } = (await call(user, '/api/photos?order=largest')).json();
    for (let filled = 0; filled < 9; filled++) await fill(user, PHOTO_QUOTA_BYTES.free);
    await fill(user, PHOTO_QUOTA_BYTES.paid - 10 * PHOTO_QUOTA_BYTES.free);
    expect((await upload(user)).json().code).toBe('photo_quota_reached');
    expect((await call(user, `/api/photos/${photos[0].id}`, 'DELETE')).statusCode).toBe(204);
    expect((await upload(user)).statusCode).toBe(200);
  });

  test('is not exceeded by photos that come at the same time', async () => {
    const user = await registerVerified(testApp);
    const { id } = (await upload(user)).json();
    const { storedBytes } = await app.db.photo.findUniqueOrThrow({ where: { id } });
    // Room for two more.
    await fill(user, PHOTO_QUOTA_BYTES.free - 3 * storedBytes - 10);
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(user)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(2);
    const { usedBytes, limitBytes } = (await call(user, '/api/photos')).json();
    expect(usedBytes).toBeLessThanOrEqual(limitBytes);
  });

  test('is five photos until the e-mail is confirmed, however they come', async () => {
    const user = await registerUnverified(testApp);
    const answers = await Promise.all(Array.from({ length: UNCONFIRMED_PHOTOS_MAX + 3 }, () => upload(user)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(UNCONFIRMED_PHOTOS_MAX);
    expect((await upload(user)).json()).toMatchObject({ code: 'photo_count_reached' });
    await app.db.account.update({ where: { id: user.account.id }, data: { emailVerifiedAt: new Date() } });
    expect((await upload(user)).statusCode).toBe(200);
  });
});

test('accounts that never confirmed an e-mail, however many, leave places to the others', async () => {
  const { photoDecoding } = app.state.semaphores;
  const decoding = Promise.withResolvers<void>();
  const running = [1, 2].map(() => photoDecoding.run(() => decoding.promise));
  const refusals: unknown[] = [];
  // More than wait for a decoding at most.
  const strangers = await Promise.all(Array.from({ length: 62 }, () => createAccount(app, { isVerified: false })));
  const sent = strangers.map(({ id }) =>
    keepPhoto(app, id, photo).catch((error: unknown) => {
      refusals.push(error);
    }),
  );
  await until(async () => expect(refusals.length).toBeGreaterThanOrEqual(2));
  const { id } = await createAccount(app);
  const asked = vi.spyOn(photoDecoding, 'run');
  const own = keepPhoto(app, id, photo).catch((error: unknown) => error);
  await until(async () => expect(asked).toHaveBeenCalled());
  decoding.resolve();
  expect(await own).toMatchObject({ accountId: id });
  await Promise.all([...running, ...sent]);
});

test('many photos of one account wait for each other, and nobody else waits for them', async () => {
  const [sender, stranger] = [await registerVerified(testApp), await registerVerified(testApp)];
  const decoding = Promise.withResolvers<void>();
  const first = app.state.semaphores.photosOfAccount.run(sender.account.id, () => decoding.promise);
  let isStored = false;
  const second = upload(sender).then((answer) => {
    isStored = true;
    return answer;
  });
  expect((await upload(stranger)).statusCode).toBe(200);
  expect(isStored).toBe(false);
  decoding.resolve();
  await first;
  expect((await second).statusCode).toBe(200);
});
