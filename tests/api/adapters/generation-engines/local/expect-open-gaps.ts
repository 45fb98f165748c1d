import sharp from 'sharp';
import { expect } from 'vitest';
import { cutOutSubject } from '#api/adapters/generation-engines/local/cut-out-subject.ts';
import { CLOSED_GAPS, drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';

/** Cuts out a figure whose limbs enclose ground, and asserts that nothing of that ground is left. */
export async function expectOpenGaps(height: number): Promise<void> {
  const size = { width: height * 0.75, height };
  const { matte } = await cutOutSubject(await drawProductPhoto('closed-gaps', size), 2160);
  const scale = height / 800;
  const gaps = await sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${height}">
    <path transform="scale(${scale})" d="${CLOSED_GAPS}" fill="#fff" stroke="#000" stroke-width="${4 / scale}"/></svg>`),
  )
    .extractChannel(0)
    .raw()
    .toBuffer();
  let area = 0;
  let left = 0;
  for (let pixel = 0; pixel < gaps.length; pixel++) {
    if (gaps[pixel]! < 250) continue;
    area++;
    left += matte!.alpha[pixel]! / 255;
  }
  expect(area).toBeGreaterThan(size.width * height * 0.015);
  expect(left / area).toBeLessThan(0.01);
}
