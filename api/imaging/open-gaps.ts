import { type Deviation, type GroundTolerances, groundTolerances } from './deviation.ts';
import { coverShadow } from './ground-around.ts';
import { boxBlur, type RgbImage } from './pixel-image.ts';
import { forEachRegion } from './regions.ts';

/** Largest distance between a gap and the ground beside it, as a share of the longer side. No arm is wider. */
const REACH_SHARE = 0.13;
const LEAST_AREA_SHARE = 0.0001;
/** Share of a gap's rim that has to be a strong edge. Folds of white cloth have soft rims. */
const LEAST_SHARP_RIM = 0.62;
/** Gradient of a strong edge, in levels per pixel. It lies within `RIM_REACH` pixels of the gap's smooth part. */
const STRONG_EDGE = 5;
const RIM_REACH = 4;
const GROWTH_PIXELS = 16;
/** Width of the zone along the outline in which the colours of ground and subject mix, in pixels. */
const MIXED_PIXELS = 2;

/** A slit starts at known ground, touches it only at its mouth, and is no larger than this. */
const SLIT = {
  areaShare: 0.0015,
  mouthShare: 0.42,
  tolerance: 12,
  paleTolerance: 30,
  bankPixels: 6,
  leastBanks: 0.55,
  leastPixels: 6,
  rounds: 2,
};

/** What a pixel of the mask could be, judged by its colour alone. */
const SUBJECT = 0;
/** Cloth that is hard to tell from a pale ground. No slit is opened where most of the surroundings are like that. */
const PALE = 1;
/** Close to the colour of the ground beside it. Narrow slits never match it exactly. */
const NEARLY_GROUND = 2;
const GROUND_COLOURED = 3;
const SMOOTH_GROUND = 4;

interface Picture {
  /** Gaps are cleared in it as they are found. */
  mask: Uint8Array;
  image: RgbImage;
  gradient: Float32Array;
  /** The gradient, smoothed. */
  edges: Float32Array;
  tolerances: GroundTolerances;
  /** 255 for soft shadows on the ground, whose colours say nothing about a gap. */
  shadow: Uint8Array | null;
}

/**
 * Finds ground between limbs that no flood from the border reaches, for example between arm and waist. It is smooth,
 * has the colours of the ground to its left and right, and is bounded by strong edges. Then finds the slits at the ends
 * of gaps. Clears both in the mask. `gradient`: of the image, in levels per pixel. `shadow`: 255 for soft shadows.
 */
export function openGaps(
  mask: Uint8Array,
  image: RgbImage,
  gradient: Float32Array,
  deviation: Pick<Deviation, 'gradientNoise' | 'threshold'>,
  shadow: Uint8Array | null,
): void {
  const { width, height } = image;
  const edges = boxBlur({ width, height, data: gradient }, 1).data;
  const picture = { mask, image, gradient, edges, tolerances: groundTolerances(deviation), shadow };
  openEnclosed(picture);
  for (let round = 0; round < SLIT.rounds && openSlits(picture); round++);
}

function openEnclosed(picture: Picture): void {
  const { mask } = picture;
  const { width, height } = picture.image;
  const kinds = compareWithGround(picture);
  const isSmooth = (pixel: number) => kinds[pixel] === SMOOTH_GROUND;
  forEachRegion(width, height, isSmooth, (region) => {
    if (region.length < width * height * LEAST_AREA_SHARE) return;
    let rim = 0;
    let sharp = 0;
    for (const pixel of region) {
      const neighbours = [pixel - 1, pixel + 1, pixel - width, pixel + width];
      // No edge is needed beside ground that is already known.
      if (neighbours.every(isSmooth) || neighbours.some((neighbour) => mask[neighbour] === 0)) continue;
      rim++;
      if (isSharp(pixel, picture)) sharp++;
    }
    if (sharp >= rim * LEAST_SHARP_RIM) clearAndGrow(region, kinds, picture);
  });
}

/** Whether a strong edge is nearby. */
function isSharp(pixel: number, { edges, image }: Picture): boolean {
  let strongest = 0;
  for (let dy = -RIM_REACH; dy <= RIM_REACH; dy++)
    for (let dx = -RIM_REACH; dx <= RIM_REACH; dx++)
      strongest = Math.max(strongest, edges[pixel + dy * image.width + dx] ?? 0);
  return strongest > STRONG_EDGE;
}

/** Extends a gap by a few pixels, up to a strong edge. Its narrow ends are never smooth. */
function clearAndGrow(region: number[], kinds: Uint8Array, { mask, image: { width }, gradient }: Picture): void {
  let front = region;
  for (const pixel of region) mask[pixel] = 0;
  for (let step = 0; step < GROWTH_PIXELS; step++) {
    const next: number[] = [];
    for (const pixel of front) {
      for (const neighbour of [pixel - 1, pixel + 1, pixel - width, pixel + width]) {
        if (!mask[neighbour] || kinds[neighbour]! < GROUND_COLOURED || gradient[neighbour]! > STRONG_EDGE * 2) continue;
        mask[neighbour] = 0;
        next.push(neighbour);
      }
    }
    front = next;
  }
}

/** Returns whether any slit was found. */
function openSlits(picture: Picture): boolean {
  const { mask } = picture;
  const { width, height } = picture.image;
  const kinds = compareWithGround(picture);
  const inner = boxBlur({ width, height, data: mask }, MIXED_PIXELS).data;
  const isSlit = (pixel: number) => inner[pixel] === 255 && kinds[pixel]! >= NEARLY_GROUND;
  const slits: number[] = [];
  forEachRegion(width, height, isSlit, (region) => {
    if (region.length < SLIT.leastPixels || region.length > width * height * SLIT.areaShare) return;
    let rim = 0;
    let mouth = 0;
    let sharp = 0;
    for (const pixel of region) {
      const neighbours = [pixel - 1, pixel + 1, pixel - width, pixel + width];
      if (neighbours.every(isSlit)) continue;
      rim++;
      if (neighbours.some((neighbour) => inner[neighbour]! < 255)) mouth++;
      else if (isSharp(pixel, picture)) sharp++;
    }
    if (mouth === 0 || mouth > rim * SLIT.mouthShare || sharp < (rim - mouth) * LEAST_SHARP_RIM) return;
    if (hasClearBanks(region, kinds, picture)) slits.push(...region);
  });
  for (const pixel of slits) {
    for (let dy = -MIXED_PIXELS; dy <= MIXED_PIXELS; dy++) {
      for (let dx = -MIXED_PIXELS; dx <= MIXED_PIXELS; dx++) {
        const neighbour = pixel + dy * width + dx;
        if (kinds[neighbour]! >= NEARLY_GROUND) mask[neighbour] = 0;
      }
    }
  }
  return slits.length > 0;
}

/** Whether both sides differ clearly from the ground. */
function hasClearBanks(region: number[], kinds: Uint8Array, { mask, image: { width } }: Picture): boolean {
  const reach = SLIT.bankPixels;
  const own = new Set(region);
  let clear = 0;
  let all = 0;
  for (const pixel of region) {
    for (const neighbour of [pixel - reach, pixel + reach, pixel - reach * width, pixel + reach * width]) {
      if (!mask[neighbour] || own.has(neighbour)) continue;
      all++;
      if (kinds[neighbour] === SUBJECT) clear++;
    }
  }
  return clear >= all * SLIT.leastBanks;
}

/** For every pixel of the mask: how close its colour is to the ground to its left and right. */
function compareWithGround({ mask, image, gradient, tolerances: { tolerance, smooth }, shadow }: Picture): Uint8Array {
  const { width, height, data } = image;
  const reach = Math.round(Math.max(width, height) * REACH_SHARE);
  const near = boxBlur({ width, height, data: coverShadow(mask, shadow) }, MIXED_PIXELS).data;
  const kinds = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const left = nearestGround(near.subarray(row, row + width), 1);
    const right = nearestGround(near.subarray(row, row + width), -1);
    for (let x = 0; x < width; x++) {
      const pixel = row + x;
      if (!mask[pixel]) continue;
      const before = left[x]!;
      const after = right[x]!;
      const isNear = (before >= 0 && x - before <= reach) || (after >= 0 && after - x <= reach);
      if (!isNear) continue;
      const furthest = distanceToRange(
        data,
        pixel,
        row + (before < 0 ? after : before),
        row + (after < 0 ? before : after),
      );
      if (furthest < tolerance) kinds[pixel] = gradient[pixel]! > smooth ? GROUND_COLOURED : SMOOTH_GROUND;
      else if (furthest < SLIT.tolerance) kinds[pixel] = NEARLY_GROUND;
      else if (furthest < SLIT.paleTolerance) kinds[pixel] = PALE;
    }
  }
  return kinds;
}

/** For every position of a row: the nearest ground before it (`step` 1) or after it (-1). -1 if there is none. */
function nearestGround(maskRow: Float32Array, step: 1 | -1): Int32Array {
  const nearest = new Int32Array(maskRow.length);
  let last = -1;
  for (let i = 0; i < maskRow.length; i++) {
    const x = step === 1 ? i : maskRow.length - 1 - i;
    if (maskRow[x] === 0) last = x;
    nearest[x] = last;
  }
  return nearest;
}

/**
 * Distance of a pixel's colour from the range between two others, in levels of the furthest channel. Light that falls
 * off sideways gives any mixture of both, but no other hue.
 */
function distanceToRange(data: Uint8Array, pixel: number, one: number, other: number): number {
  let along = 0;
  let squares = 1e-6;
  for (let c = 0; c < 3; c++) {
    const span = data[other * 3 + c]! - data[one * 3 + c]!;
    along += (data[pixel * 3 + c]! - data[one * 3 + c]!) * span;
    squares += span * span;
  }
  const share = Math.min(1, Math.max(0, along / squares));
  let furthest = 0;
  for (let c = 0; c < 3; c++) {
    const between = data[one * 3 + c]! + share * (data[other * 3 + c]! - data[one * 3 + c]!);
    furthest = Math.max(furthest, Math.abs(data[pixel * 3 + c]! - between));
  }
  return furthest;
}
