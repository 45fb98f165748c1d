import type { Plane } from './pixel-image.ts';

/** Steps of the chamfer distance: along a row or column, and diagonally. */
const STRAIGHT = 3;
const DIAGONAL = 4;

/**
 * Distance of every pixel from the outline of a mask, in pixels: positive inside, negative outside, at most `limit`
 * either way. Unlike a blurred mask it separates the middle of a narrow gap from the cloth on both sides. The border of
 * the picture does not count as outline.
 */
export function measureOutlineDistance({ width, height, data }: Plane<Uint8Array>, limit: number): Float32Array {
  const most = limit * STRAIGHT;
  const stride = width + 2;
  const inside = new Uint16Array(stride * (height + 2)).fill(most);
  const outside = inside.slice();
  for (let y = 0; y < height; y++) {
    const row = (y + 1) * stride + 1;
    for (let x = 0; x < width; x++) (data[y * width + x]! > 127 ? outside : inside)[row + x] = 0;
  }
  for (const plane of [inside, outside]) spread(plane, stride);
  const distance = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = (y + 1) * stride + 1;
    for (let x = 0; x < width; x++) {
      const within = inside[row + x]!;
      // The outline runs between two pixels, half a step from each.
      distance[y * width + x] = within > 0 ? within / STRAIGHT - 0.5 : 0.5 - outside[row + x]! / STRAIGHT;
    }
  }
  return distance;
}

/**
 * Replaces the non-zero values of a plane by the distance from the nearest 0, in two passes. The plane has a frame of
 * one pixel with the largest value, so that every pixel has all its neighbours.
 */
function spread(plane: Uint16Array, stride: number): void {
  for (let row = stride; row < plane.length - stride; row += stride) {
    approach(plane, row + 1, row + stride - 1, 1, -stride);
  }
  for (let row = plane.length - 2 * stride; row > 0; row -= stride) {
    approach(plane, row + stride - 2, row, -1, stride);
  }
}

/** Lowers the values of a row, in this direction, to what its last pixel and the row that was done before allow. */
function approach(plane: Uint16Array, from: number, to: number, step: 1 | -1, done: number): void {
  for (let pixel = from; pixel !== to; pixel += step) {
    const own = plane[pixel]!;
    if (own === 0) continue;
    const straight = Math.min(plane[pixel - step]!, plane[pixel + done]!) + STRAIGHT;
    const diagonal = Math.min(plane[pixel + done - 1]!, plane[pixel + done + 1]!) + DIAGONAL;
    plane[pixel] = Math.min(own, straight, diagonal);
  }
}
