import { describe, expect, test } from 'vitest';
import { choosePictureSize } from '#api/adapters/generation-engines/local/picture-size.ts';

describe('the size of a picture', () => {
  test.each([
    { photo: 2000, width: 1620 },
    { photo: 1401, width: 1401 },
    { photo: 1000, width: 1200 },
    { photo: 600, width: 900 },
  ])('is $width pixels across where the photo has $photo: never enlarged by more than half', ({ photo, width }) => {
    expect(choosePictureSize(photo, 1200)).toEqual({ width, height: (width * 4) / 3 });
  });

  test('is never below the least that was asked for', () => {
    expect(choosePictureSize(500, 1080, 1080)).toEqual({ width: 1080, height: 1440 });
  });
});
