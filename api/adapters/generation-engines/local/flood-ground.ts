import type { Deviation } from './deviation.ts';

/** Share of what clearly stands out that a flood through shadows may cover before it is taken for a leak. */
const MAX_LEAK = 0.12;

/**
 * Ground that is reached from the photo's border without crossing an edge: falls of light and soft shadows are
 * walked over, rims of things stop the flood a pixel or two before them. One byte a pixel, 1 for reached.
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
  // Through a gap in a rim the flood runs into a grey garment: then only what looks like lit ground is walked over.
  if (leaked < standsOut * MAX_LEAK) return flooded;
  return flood(width, height, deviation, (pixel) => distance[pixel]! < threshold);
}

function flood(
  width: number,
  height: number,
  { gradient, gradientNoise }: Deviation,
  isWalkable: (pixel: number) => boolean,
): Uint8Array {
  // Above the ground's own grain; on a ground without any, a faint rim is a rim.
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
  const queue: number[] = [];
  const reach = (pixel: number) => {
    if (flooded[pixel] || !isOpen(pixel)) return;
    flooded[pixel] = 1;
    queue.push(pixel);
  };
  for (let x = 0; x < width; x++) {
    reach(x);
    reach((height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    reach(y * width);
    reach(y * width + width - 1);
  }
  while (queue.length > 0) {
    const pixel = queue.pop()!;
    const x = pixel % width;
    if (x > 0) reach(pixel - 1);
    if (x < width - 1) reach(pixel + 1);
    if (pixel >= width) reach(pixel - width);
    if (pixel < width * (height - 1)) reach(pixel + width);
  }
  return flooded;
}
