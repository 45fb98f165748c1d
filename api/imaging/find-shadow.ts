import type { BackgroundModel } from './background-model.ts';
import type { Deviation } from './deviation.ts';
import { boxBlur, type RgbImage } from './pixel-image.ts';
import { fillGaps } from './push-pull.ts';
import { forEachRegion, hasNeighbour, spread } from './regions.ts';
import type { Sharpness } from './sharpness.ts';

/**
 * The search keeps this far from sharp edges, in pixels. So it cannot enter a thing through a gap in its rim, where a
 * shadow is as dark as the cloth beside it: such a gap is narrower than twice that.
 */
const CLEARANCE = 4;
/**
 * A shadow that is nowhere deeper than this is not taken for the subject anyway, in levels. Pale cloth with a faint rim
 * looks the same.
 */
const LEAST_DEPTH = 24;
/** How far a shadow is continued below what stands in it, in pixels. */
const REACH = 6;

export interface SoftShadow {
  /** 1 for shadow. */
  isShadow: Uint8Array;
  /** The ground with its shadows. */
  background: BackgroundModel;
}

/**
 * Finds soft shadows on a plain ground. A shadow has the ground's hue, begins at the ground and is nowhere sharp,
 * however dark it is. The search follows it up to the sharp edges of things. `flooded`: pixels (1) that are known to be
 * ground. Null when there are none.
 */
export function findSoftShadow(
  { width, height, data }: RgbImage,
  background: BackgroundModel,
  { isShadeOfGround, difference }: Deviation,
  sharpness: Sharpness,
  flooded: Uint8Array,
): SoftShadow | null {
  const { colours } = background;
  const isEdge = sharpness.excess.map((excess) => (excess > sharpness.threshold ? 1 : 0));
  const nearEdge = boxBlur({ width, height, data: isEdge }, CLEARANCE).data;
  const isShadow = new Uint8Array(width * height);
  const mayBeShadow = (pixel: number) =>
    !flooded[pixel] && isShadeOfGround[pixel] === 1 && difference[pixel]! <= 0 && nearEdge[pixel] === 0;
  const isBesideGround = (pixel: number) => hasNeighbour(pixel, width, height, (beside) => flooded[beside] === 1);
  for (const pixel of spread(width, height, isBesideGround, mayBeShadow)) isShadow[pixel] = 1;
  let isFound = false;
  forEachRegion(
    width,
    height,
    (pixel) => isShadow[pixel] === 1,
    (region) => {
      if (region.some((pixel) => difference[pixel]! < -LEAST_DEPTH)) isFound = true;
      else for (const pixel of region) isShadow[pixel] = 0;
    },
  );
  if (!isFound) return null;
  growToEdges(width, isShadow, flooded, isShadeOfGround, sharpness);
  return {
    isShadow,
    background: { ...background, colours: addShadow({ width, height, data }, colours, isShadow, flooded) },
  };
}

/** How far a shadow is extended after the search, in pixels: across the clearance, and across half a blurred edge. */
const EXTENSION = 7;

/** Extends a shadow up to the edges of what stands in it. */
function growToEdges(
  width: number,
  isShadow: Uint8Array,
  flooded: Uint8Array,
  isShadeOfGround: Uint8Array,
  { excess, threshold }: Sharpness,
): void {
  let front: number[] = [];
  for (let pixel = width; pixel < isShadow.length - width; pixel++) if (isShadow[pixel]) front.push(pixel);
  for (let round = 0; round < EXTENSION; round++) {
    const next: number[] = [];
    for (const pixel of front) {
      for (const beside of [pixel - 1, pixel + 1, pixel - width, pixel + width]) {
        if (isShadow[beside] || flooded[beside] || !isShadeOfGround[beside]) continue;
        if (beside < width || beside >= isShadow.length - width) continue;
        // Within an edge, a shadow reaches as far as the sharpest line.
        if (excess[pixel]! > threshold && excess[beside]! <= excess[pixel]!) continue;
        isShadow[beside] = 1;
        next.push(beside);
      }
    }
    front = next;
  }
}

/** The colours of the ground with those of its shadows, which are continued a little below their surroundings. */
function addShadow(
  { width, height, data }: RgbImage,
  ground: Float32Array,
  isShadow: Uint8Array,
  flooded: Uint8Array,
): Float32Array {
  const colours = new Float32Array(ground);
  const weights = new Float32Array(isShadow.length);
  for (let pixel = 0; pixel < isShadow.length; pixel++) {
    weights[pixel] = isShadow[pixel] || flooded[pixel] ? 1 : 0;
    if (isShadow[pixel]) for (let c = pixel * 3; c < pixel * 3 + 3; c++) colours[c] = data[c]!;
  }
  fillGaps({ width, height, colours, weights });
  const near = boxBlur({ width, height, data: isShadow }, REACH).data;
  for (let pixel = 0; pixel < near.length; pixel++) {
    const share = Math.min(1, near[pixel]! * 6);
    for (let c = pixel * 3; c < pixel * 3 + 3; c++) colours[c] = ground[c]! + (colours[c]! - ground[c]!) * share;
  }
  return colours;
}
