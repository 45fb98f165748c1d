import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { fitToFrame, shrinkPhoto, UnreadablePhotoError } from '#api/adapters/generation-engines/fit-photo.ts';
import { ASPECT_RATIOS, VIDEO_FRAME_SIZES } from '#shared/rules/motion-presets.ts';

const draw = (svg: string) => sharp(Buffer.from(svg)).png().toBuffer();

/** A circle before a wall of one colour per side, so that stretching and padding can be measured. */
function drawCircle(width: number, height: number): Promise<Buffer> {
  const radius = Math.min(width, height) / 4;
  return draw(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#d8d8d4"/><circle cx="${width / 2}" cy="${height / 2}" r="${radius}" fill="#c01020"/></svg>`);
}

async function measure(picture: Buffer) {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const box = { left: info.width, right: 0, top: info.height, bottom: 0 };
  for (let y = 0; y < info.height; y++) {
    for (let x = 0; x < info.width; x++) {
      const at = (y * info.width + x) * 3;
      if ((data[at] ?? 0) < 150 || (data[at + 1] ?? 0) > 80) continue;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
  }
  const corner = [...data.subarray(0, 3)];
  return { width: info.width, height: info.height, across: box.right - box.left, down: box.bottom - box.top, corner };
}

describe('a photo in a frame', () => {
  test.each(ASPECT_RATIOS)('of %s has exactly its size, and nothing in it is stretched or lost', async (ratio) => {
    const frame = VIDEO_FRAME_SIZES[ratio];
    for (const [width, height] of [
      [900, 600],
      [600, 900],
      [500, 500],
      [300, 1200],
    ] as const) {
      const seen = await measure(await fitToFrame(await drawCircle(width, height), frame));
      expect(seen).toMatchObject(frame);
      expect(Math.abs(seen.across - seen.down)).toBeLessThanOrEqual(4);
      const scale = Math.min(frame.width / width, frame.height / height);
      expect(seen.across).toBeGreaterThanOrEqual((Math.min(width, height) / 2) * scale - 4);
    }
  });

  test('is shown larger where its sides are empty', async () => {
    const seen = await measure(await fitToFrame(await drawCircle(1200, 1200), VIDEO_FRAME_SIZES['9:16']));
    expect(seen.across).toBeGreaterThan(900);
    expect(Math.abs(seen.across - seen.down)).toBeLessThanOrEqual(4);
  });

  test('stays whole where something thin is at its side', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><rect width="900" height="900" fill="#ddd"/>
      <path d="M450 300L60 420" stroke="#c01020" stroke-width="16"/></svg>`;
    const fitted = await fitToFrame(await draw(svg), VIDEO_FRAME_SIZES['9:16']);
    expect((await measure(fitted)).across).toBeGreaterThan(440);
  });

  test('is continued in the colour of its own edge', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600"><rect width="900" height="600" fill="#d8d8d4"/>
      <rect y="250" width="900" height="100" fill="#c01020"/></svg>`;
    const fitted = await fitToFrame(await draw(svg), VIDEO_FRAME_SIZES['9:16']);
    const { corner, down } = await measure(fitted);
    expect(down).toBeLessThan(125);
    for (const [index, value] of [0xd8, 0xd8, 0xd4].entries()) {
      expect(Math.abs((corner[index] ?? 0) - value)).toBeLessThanOrEqual(3);
    }
  });

  test('is as sharp as before where it is continued', async () => {
    const stripes = `<svg xmlns="http://www.w3.org/2000/svg" width="540" height="360"><rect width="540" height="360" fill="#fff"/>
      <path d="${Array.from({ length: 27 }, (_, index) => `M${index * 20} 0h10v360h-10z`).join('')}"/></svg>`;
    const fitted = await fitToFrame(await draw(stripes), { width: 540, height: 960 });
    const contrastAt = async (top: number) => {
      const { channels } = await sharp(
        await sharp(fitted).extract({ left: 40, top, width: 400, height: 20 }).toBuffer(),
      ).stats();
      return channels[0]?.stdev ?? 0;
    };
    expect(await contrastAt(470)).toBeGreaterThan(100);
    expect(await contrastAt(20)).toBeLessThan(50);
  });

  test('loses a sliver rather than getting a narrow bar', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="620" height="800"><rect width="620" height="800" fill="#00f"/>
      <rect x="8" width="604" height="800" fill="#0f0"/></svg>`;
    const fitted = await fitToFrame(await draw(svg), VIDEO_FRAME_SIZES['3:4']);
    const { channels } = await sharp(fitted).stats();
    expect(channels[2]?.mean).toBeLessThan(5);
  });
});

test('a photo is shrunk to the longest side, and a small one keeps its size', async () => {
  const sizeOf = async (width: number, height: number) => {
    const metadata = await sharp(await shrinkPhoto(await drawCircle(width, height), 1000)).metadata();
    return [metadata.format, metadata.width, metadata.height];
  };
  expect(await sizeOf(3000, 1500)).toEqual(['jpeg', 1000, 500]);
  expect(await sizeOf(300, 400)).toEqual(['jpeg', 300, 400]);
});

test('bytes that are no picture are named so', async () => {
  await expect(fitToFrame(Buffer.from('text'), VIDEO_FRAME_SIZES['1:1'])).rejects.toThrow(UnreadablePhotoError);
  await expect(shrinkPhoto(Buffer.alloc(0), 100)).rejects.toThrow(UnreadablePhotoError);
});
