import { describe, expect, test } from 'vitest';
import { decodePhoto } from '#api/imaging/pixel-image.ts';
import { segmentSubject } from '#api/imaging/segment-subject.ts';
import { expectOpenGaps } from '#tests/api/adapters/generation-engines/local/expect-open-gaps.ts';
import { drawProductPhoto, type ProductPhotoKind } from '#tests/fixtures/draw-product-photo.ts';

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
  // The tests of motions and of the local engine prove it of a garment, a shoe and a person.
  test('trusts the outline of a small clear product, whatever stains its wall has and wherever its shadow falls', async () => {
    expect((await segment('gown')).verdict).toMatchObject({ isTrusted: true });
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

  // The slow suite `pixels` has a photo of another size.
  test('leaves no old ground in gaps that limbs close', () => expectOpenGaps(1000));

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
