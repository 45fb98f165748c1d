import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { makePhotosession } from '#api/adapters/generation-engines/local/make-photosession.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';

const SMALLEST = { width: 300, height: 400 };

async function makeFrames(...order: Parameters<typeof makePhotosession>) {
  const frames: Buffer[] = [];
  for await (const { jpeg } of makePhotosession(...order)) frames.push(jpeg);
  return frames;
}

/** Mean difference of two pictures, in levels. */
function compare(one: Buffer, other: Buffer): number {
  return one.reduce((sum, level, i) => sum + Math.abs(level - other[i]!), 0) / one.length;
}

/** The width of a check in pixels: the shortest shift that lays the pattern on itself. */
async function measureCheck(jpeg: Buffer): Promise<number> {
  const { data, info } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true });
  const column = (x: number) => {
    let sum = 0;
    for (let y = 0; y < info.height; y++) sum += data[y * info.width + x]!;
    return sum / info.height;
  };
  const columns = Array.from({ length: info.width }, (_, x) => column(x));
  const slopes = columns.slice(1).map((level, x) => level - columns[x]!);
  const likeness = (shift: number) =>
    slopes.slice(shift).reduce((sum, slope, x) => sum + slope * slopes[x]!, 0) / (slopes.length - shift);
  const shifts = Array.from({ length: 200 }, (_, i) => i + 20);
  const most = Math.max(...shifts.map(likeness));
  const first = shifts.findIndex((shift) => likeness(shift) > most * 0.6);
  const near = shifts.slice(first, first + 12);
  return near.toSorted((a, b) => likeness(b) - likeness(a))[0]!;
}

describe('the frames of a photo session', () => {
  test.each(['garment', 'busy'] as const)('are five different ones for a %s', async (kind) => {
    const photo = await drawProductPhoto(kind, SMALLEST);
    const frames = await makeFrames(photo, [0, 1, 2, 3, 4], { width: 240, height: 320 });
    const small = await Promise.all(frames.map((frame) => sharp(frame).resize(60, 80).raw().toBuffer()));
    for (const [i, frame] of small.entries()) {
      for (const other of small.slice(i + 1)) expect(compare(frame, other)).toBeGreaterThan(4);
    }
  });

  test('have the planned size when nothing is cut out: 900 x 1200 from 300 x 400, as the photo and as its print', async () => {
    for (const frame of await makeFrames(await drawProductPhoto('busy', SMALLEST), [0, 1])) {
      expect(await sharp(frame).metadata()).toMatchObject({ width: 900, height: 1200 });
    }
  });

  test('show cloth from nearer in 1200 x 1600 where the photo is large, enlarged by little', async () => {
    const size = { width: 2048, height: 2732 };
    const check = (26 * size.width) / 600;
    const photo = await drawProductPhoto('garment', size);
    // To find the outline of a large photo would take a second.
    const mask = await sharp(photo).greyscale().threshold(245).negate().png().toBuffer();
    const [upper, detail] = await makeFrames(photo, [2, 3], undefined, mask);
    for (const frame of [upper!, detail!]) {
      const { width, height } = await sharp(frame).metadata();
      expect(width).toBeGreaterThanOrEqual(1200);
      expect(height).toBeGreaterThanOrEqual(1600);
      // The measurement may be off by a pixel.
      expect((await measureCheck(frame)) - 1).toBeLessThanOrEqual(check * 1.35);
    }
    expect(await measureCheck(detail!)).toBeGreaterThan(check * 1.2);
  });
});
