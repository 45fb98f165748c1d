import { describe, expect, test } from 'vitest';
import { choosePictureSize } from '#api/imaging/picture-file.ts';
import { leastPictureWidth } from '#shared/rules/close-ups.ts';

describe('the size of a picture', () => {
  test.each([
    { shown: 2000, width: 1620 },
    { shown: 1401, width: 1401 },
    { shown: 1000, width: 1200 },
    { shown: 700, width: 945 },
    { shown: 300, width: 900 },
  ])('is $width pixels across where it shows $shown of a small photo', ({ shown, width }) => {
    expect(choosePictureSize(shown, 900)).toEqual({ width, height: (width * 4) / 3 });
  });

  test.each([
    { photo: { width: 300, height: 400 }, least: 900 },
    { photo: { width: 1199, height: 1600 }, least: 900 },
    { photo: { width: 1200, height: 1600 }, least: 1200 },
    { photo: { width: 1600, height: 1200 }, least: 900 },
    { photo: { width: 3000, height: 2000 }, least: 1200 },
  ])('is never below $least across for a photo of $photo.width x $photo.height', ({ photo, least }) => {
    expect(leastPictureWidth(photo)).toBe(least);
    expect(choosePictureSize(250, leastPictureWidth(photo)).width).toBe(least);
  });
});
