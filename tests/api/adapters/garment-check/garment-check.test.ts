import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkGarment } from '#api/adapters/garment-check/check-garment.ts';
import { createOpenCvGarmentChecker } from '#api/adapters/garment-check/opencv-garment-checker.ts';
import { inventPhoto, type LabelledResult } from '#tests/fixtures/draw-garment-pairs.ts';
import { type Judged, judgePhotos, scoreOf, THRESHOLDS } from '#tests/support/garment-score.ts';

/** Photos that the check was tuned with. The held-out ones stay unknown: only the bench measures them. */
const SAMPLE_SEEDS = [101, 103, 106];

describe('a sample of the labelled photos', () => {
  let judged: Judged[];

  beforeAll(async () => {
    judged = await judgePhotos(SAMPLE_SEEDS, sampleResult);
  });

  test('has good results and drifts in about equal numbers', () => {
    const drifts = judged.filter(({ label }) => label !== null).length;
    expect(judged.length).toBeGreaterThanOrEqual(11);
    expect(drifts / judged.length).toBeGreaterThan(0.35);
    expect(drifts / judged.length).toBeLessThan(0.65);
  });

  test('shows few good results as drifted, and lets few visible drifts pass', () => {
    const { precision, recall, mistakes } = scoreOf(judged);
    expect(precision, mistakes.join('; ')).toBeGreaterThanOrEqual(0.9);
    expect(recall, mistakes.join('; ')).toBeGreaterThanOrEqual(0.9);
  });
});

/** Every fourth result, others for every photo. Hues that are hardly visible are left to the bench. */
function sampleResult({ label }: LabelledResult, index: number, seed: number): boolean {
  if (label?.kind === 'hue' && label.degrees < 12) return false;
  return (index + seed) % 4 === 0;
}

const invented = inventPhoto(6);
const find = (harmless: string, kind?: string) =>
  invented.results.find((result) =>
    kind ? result.label?.kind === kind : result.harmless === harmless && !result.label,
  )!;
let photo: Buffer;

beforeAll(async () => {
  photo = await invented.drawPhoto();
});

describe('the checker', () => {
  const checker = createOpenCvGarmentChecker();
  const { signal } = new AbortController();

  test('of several pictures, the worst counts, and its mirrored print is shown in both pictures', async () => {
    const results = [await find('', 'mirrored').draw(), await find('pose').draw()];
    const found = await checker.check({ source: photo, results, thresholds: THRESHOLDS }, signal);
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

describe('a check, without the process that the checker starts for it', () => {
  const check = (...results: Buffer[]) => checkGarment(photo, results, THRESHOLDS);
  const drawEmpty = () =>
    sharp({ create: { width: 720, height: 960, channels: 3, background: '#cccccc' } })
      .jpeg()
      .toBuffer();

  test('keeps a garment in another pose, in other light and before another ground', async () => {
    const found = await check(await find('scene').draw());
    expect(found).toMatchObject({ verdict: 'kept', reason: null, drifts: [], resultIndex: 0 });
    expect(found.colourDifference).toBeLessThan(THRESHOLDS.colourDifference);
    expect(found.printSimilarity).toBeGreaterThan(THRESHOLDS.printSimilarity);
    expect(found.featureMatches).toBeGreaterThanOrEqual(10);
  });

  test('says honestly that it cannot compare a result without the garment', async () => {
    const ground = path.join(import.meta.dirname, '../../../../api/catalogue/backgrounds/pro.webp');
    const found = await check(await sharp(ground).jpeg().toBuffer());
    expect(found).toMatchObject({ verdict: 'not_comparable', drifts: [], crops: null });
    expect(found.reason).not.toBeNull();
  });

  test('a frame that shows nothing of the garment does not outweigh one that shows it well', async () => {
    expect(await check(await drawEmpty(), await find('same').draw())).toMatchObject({
      verdict: 'kept',
      resultIndex: 1,
    });
  });

  test('says when the photo itself shows no garment', async () => {
    const empty = await drawEmpty();
    const found = await checkGarment(empty, [empty], THRESHOLDS);
    expect(found).toMatchObject({ verdict: 'not_comparable', reason: 'source_garment_not_found' });
  });
});
