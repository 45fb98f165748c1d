import { describe, expect, test } from 'vitest';
import { describeMissingCloseUps, hasCloseUps, leastCloseUpWidth, leastPictureWidth } from '#shared/rules/close-ups.ts';

describe('close-ups of a photo', () => {
  test.each([
    [300, 400, false],
    [768, 1024, false],
    [777, 1036, false],
    [778, 1038, true],
    [900, 1200, true],
    [1200, 1600, true],
    // A wide photo counts by its whole width.
    [1600, 900, true],
  ])('%d x %d: %s', (width, height, has) => {
    expect(hasCloseUps({ width, height })).toBe(has);
    expect(describeMissingCloseUps({ width, height }) === null).toBe(has);
  });

  test('enlarge its pixels 1.35 times at the most', () => {
    for (const photo of [
      { width: 900, height: 1200 },
      { width: 3000, height: 4000 },
    ]) {
      expect(leastPictureWidth(photo) / leastCloseUpWidth(photo)).toBeLessThanOrEqual(1.35);
    }
  });

  test('are said to be missing, with the size of the photo', () => {
    expect(describeMissingCloseUps({ width: 768, height: 1024 })).toBe(
      'В этой фотографии 768×1024 пикселей: крупных планов не будет, вместо них — вещь целиком на других фонах',
    );
  });
});
