import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOpenCvGarmentChecker } from '#api/adapters/garment-check/opencv-garment-checker.ts';
import { StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { JOBS } from '#api/queue/job-definitions.ts';
import { checkGarment } from '#api/services/generations/garment/check-garment.ts';
import type { Result } from '#prisma/generated/client.ts';
import { inventPhoto } from '#tests/fixtures/draw-garment-pairs.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import {
  asUpload,
  createAccount,
  createImageResult,
  createVideoResult,
  type UploadedRow,
} from '#tests/support/factories.ts';
import {
  createFakeGarmentChecker,
  describeFinding,
  type FakeGarmentChecker,
} from '#tests/support/fake-garment-checker.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

const PHOTO = { width: 300, height: 400 };

let testApp: TestApp;
let checker: FakeGarmentChecker;
const logLines: string[] = [];
beforeAll(async () => {
  checker = createFakeGarmentChecker();
  testApp = await createTestApp({
    garmentChecker: checker,
    env: { GARMENT_COLOUR_DIFFERENCE: '4.5', GARMENT_PRINT_SIMILARITY: '0.7' },
    onLogLine: (line) => logLines.push(line),
  });
});
afterAll(() => testApp.close());
beforeEach(() => {
  checker.find('kept');
  checker.orders.length = 0;
});

/** A result that waits for its comparison, with the files of its photo. */
async function createWaiting(make: 'picture' | 'video' = 'picture'): Promise<Result> {
  const { app } = testApp;
  const { id: accountId } = await createAccount(app);
  const result = make === 'video' ? await createVideoResult(app, accountId) : await createImageResult(app, accountId);
  const photo = await findSubject(result.generationId);
  const master = await drawJpeg(PHOTO.width, PHOTO.height);
  await storeFiles(photo, master, await sharp(master).webp().toBuffer());
  await app.db.garmentCheck.create({ data: { resultId: result.id } });
  return result;
}

async function storeFiles(photo: UploadedRow, master: Buffer, preview: Buffer): Promise<void> {
  const { app } = testApp;
  await app.storage.put(photo.masterKey, master, 'image/jpeg');
  await app.storage.put(photo.previewKey, preview, 'image/webp');
  const data = { masterBytes: master.length, previewBytes: preview.length };
  await app.db.photo.update({ where: { id: photo.id }, data });
}

async function findSubject(generationId: string) {
  const { photo } = await testApp.app.db.generationInput.findFirstOrThrow({
    where: { generationId },
    include: { photo: true },
  });
  return asUpload(photo);
}

const run = ({ id }: Result, signal = new AbortController().signal) => checkGarment(testApp.app, id, signal);
const findingOf = ({ id }: Result) => testApp.app.db.garmentCheck.findUniqueOrThrow({ where: { resultId: id } });

test('a comparison records what was found, and a second run compares nothing', async () => {
  const result = await createWaiting();
  await run(result);
  expect(await findingOf(result)).toMatchObject({
    verdict: 'kept',
    drifts: [],
    reason: null,
    colourDifference: 1.2,
    printSimilarity: 0.97,
    featureMatches: 40,
    sourceCrop: null,
    resultCrop: null,
    checkedAt: expect.any(Date),
  });
  checker.find('drifted');
  await run(result);
  expect(await findingOf(result)).toMatchObject({ verdict: 'kept' });
  expect(checker.orders).toHaveLength(1);
});

test('the original is compared with the thresholds of the operator', async () => {
  const result = await createWaiting();
  await run(result);
  const [order] = checker.orders;
  expect(order?.thresholds).toEqual({ colourDifference: 4.5, printSimilarity: 0.7 });
  expect(await sharp(order?.source).metadata()).toMatchObject(PHOTO);
  expect(order?.results).toHaveLength(1);
  expect(order?.results[0]?.length).toBe(result.bytes);
});

test('a drift keeps the same part of both pictures, small, as WebP', async () => {
  const result = await createWaiting();
  checker.find('drifted');
  await run(result);
  const { verdict, drifts, sourceCrop, resultCrop } = await findingOf(result);
  expect({ verdict, drifts }).toEqual({ verdict: 'drifted', drifts: ['print'] });
  const sizes = [];
  for (const crop of [sourceCrop, resultCrop]) {
    const { format, width, height } = await sharp(crop ?? undefined).metadata();
    sizes.push({ format, width, height });
  }
  // A quarter of the photo, and one of the result of 600 × 800 that is made smaller.
  expect(sizes).toEqual([
    { format: 'webp', width: 150, height: 200 },
    { format: 'webp', width: 270, height: 360 },
  ]);
});

test('three frames of a video are compared, and the finding says which one was', async () => {
  const result = await createWaiting('video');
  checker.find(async () => ({ ...describeFinding('drifted'), resultIndex: 2 }));
  await run(result);
  expect(checker.orders[0]?.results).toHaveLength(3);
  for (const frame of checker.orders[0]?.results ?? []) {
    expect(await sharp(frame).metadata()).toMatchObject({ format: 'png', width: 180, height: 240 });
  }
  expect(await findingOf(result)).toMatchObject({ verdict: 'drifted', frameSeconds: 0.9 });
});

test('a comparison that fails is tried again, then nothing is said about the garment and the log has it once', async () => {
  const result = await createWaiting();
  checker.find(new Error('no memory'));
  for (let attempt = 1; attempt < 3; attempt++) {
    await expect(run(result)).rejects.toThrow('no memory');
    expect(await findingOf(result)).toMatchObject({ verdict: 'pending', attempts: attempt });
  }
  await run(result);
  expect(await findingOf(result)).toMatchObject({ verdict: 'not_comparable', reason: 'check_failed' });
  await run(result);
  const errors = logLines.filter((line) => line.includes(result.id) && line.includes('could not be compared'));
  expect(errors).toHaveLength(1);
});

test('a storage that is away costs no attempt for half an hour, then the comparison is given up', async () => {
  const result = await createWaiting();
  checker.find(new StorageUnavailableError(new Error('the disk is gone')));
  for (let attempt = 0; attempt < 4; attempt++) await expect(run(result)).rejects.toThrow(StorageUnavailableError);
  expect(await findingOf(result)).toMatchObject({ verdict: 'pending', attempts: 0 });
  const outageMs = 31 * 60_000;
  // pg-boss doubles a pause with each retry, and takes half of it or more.
  const { retryLimit, retryDelaySeconds, retryDelayMaxSeconds } = JOBS['check-garment'];
  const pauses = Array.from({ length: retryLimit - 3 }, (_, retry) =>
    Math.min(retryDelayMaxSeconds, (retryDelaySeconds * 2 ** retry) / 2),
  );
  expect(1000 * pauses.reduce((sum, pause) => sum + pause)).toBeGreaterThan(outageMs);
  const createdAt = new Date(Date.now() - outageMs);
  await testApp.app.db.garmentCheck.update({ where: { resultId: result.id }, data: { createdAt } });
  for (let attempt = 1; attempt < 3; attempt++) await expect(run(result)).rejects.toThrow(StorageUnavailableError);
  await run(result);
  expect(await findingOf(result)).toMatchObject({ verdict: 'not_comparable', reason: 'check_failed' });
});

test('a comparison that ends the process every time is given up', async () => {
  const result = await createWaiting();
  await testApp.app.db.garmentCheck.update({ where: { resultId: result.id }, data: { attempts: 3 } });
  await run(result);
  expect(checker.orders).toEqual([]);
  expect(await findingOf(result)).toMatchObject({ verdict: 'not_comparable', reason: 'check_failed' });
});

test('a process that stops uses up no attempt', async () => {
  const result = await createWaiting();
  const stopping = new AbortController();
  checker.find(async () => {
    stopping.abort(new Error('the process stops'));
    throw new Error('the thread was ended');
  });
  await expect(run(result, stopping.signal)).rejects.toThrow();
  expect(await findingOf(result)).toMatchObject({ verdict: 'pending', attempts: 0 });
});

test.each([
  {
    what: 'the photo is gone',
    reason: 'photo_gone',
    remove: async ({ generationId }: Result) => {
      await testApp.app.db.generationInput.deleteMany({ where: { generationId } });
    },
  },
  {
    what: 'the result was deleted',
    reason: 'result_deleted',
    remove: async ({ id }: Result) => {
      await testApp.app.db.result.update({ where: { id }, data: { deletedAt: new Date() } });
    },
  },
])('nothing is compared when $what', async ({ reason, remove }) => {
  const result = await createWaiting();
  await remove(result);
  await run(result);
  expect(checker.orders).toEqual([]);
  expect(await findingOf(result)).toMatchObject({ verdict: 'not_comparable', reason });
});

test('a finding goes with its result', async () => {
  const result = await createWaiting();
  await testApp.app.db.result.delete({ where: { id: result.id } });
  await run(result);
  expect(await testApp.app.db.garmentCheck.count({ where: { resultId: result.id } })).toBe(0);
});

test('the checker of the product finds a mirrored print in the stored files', async () => {
  const { app } = testApp;
  const result = await createWaiting();
  const { drawPhoto, results } = inventPhoto(6);
  const mirrored = results.find(({ label }) => label?.kind === 'mirrored');
  if (!mirrored) throw new Error('the photo has no such result');
  const photo = await findSubject(result.generationId);
  const picture = await drawPhoto();
  await storeFiles(photo, picture, picture);
  const original = await mirrored.draw();
  await app.storage.put(result.originalKey, original, 'image/jpeg');
  await app.db.result.update({ where: { id: result.id }, data: { bytes: original.length } });
  await checkGarment({ ...app, garmentChecker: createOpenCvGarmentChecker() }, result.id, new AbortController().signal);
  expect(await findingOf(result)).toMatchObject({ verdict: 'drifted', drifts: ['print'], printSimilarity: 0 });
});
