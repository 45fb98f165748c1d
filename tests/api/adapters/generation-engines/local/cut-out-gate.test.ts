import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { cutOutSubject } from '#api/adapters/generation-engines/local/cut-out-subject.ts';
import { decodePhoto } from '#api/imaging/pixel-image.ts';
import { segmentSubject } from '#api/imaging/segment-subject.ts';
import { CLOSED_GAPS, drawProductPhoto, type ProductPhotoKind } from '#tests/fixtures/draw-product-photo.ts';

const SIZE = { width: 480, height: 640 };

async function segment(kind: ProductPhotoKind) {
  const segmentation = await segmentSubject(await decodePhoto(await drawProductPhoto(kind, SIZE), 640));
  const { mask, width, height } = segmentation;
  /** Whether a place on the drawing's canvas of 600 x 800 belongs to the subject. */
  const isSubject = (x: number, y: number) =>
    mask[Math.round((y / 800) * height) * width + Math.round((x / 600) * width)] === 255;
  return { ...segmentation, isSubject };
}

describe('the cut-out gate', () => {
  test.each([
    ['a garment before a plain ground', 'garment'],
    ['a person before a plain ground', 'person'],
    ['a shoe before a plain ground', 'shoe'],
    ['a small clear product, whatever stains its wall has and wherever its shadow falls', 'gown'],
  ] as const)('trusts the outline of %s', async (_thing, kind) => {
    expect((await segment(kind)).verdict).toMatchObject({ isTrusted: true });
  });

  test.each([
    ['a white shoe that would lose its toe', 'pale-shoe', 'cut_too_small'],
    ['a figure whose arm encloses either shaded ground or cloth', 'shaded-gap', 'ground_enclosed'],
    ['anything out of a street', 'busy', 'ground_not_plain'],
  ] as const)('does not cut %s', async (_thing, kind, reason) => {
    const { verdict, isPlainGround } = await segment(kind);
    expect(verdict).toMatchObject({ isTrusted: false, reason });
    expect(isPlainGround).toBe(kind !== 'busy');
  });

  test('cuts out a whole white shirt where its rim is visible, not only its print', async () => {
    const { verdict, isSubject } = await segment('white-garment');
    expect(verdict).toMatchObject({ isTrusted: true });
    const places = [
      [110, 315],
      [490, 315],
      [190, 600],
      [410, 600],
      [300, 250],
    ] as const;
    for (const [x, y] of places) expect(isSubject(x, y), `${x} ${y}`).toBe(true);
  });

  test('cuts a standing person with all limbs from a wall with falling light', async () => {
    const { verdict, isSubject } = await segment('standing');
    expect(verdict).toMatchObject({ isTrusted: true });
    const limbs = [
      [300, 100],
      [160, 294],
      [440, 294],
      [235, 735],
      [370, 735],
    ] as const;
    for (const [x, y] of limbs) expect(isSubject(x, y), `${x} ${y}`).toBe(true);
    // Ground that arms and legs enclose.
    const gaps = [
      [206, 300],
      [394, 300],
      [300, 650],
      [300, 770],
    ] as const;
    for (const [x, y] of gaps) expect(isSubject(x, y), `${x} ${y}`).toBe(false);
  });

  test('does not let a white shirt on white be cut to its print', async () => {
    const { verdict, subjectBox } = await segment('pale-garment');
    expect(verdict).toMatchObject({ isTrusted: false, reason: 'cut_too_small' });
    expect(subjectBox.right - subjectBox.left).toBeGreaterThan(0.2);
  });

  test('makes no hole in a shirt whose print has the colour of the ground', async () => {
    const { verdict, isSubject } = await segment('ground-coloured-print');
    expect(verdict).toMatchObject({ isTrusted: true });
    for (const [x, y] of [[300, 375] as const, [208, 510] as const]) expect(isSubject(x, y), `${x} ${y}`).toBe(true);
  });

  test.each([1000, 1600])(
    'leaves no old ground in gaps that limbs close, in a photo %i pixels high',
    async (height) => {
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
    },
  );

  test('does not take dots in the colour of the ground for gaps', async () => {
    const { verdict, isSubject } = await segment('dotted');
    expect(verdict).toMatchObject({ isTrusted: true });
    for (const x of [190, 222, 378, 410]) {
      for (let y = 400; y < 640; y += 32) expect(isSubject(x, y), `${x} ${y}`).toBe(true);
    }
  });

  test.each(['shaded-gap-on-green', 'shaded-gap-on-teal'] as const)(
    'does not sell the old ground between sleeve and waist (%s)',
    async (kind) => {
      const { verdict, isSubject } = await segment(kind);
      const isKept = isSubject(200, 340) || isSubject(400, 340);
      expect(verdict.isTrusted && isKept).toBe(false);
    },
  );

  test('does not sell a coloured soft shadow as a part of a shirt', async () => {
    const { verdict, isSubject } = await segment('brown-shadow');
    expect(isSubject(300, 680)).toBe(true);
    expect(verdict).toMatchObject({ isTrusted: false, reason: 'outline_not_supported' });
  });

  test('trusts an outline that fades out softly along less than 8 % of its length', async () => {
    const { verdict, isSubject } = await segment('short-brown-shadow');
    expect(isSubject(300, 680)).toBe(true);
    expect(verdict).toMatchObject({ isTrusted: true });
    expect(verdict.evidence?.softShare).toBeGreaterThan(0.05);
  });
});
