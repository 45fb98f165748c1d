import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { makeModelChange } from '#api/adapters/generation-engines/local/make-model-change.ts';

const background = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#14783c' } })
  .png()
  .toBuffer();

/** The size of the picture of a disc. Its file had a transparent ground, so that the cut-out takes no time. */
async function measurePicture(width: number, height: number, radius: number) {
  const disc = sharp(
    Buffer.from(
      `<svg width="${width}" height="${height}"><circle cx="50%" cy="50%" r="${radius}" fill="#356a8c"/></svg>`,
    ),
  );
  const photo = await disc.clone().flatten({ background: '#ffffff' }).jpeg().toBuffer();
  const mask = await disc.extractChannel('alpha').png().toBuffer();
  return sharp(await makeModelChange(photo, background, undefined, null, mask)).metadata();
}

describe('the picture of a change of model', () => {
  test('has 1200 x 1600 pixels where the photo has them, however small the product is in it', async () => {
    expect(await measurePicture(1200, 1600, 220)).toMatchObject({ width: 1200, height: 1600 });
  });

  test('is accepted by marketplaces when it is made from the smallest photo', async () => {
    const { width, height } = await measurePicture(300, 400, 110);
    expect(width).toBeGreaterThanOrEqual(900);
    expect(height).toBeGreaterThanOrEqual(1200);
  });
});
