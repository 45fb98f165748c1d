import type { Deviation } from './deviation.ts';
import { forEachRegion } from './grabcut.ts';
import { boxBlur, type RgbImage } from './pixel-image.ts';

/** Ground is looked for beside a gap no further away than this share of the longer side: an arm is no wider. */
const REACH_SHARE = 0.13;
const LEAST_AREA_SHARE = 0.00015;
/** Share of a gap's rim that is a strong edge: folds of white cloth have soft rims. */
const LEAST_SHARP_RIM = 0.7;
const STRONG_EDGE = 7;
const GROWTH_PIXELS = 8;

/**
 * Finds ground that limbs enclose (between arm and waist, between legs), which no flood from the border reaches:
 * smooth, of the colours that the ground has to its left and right, bounded by strong edges. Clears it in the mask.
 */
export function openGaps(
  mask: Uint8Array,
  { width, height, data }: RgbImage,
  flooded: Uint8Array,
  { gradient, gradientNoise, threshold }: Deviation,
): void {
  const reach = Math.round(Math.max(width, height) * REACH_SHARE);
  const tolerance = threshold < 4.5 ? 1.6 : threshold * 0.7;
  const smooth = Math.max(2.2, gradientNoise * 4);
  /** 1 for the colour of the ground beside, 2 where it is smooth too. */
  const candidates = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const left = nearestGround(flooded.subarray(row, row + width), 1);
    const right = nearestGround(flooded.subarray(row, row + width), -1);
    for (let x = 0; x < width; x++) {
      const pixel = row + x;
      if (!mask[pixel]) continue;
      const sides = [left[x]!, right[x]!].filter((place) => place >= 0);
      if (sides.length === 0 || Math.min(...sides.map((place) => Math.abs(place - x))) > reach) continue;
      const isGround = [0, 1, 2].every((c) => {
        const value = data[pixel * 3 + c]!;
        const beside = sides.map((place) => data[(row + place) * 3 + c]!);
        return value > Math.min(...beside) - tolerance && value < Math.max(...beside) + tolerance;
      });
      if (isGround) candidates[pixel] = gradient[pixel]! > smooth ? 1 : 2;
    }
  }
  const edges = boxBlur({ width, height, data: gradient }, 1).data;
  const isCandidate = (pixel: number) => candidates[pixel] === 2;
  forEachRegion(width, height, isCandidate, (region) => {
    if (region.length < width * height * LEAST_AREA_SHARE) return;
    let rim = 0;
    let sharp = 0;
    for (const pixel of region) {
      const neighbours = [pixel - 1, pixel + 1, pixel - width, pixel + width];
      // Beside ground that is known already there need be no edge.
      if (neighbours.every(isCandidate) || neighbours.some((neighbour) => mask[neighbour] === 0)) continue;
      rim++;
      let strongest = 0;
      for (let dy = -2; dy <= 2; dy++)
        for (let dx = -2; dx <= 2; dx++) strongest = Math.max(strongest, edges[pixel + dy * width + dx] ?? 0);
      if (strongest > STRONG_EDGE) sharp++;
    }
    if (sharp >= rim * LEAST_SHARP_RIM) clearAndGrow(region);
  });

  /** The narrow ends of a gap are never smooth: they are taken along for a few pixels, up to a strong edge. */
  function clearAndGrow(region: number[]): void {
    let front = region;
    for (const pixel of region) mask[pixel] = 0;
    for (let step = 0; step < GROWTH_PIXELS; step++) {
      const next: number[] = [];
      for (const pixel of front) {
        for (const neighbour of [pixel - 1, pixel + 1, pixel - width, pixel + width]) {
          if (!mask[neighbour] || !candidates[neighbour] || gradient[neighbour]! > STRONG_EDGE * 2) continue;
          mask[neighbour] = 0;
          next.push(neighbour);
        }
      }
      front = next;
    }
  }
}

/** For every place of a row the nearest flooded one before it (`step` 1) or after it (-1), or -1. */
function nearestGround(row: Uint8Array, step: 1 | -1): Int32Array {
  const nearest = new Int32Array(row.length);
  let last = -1;
  for (let i = 0; i < row.length; i++) {
    const x = step === 1 ? i : row.length - 1 - i;
    if (row[x]) last = x;
    nearest[x] = last;
  }
  return nearest;
}
