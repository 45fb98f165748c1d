import { expect, test } from 'vitest';
import { boxBlur, type Plane } from '#api/imaging/pixel-image.ts';

/** The mean of each window, pixel by pixel. */
function blurPlainly({ width, data }: Plane<Uint8Array | Float32Array>, radius: number): number[] {
  return Array.from(data, (_, pixel) => {
    const [column, row] = [pixel % width, Math.floor(pixel / width)];
    const inWindow = [...data].filter((_value, other) => {
      const [x, y] = [other % width, Math.floor(other / width)];
      return Math.abs(x - column) <= radius && Math.abs(y - row) <= radius;
    });
    return inWindow.reduce((sum, value) => sum + value, 0) / inWindow.length;
  });
}

test.each([
  { width: 9, height: 7, radius: 1 },
  { width: 9, height: 7, radius: 3 },
  { width: 9, height: 7, radius: 0 },
  { width: 9, height: 7, radius: 7 },
  { width: 4, height: 9, radius: 5 },
  { width: 1, height: 8, radius: 2 },
  { width: 8, height: 1, radius: 2 },
])('a blur of radius $radius takes the mean of what the window holds of $width x $height pixels', (shape) => {
  const { width, height, radius } = shape;
  const bytes = Uint8Array.from({ length: width * height }, (_, pixel) => (pixel * 37) % 256);
  for (const data of [bytes, Float32Array.from(bytes, (byte) => byte / 7)]) {
    const expected = blurPlainly({ width, height, data }, radius);
    const blurred = boxBlur({ width, height, data }, radius);
    expect(blurred).toMatchObject({ width, height });
    for (const [pixel, mean] of expected.entries()) expect(blurred.data[pixel]).toBeCloseTo(mean, 3);
  }
});
