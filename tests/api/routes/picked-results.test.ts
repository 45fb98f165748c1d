import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { mergeAccounts } from '#api/services/account-lifecycle/merge-accounts.ts';
import { readGarmentCrop } from '#api/services/generations/garment/garment-crops.ts';
import { endGeneration } from '#api/services/generations/running/outcome.ts';
import { removeExpired } from '#api/services/maintenance/clean-up.ts';
import { openPhotoMaster } from '#api/services/photos/photos.ts';
import type { Result } from '#prisma/generated/client.ts';
import { DELETED_KEPT_MS } from '#shared/rules/retention.ts';
import {
  createAccount,
  createFinding,
  createGeneration,
  createImageResult,
  createPayment,
  createPhoto,
} from '#tests/support/factories.ts';
import { readZip } from '#tests/support/read-zip.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

const testApp = useTestApp();
let app: TestApp['app'];
beforeAll(async () => {
  app = testApp.app;
});
afterEach(() => vi.restoreAllMocks());

const call = (user: TestUser, url: string, method: 'GET' | 'POST' | 'DELETE' = 'GET', payload?: object) =>
  testApp.server.inject({ method, url, headers: { cookie: user.cookie }, ...(payload ? { payload } : {}) });

async function pick(user: TestUser, { id }: Result) {
  const answer = await call(user, `/api/gallery/${id}/pick`, 'POST');
  expect(answer.statusCode).toBe(200);
  return answer.json() as { id: string; previewUrl: string; thumbnailUrl: string };
}

const findPhoto = (id: string) => app.db.photo.findUniqueOrThrow({ where: { id } });

/** Which share of the pixels differs. The logo changes more than three in a hundred, a new encoding none. */
async function differ(one: Buffer, other: Buffer): Promise<number> {
  const pixels = (picture: Buffer) => sharp(picture).resize(150, 200, { fit: 'fill' }).greyscale().raw().toBuffer();
  const [a, b] = [await pixels(one), await pixels(other)];
  return a.filter((value, at) => Math.abs(value - (b[at] ?? 0)) > 12).length / a.length;
}

async function createPicked() {
  const user = await registerVerified(testApp);
  const result = await createImageResult(app, user.account.id);
  const original = await buffer(await app.storage.open(result.originalKey));
  return { user, result, original, picked: await pick(user, result) };
}

/** As if its owner had deleted the result so long ago that it may go. */
const deleteLongAgo = ({ id }: Result) =>
  app.db.result.update({ where: { id }, data: { deletedAt: new Date(Date.now() - DELETED_KEPT_MS - 1000) } });

describe('a picked result', () => {
  test('has no file of its own: engines read the original of the result', async () => {
    const { original, picked } = await createPicked();
    const photo = await findPhoto(picked.id);
    expect(photo).toMatchObject({ masterKey: null, previewKey: null, thumbnailKey: null, storedBytes: 0 });
    expect(await buffer(await openPhotoMaster(app, photo))).toEqual(original);
  });

  test('leaves the service with the logo by every way, until its owner has paid and again after a full refund', async () => {
    const { user, result, original, picked } = await createPicked();
    const look = async () => {
      const files = await readZip((await call(user, '/api/account/export')).rawPayload);
      return [
        (await call(user, picked.previewUrl)).rawPayload,
        (await call(user, picked.thumbnailUrl)).rawPayload,
        ...[...files].filter(([name]) => name.endsWith('.jpg')).map(([, content]) => content),
      ];
    };
    const differences = async () => Promise.all((await look()).map((picture) => differ(picture, original)));

    // The preview, the thumbnail, and the file of the result in the export. The photo has none there.
    const free = await differences();
    expect(free).toHaveLength(3);
    for (const difference of free) expect(difference).toBeGreaterThan(0.03);
    const { id } = await createPayment(app.db, user.account.id);
    for (const difference of await differences()) expect(difference).toBeLessThan(0.03);
    await app.db.payment.update({ where: { id }, data: { refundedMinor: 49_000 } });
    for (const difference of await differences()) expect(difference).toBeGreaterThan(0.03);
    const files = await readZip((await call(user, '/api/account/export')).rawPayload);
    expect(JSON.parse(files.get('photos.json')?.toString() ?? '')).toContainEqual(
      expect.objectContaining({ id: picked.id, file: `results/${result.generationId}-1.jpg` }),
    );
  });

  test('shows nothing rather than the picture without the logo while the logo cannot be drawn', async () => {
    const { user, picked } = await createPicked();
    const { put } = app.storage;
    vi.spyOn(app.storage, 'put').mockImplementation((key, ...file) =>
      key.includes('watermarked') ? Promise.reject(new Error('no space')) : put.call(app.storage, key, ...file),
    );
    for (const url of [picked.previewUrl, picked.thumbnailUrl]) {
      expect((await call(user, url)).statusCode, url).toBeGreaterThanOrEqual(500);
    }
  });

  test('has the logo on the crop of a garment check, which that of an upload does not have', async () => {
    const { user, result, picked } = await createPicked();
    const [fromPick, fromUpload] = await Promise.all(
      [await findPhoto(picked.id), await createPhoto(app, user.account.id)].map(async (photo) => {
        const generationId = await createGeneration(app, user.account.id, 'photosession', 'completed', photo);
        const made = await createImageResult(app, user.account.id, { generationId });
        await createFinding(app, made);
        return made;
      }),
    );
    const stored = async (made: Result | undefined) => {
      const check = await app.db.garmentCheck.findUniqueOrThrow({ where: { resultId: made?.id ?? '' } });
      return Buffer.from(check.sourceCrop ?? []);
    };
    const source = (made: Result | undefined) => readGarmentCrop(app, made ?? result, 'source');
    expect(await source(fromPick)).not.toEqual(await stored(fromPick));
    expect(await source(fromUpload)).toEqual(await stored(fromUpload));
    await createPayment(app.db, user.account.id);
    expect(await source(fromPick)).toEqual(await stored(fromPick));
  });

  test('keeps the deleted result until the generation that is made from it has ended; then both go', async () => {
    const { user, result, picked } = await createPicked();
    const photo = await findPhoto(picked.id);
    const generationId = await createGeneration(app, user.account.id, 'photosession', 'generating', photo);
    await deleteLongAgo(result);
    await removeExpired(app);
    expect(await app.storage.findSize(result.originalKey)).toBe(result.bytes);
    expect(await app.db.result.count({ where: { id: result.id } })).toBe(1);

    const generation = await app.db.generation.findUniqueOrThrow({ where: { id: generationId } });
    await endGeneration(app, generation, 'cancelled');
    await removeExpired(app);
    expect(await app.storage.findSize(result.originalKey)).toBeNull();
    expect(await app.db.result.count({ where: { id: result.id } })).toBe(0);
    expect(await app.db.photo.count({ where: { id: picked.id } })).toBe(0);
    const view = (await call(user, `/api/generations/${generationId}`)).json();
    expect(view).toMatchObject({ id: generationId, photos: [null] });
  });

  test('is no photo any more once its result is deleted for good, even before the clean-up', async () => {
    const { user, result, picked } = await createPicked();
    await deleteLongAgo(result);
    expect((await call(user, picked.previewUrl)).statusCode).toBe(404);
    const start = { imageId: picked.id, settings: { preset: 'walk', duration: 5 } };
    const refused = await call(user, '/api/generate', 'POST', start);
    expect([refused.statusCode, refused.json().code]).toEqual([404, 'photo_not_found']);
  });

  test('moves with its result when the account is merged into another one', async () => {
    const { result, picked, user } = await createPicked();
    const into = await createAccount(app);
    await app.db.$transaction((tx) => mergeAccounts(app, tx, { fromId: user.account.id, intoId: into.id }));
    expect(await findPhoto(picked.id)).toMatchObject({ accountId: into.id, resultId: result.id });
    expect(await app.db.result.findUniqueOrThrow({ where: { id: result.id } })).toMatchObject({ accountId: into.id });
  });
});
