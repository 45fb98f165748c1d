import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { makeModelChange } from '#api/adapters/generation-engines/local/make-model-change.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';

const background = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#14783c' } })
  .png()
  .toBuffer();

describe('the picture of a change of model', () => {
  test('has 1200 x 1600 pixels where the photo has them, however small the product is in it', async () => {
    const garment = await drawProductPhoto('garment', { width: 600, height: 800 });
    const photo = await sharp(garment)
      .extend({ top: 400, bottom: 400, left: 300, right: 300, background: '#ffffff' })
      .jpeg()
      .toBuffer();
    const picture = await sharp(await makeModelChange(photo, background)).metadata();
    expect(picture).toMatchObject({ width: 1200, height: 1600 });
  });

  test('is accepted by marketplaces when it is made from the smallest photo', async () => {
    const photo = await drawProductPhoto('garment', { width: 300, height: 400 });
    const { width, height } = await sharp(await makeModelChange(photo, background)).metadata();
    expect(width).toBeGreaterThanOrEqual(900);
    expect(height).toBeGreaterThanOrEqual(1200);
  });
});
