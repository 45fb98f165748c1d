import { describe, expect, test } from 'vitest';
import { decodePhoto } from '#api/adapters/generation-engines/local/pixel-image.ts';
import { segmentSubject } from '#api/adapters/generation-engines/local/segment-subject.ts';
import { drawProductPhoto, type ProductPhotoKind } from '#tests/fixtures/draw-product-photo.ts';

async function segment(kind: ProductPhotoKind) {
  return segmentSubject(await decodePhoto(await drawProductPhoto(kind, { width: 480, height: 640 }), 640));
}

describe('the cut-out gate', () => {
  test.each(['garment', 'person', 'shoe'] as const)(
    'trusts the outline of a %s before a plain ground',
    async (kind) => {
      const { verdict } = await segment(kind);
      expect(verdict).toMatchObject({ isTrusted: true });
    },
  );

  test('does not let a white shirt on white be cut to its print', async () => {
    const { verdict, subjectBox } = await segment('pale-garment');
    expect(verdict).toMatchObject({ isTrusted: false, reason: 'cut_too_small' });
    expect(subjectBox.right - subjectBox.left).toBeGreaterThan(0.2);
  });

  test('does not try to cut anything out of a street', async () => {
    const { verdict, isPlainGround } = await segment('busy');
    expect(isPlainGround).toBe(false);
    expect(verdict).toMatchObject({ isTrusted: false, reason: 'ground_not_plain' });
  });
});
