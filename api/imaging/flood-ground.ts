import type { Deviation } from './deviation.ts';
import { isAtBorder, spread } from './regions.ts';

/** Share of the clearly different pixels that a flood through shadows may cover. More counts as a leak. */
const MAX_LEAK = 0.12;

/**
 * Ground that can be reached from the photo's border without crossing an edge. The flood crosses soft shadows and slow
 * changes of light, and stops a pixel or two before the rim of a thing. One byte per pixel, 1 for reached.
 */
export function floodGround(width: number, height: number, deviation: Deviation): Uint8Array {
  const { distance, threshold, isShadeOfGround } = deviation;
  const flooded = flood(width, height, deviation, (pixel) => isShadeOfGround[pixel] !== 0);
  let standsOut = 0;
  let leaked = 0;
  for (let pixel = 0; pixel < flooded.length; pixel++) {
    if (distance[pixel]! < threshold * 1.5) continue;
    standsOut++;
    leaked += flooded[pixel]!;
  }
  // Through a gap in a rim the flood leaks into a grey garment. The second attempt only crosses pixels that look like
  // lit ground.
  if (leaked < standsOut * MAX_LEAK) return flooded;
  return flood(width, height, deviation, (pixel) => distance[pixel]! < threshold);
}

function flood(
  width: number,
  height: number,
  { gradient, gradientNoise }: Deviation,
  isWalkable: (pixel: number) => boolean,
): Uint8Array {
  // Above the ground's own grain. On a ground without grain even a faint rim counts.
  const edge = Math.max(1.1, Math.min(2.6, gradientNoise * 6));
  const isOpen = (pixel: number) => {
    if (!isWalkable(pixel)) return false;
    const x = pixel % width;
    for (let row = pixel - width; row <= pixel + width; row += width) {
      for (let place = x > 0 ? row - 1 : row; place <= (x < width - 1 ? row + 1 : row); place++) {
        if ((gradient[place] ?? 0) >= edge) return false;
      }
    }
    return true;
  };
  const flooded = new Uint8Array(width * height);
  for (const pixel of spread(width, height, (start) => isAtBorder(start, width, height), isOpen)) flooded[pixel] = 1;
  return flooded;
}
