import type { BackgroundModel } from './background-model.ts';
import type { Deviation } from './deviation.ts';
import { forEachRegion } from './grabcut.ts';
import { boxBlur, type RgbImage } from './pixel-image.ts';
import { fillGaps } from './push-pull.ts';

/** Distance over which a bend of the brightness is measured, in pixels. */
const STEP = 2;
/** Largest bend inside a soft shadow: levels, multiples of the ground's own grain, and a share of the shadow's depth. */
const BEND = { levels: 2, grain: 1.5, ofDepth: 0.08 };
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
 * Finds soft shadows on a plain ground. A shadow has the ground's hue and begins at the ground. However steep it is,
 * its brightness bends slowly; at the rim of a thing it jumps, or at least breaks off. `flooded`: pixels (1) that are
 * known to be ground. Null when there are none.
 */
export function findSoftShadow(
  { width, height, data }: RgbImage,
  background: BackgroundModel,
  { isShadeOfGround }: Deviation,
  flooded: Uint8Array,
): SoftShadow | null {
  const { colours } = background;
  const luma = new Float32Array(width * height);
  const depth = new Float32Array(width * height);
  for (let pixel = 0; pixel < luma.length; pixel++) {
    const at = pixel * 3;
    luma[pixel] = (data[at]! + data[at + 1]! + data[at + 2]!) / 3;
    depth[pixel] = (colours[at]! + colours[at + 1]! + colours[at + 2]!) / 3 - luma[pixel]!;
  }
  const bend = measureBend(boxBlur({ width, height, data: luma }, 1).data, width, height);
  const grain = quantile(
    bend.filter((_, pixel) => flooded[pixel] === 1),
    0.9,
  );
  const isSmooth = (pixel: number) =>
    bend[pixel]! <= BEND.levels + grain * BEND.grain + Math.max(0, depth[pixel]!) * BEND.ofDepth;
  const isShadow = new Uint8Array(width * height);
  const queue: number[] = [];
  const reach = (pixel: number) => {
    if (isShadow[pixel] || flooded[pixel] || !isShadeOfGround[pixel] || depth[pixel]! < 0) return;
    // A gap in a rim, where a shadow is as dark as the cloth beside it, is narrow.
    for (let row = pixel - width; row <= pixel + width; row += width)
      for (let place = row - 1; place <= row + 1; place++) if (!isSmooth(place)) return;
    isShadow[pixel] = 1;
    queue.push(pixel);
  };
  const reachAround = (pixel: number) => {
    const x = pixel % width;
    if (x > 0) reach(pixel - 1);
    if (x < width - 1) reach(pixel + 1);
    if (pixel >= width) reach(pixel - width);
    if (pixel < width * (height - 1)) reach(pixel + width);
  };
  for (let pixel = 0; pixel < flooded.length; pixel++) if (flooded[pixel]) reachAround(pixel);
  while (queue.length > 0) reachAround(queue.pop()!);
  let isFound = false;
  forEachRegion(
    width,
    height,
    (pixel) => isShadow[pixel] === 1,
    (region) => {
      if (region.some((pixel) => depth[pixel]! > LEAST_DEPTH)) isFound = true;
      else for (const pixel of region) isShadow[pixel] = 0;
    },
  );
  if (!isFound) return null;
  growToEdges({ width, height, data }, isShadow, flooded, isShadeOfGround);
  return {
    isShadow,
    background: { ...background, colours: addShadow({ width, height, data }, colours, isShadow, flooded) },
  };
}

/** The rim that the search leaves between a shadow and the edge of a thing, in pixels. */
const RIM_PIXELS = 4;
/** A larger step between neighbours is an edge, in levels. */
const STEEP = 7;

/** Extends a shadow up to the edges of what stands in it. */
function growToEdges(
  { width, data }: RgbImage,
  isShadow: Uint8Array,
  flooded: Uint8Array,
  isShadeOfGround: Uint8Array,
): void {
  const difference = (one: number, other: number) => {
    let most = 0;
    for (let c = 0; c < 3; c++) most = Math.max(most, Math.abs(data[one * 3 + c]! - data[other * 3 + c]!));
    return most;
  };
  let front: number[] = [];
  for (let pixel = width; pixel < isShadow.length - width; pixel++) if (isShadow[pixel]) front.push(pixel);
  for (let round = 0; round < RIM_PIXELS; round++) {
    const next: number[] = [];
    for (const pixel of front) {
      for (const beside of [pixel - 1, pixel + 1, pixel - width, pixel + width]) {
        if (isShadow[beside] || flooded[beside] || !isShadeOfGround[beside]) continue;
        if (beside < width || beside >= isShadow.length - width) continue;
        if (difference(pixel, beside) > STEEP) continue;
        isShadow[beside] = 1;
        next.push(beside);
      }
    }
    front = next;
  }
}

/** Largest second difference of the brightness in four directions, in levels. */
function measureBend(luma: Float32Array, width: number, height: number): Float32Array {
  const bend = new Float32Array(luma.length);
  const steps = [STEP, STEP * width, STEP * (width + 1), STEP * (width - 1)];
  for (let y = STEP; y < height - STEP; y++) {
    for (let x = STEP; x < width - STEP; x++) {
      const pixel = y * width + x;
      let most = 0;
      for (const step of steps)
        most = Math.max(most, Math.abs(2 * luma[pixel]! - luma[pixel - step]! - luma[pixel + step]!));
      bend[pixel] = most;
    }
  }
  return bend;
}

function quantile(values: Float32Array, share: number): number {
  return values.sort()[Math.floor(values.length * share)] ?? 0;
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
