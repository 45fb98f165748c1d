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
  const inside = new Uint16Array(width * height);
  const outside = new Uint16Array(width * height);
  for (let pixel = 0; pixel < data.length; pixel++) (data[pixel]! > 127 ? inside : outside)[pixel] = most;
  for (const plane of [inside, outside]) spread(plane, width, height);
  const distance = new Float32Array(width * height);
  for (let pixel = 0; pixel < distance.length; pixel++) {
    const [within, beyond] = [inside[pixel]!, outside[pixel]!];
    // The outline runs between two pixels, half a step from each.
    distance[pixel] = within > 0 ? within / STRAIGHT - 0.5 : 0.5 - beyond / STRAIGHT;
  }
  return distance;
}

/** Replaces the non-zero values of a plane by the distance from the nearest 0, in two passes. */
function spread(plane: Uint16Array, width: number, height: number): void {
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x;
      let nearest = plane[pixel]!;
      if (nearest === 0) continue;
      if (x > 0) nearest = Math.min(nearest, plane[pixel - 1]! + STRAIGHT);
      if (y > 0) {
        const above = pixel - width;
        nearest = Math.min(nearest, plane[above]! + STRAIGHT);
        if (x > 0) nearest = Math.min(nearest, plane[above - 1]! + DIAGONAL);
        if (x < width - 1) nearest = Math.min(nearest, plane[above + 1]! + DIAGONAL);
      }
      plane[pixel] = nearest;
    }
  }
  for (let y = height - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--) {
      const pixel = y * width + x;
      let nearest = plane[pixel]!;
      if (nearest === 0) continue;
      if (x < width - 1) nearest = Math.min(nearest, plane[pixel + 1]! + STRAIGHT);
      if (y < height - 1) {
        const below = pixel + width;
        nearest = Math.min(nearest, plane[below]! + STRAIGHT);
        if (x > 0) nearest = Math.min(nearest, plane[below - 1]! + DIAGONAL);
        if (x < width - 1) nearest = Math.min(nearest, plane[below + 1]! + DIAGONAL);
      }
      plane[pixel] = nearest;
    }
  }
}
