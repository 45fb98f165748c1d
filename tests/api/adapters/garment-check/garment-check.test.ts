import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  checkGarment,
  judge,
  measureResult,
  readSource,
  type SourceGarment,
} from '#api/adapters/garment-check/check-garment.ts';
import { createOpenCvGarmentChecker } from '#api/adapters/garment-check/opencv-garment-checker.ts';
import { inventPhoto, type LabelledResult } from '#tests/fixtures/draw-garment-pairs.ts';
import { THRESHOLDS } from '#tests/support/garment-score.ts';

/** Photos that the check was tuned with. The held-out ones stay unknown: only the slow suite measures them. */
const PHOTOS = { emblem: inventPhoto(6), word: inventPhoto(10), buttons: inventPhoto(104), check: inventPhoto(109) };
type Look = keyof typeof PHOTOS;
let photo: Buffer;

beforeAll(async () => {
  photo = await PHOTOS.emblem.drawPhoto();
});

function drawResult(look: Look, isWanted: (result: LabelledResult) => boolean): Promise<Buffer> {
  return PHOTOS[look].results.find(isWanted)!.draw();
}

describe('the checker', () => {
  const checker = createOpenCvGarmentChecker();
  const { signal } = new AbortController();

  test('of several pictures, the worst counts, and its mirrored print is shown in both pictures', async () => {
    const mirrored = await drawResult('emblem', ({ label }) => label?.kind === 'mirrored');
    const order = { source: photo, results: [mirrored, photo], thresholds: THRESHOLDS };
    const found = await checker.check(order, signal);
    expect(found).toMatchObject({ verdict: 'drifted', drifts: ['print'], printSimilarity: 0, resultIndex: 0 });
    // The drawing has its print in the middle of the chest.
    expect(found.crops!.source.left).toBeLessThan(0.45);
    expect(found.crops!.source.right).toBeGreaterThan(0.55);
    expect(found.crops!.source.top).toBeLessThan(0.46);
    expect(found.crops!.source.bottom).toBeGreaterThan(0.46);
    for (const box of [found.crops!.source, found.crops!.result]) {
      expect(Math.min(box.left, box.top)).toBeGreaterThanOrEqual(0);
      expect(Math.max(box.right, box.bottom)).toBeLessThanOrEqual(1);
    }
  });

  test('rejects with the reason of its signal, and when a file is no picture', async () => {
    const reason = new Error('the order was cancelled');
    const order = { source: Buffer.from('no picture'), results: [Buffer.from('none')], thresholds: THRESHOLDS };
    await expect(checker.check(order, AbortSignal.abort(reason))).rejects.toBe(reason);
    await expect(checker.check(order, signal)).rejects.toThrow(/image format/);
  });
});

describe('a comparison, without the process that the checker starts for it', () => {
  let sources: Record<Look, SourceGarment>;

  beforeAll(async () => {
    const read = async (look: Look) => (await readSource(await PHOTOS[look].drawPhoto()))!;
    sources = {
      emblem: await read('emblem'),
      word: await read('word'),
      buttons: await read('buttons'),
      check: await read('check'),
    };
  });

  const compare = async (look: Look, result: Buffer) =>
    judge(await measureResult(sources[look], result), THRESHOLDS, 0);

  test('keeps a garment in another pose, in other light with a shadow and before another ground', async () => {
    const scene = await drawResult('emblem', ({ harmless, label }) => harmless === 'scene' && !label);
    const found = await compare('emblem', scene);
    expect(found).toMatchObject({ verdict: 'kept', reason: null, drifts: [], resultIndex: 0 });
    expect(found.colourDifference).toBeLessThan(THRESHOLDS.colourDifference);
    expect(found.printSimilarity).toBeGreaterThan(THRESHOLDS.printSimilarity);
    expect(found.featureMatches).toBeGreaterThanOrEqual(10);
  });

  test.each(['jpeg', 'crop'])(
    'keeps a garment in a picture that only differs by its compression or crop (%s)',
    async (kind) => {
      const result = await drawResult('emblem', ({ harmless, label }) => harmless === kind && !label);
      expect(await compare('emblem', result)).toMatchObject({ verdict: 'kept', drifts: [] });
    },
  );

  test.each([
    ['without a print', 'buttons', 'scene'],
    ['of checked cloth', 'check', 'light'],
  ] as const)('keeps a garment %s', async (_garment, look, kind) => {
    const result = await drawResult(look, ({ harmless, label }) => harmless === kind && !label);
    expect(await compare(look, result)).toMatchObject({ verdict: 'kept', drifts: [] });
  });

  test('finds a hue that differs by 12 degrees', async () => {
    const result = await drawResult('emblem', ({ label }) => label?.kind === 'hue' && label.degrees === 12);
    expect(await compare('emblem', result)).toMatchObject({ verdict: 'drifted', drifts: ['colour'] });
  });

  test.each([
    ['emblem', 'moved', ['print']],
    ['emblem', 'replaced', ['colour', 'print']],
    ['word', 'blurred', ['print']],
    ['word', 'letters', ['print']],
    ['buttons', 'buttons', ['print']],
  ] as const)('finds what has drifted on the cloth: %s, %s', async (look, kind, drifts) => {
    const found = await compare(look, await drawResult(look, ({ label }) => label?.kind === kind));
    expect(found).toMatchObject({ verdict: 'drifted', drifts });
  });

  test('says honestly that it cannot compare a result without the garment', async () => {
    const ground = path.join(import.meta.dirname, '../../../../api/catalogue/backgrounds/pro.webp');
    const found = await compare('emblem', await sharp(ground).jpeg().toBuffer());
    expect(found).toMatchObject({ verdict: 'not_comparable', drifts: [], crops: null });
    expect(found.reason).not.toBeNull();
  });
});

describe('a check of several frames, without the process that the checker starts for it', () => {
  const drawEmpty = () =>
    sharp({ create: { width: 720, height: 960, channels: 3, background: '#cccccc' } })
      .jpeg()
      .toBuffer();

  test('is not decided by a frame that shows nothing of the garment, when another shows it well', async () => {
    const found = await checkGarment(photo, [await drawEmpty(), photo], THRESHOLDS);
    expect(found).toMatchObject({ verdict: 'kept', resultIndex: 1 });
  });

  test('says when the photo itself shows no garment', async () => {
    const empty = await drawEmpty();
    const found = await checkGarment(empty, [empty], THRESHOLDS);
    expect(found).toMatchObject({ verdict: 'not_comparable', reason: 'source_garment_not_found' });
  });
});
