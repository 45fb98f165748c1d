import { measureOutlineDistance } from './outline-distance.ts';
import { boxBlur, type Matte, type Plane, type RgbImage, resizePlane, resizeRgb } from './pixel-image.ts';
import { fillGaps } from './push-pull.ts';
import type { Segmentation } from './segmentation.ts';

/** Half-width of the band along the outline in which alpha is computed, as a share of the longer side. */
const BAND_SHARE = 1 / 130;
/** The fill is computed at half size. The result is smooth, and it takes a quarter of the time. */
const FILL_SCALE = 2;
/**
 * Distance between subject and ground colours, in levels, below which alpha cannot be computed and follows the mask.
 */
const MIN_CONTRAST = 12;

/**
 * Refines a rough mask to an alpha matte by known-background matting: near the outline both colours are known from the
 * surroundings, and a pixel's alpha is its position between them. In `hairRows` the search for ground reaches further
 * inside the outline, because ground shines through curls.
 */
export async function matteSubject(
  photo: RgbImage,
  { mask, shadow, ...maskSize }: Pick<Segmentation, 'width' | 'height' | 'mask' | 'shadow'>,
  hairRows?: Rows,
): Promise<Matte> {
  const { width, height, data } = photo;
  const radius = Math.max(3, Math.round(Math.max(width, height) * BAND_SHARE));
  const soft = (await resizePlane({ ...maskSize, data: mask }, width, height, 1)).data;
  const nearness = measureNearness({ width, height, data: soft }, radius);
  const small = await resizeRgb(photo, Math.ceil(width / FILL_SCALE), Math.ceil(height / FILL_SCALE));
  const inside = fillFrom(small, nearness, width, height, (share) => share > SURE.subject);
  const withShadow = shadow
    ? await takeShadowForGround(nearness, { ...maskSize, data: shadow }, width, height)
    : nearness;
  const outside = fillFrom(small, withShadow, width, height, (share) => share < SURE.ground);

  const alpha = new Uint8Array(width * height);
  const foreground = new Uint8Array(data);
  const ground = new Uint8Array(data);
  const subjectColour = new Float32Array(3);
  const groundColour = new Float32Array(3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x;
      const share = nearness[pixel]!;
      if (share < SURE.ground) continue;
      const at = pixel * 3;
      sampleColour(outside, x / FILL_SCALE - 0.25, y / FILL_SCALE - 0.25, groundColour);
      if (share > SURE.opaque) alpha[pixel] = 255;
      else {
        sampleColour(inside, x / FILL_SCALE - 0.25, y / FILL_SCALE - 0.25, subjectColour);
        alpha[pixel] = Math.round(255 * solveAlpha(data, at, subjectColour, groundColour, soft[pixel]! / 255, share));
        unmix(data, at, alpha[pixel]! / 255, subjectColour, groundColour, foreground);
      }
      for (let c = 0; c < 3; c++) ground[at + c] = groundColour[c]! + 0.5;
    }
  }
  if (hairRows) thinHair(photo, small, soft, radius, outside, hairRows, alpha, foreground);
  keepUntouchedGround(ground, data, alpha, width, height);
  return { width, height, alpha, foreground, ground };
}

/** Mean alpha of a neighbourhood from which it shows the subject's own colour. */
const SOLID = 200;
const FILL_REACH = 3;

/** The matte of a photo on white whose alpha is known. */
export async function matteByAlpha(photo: RgbImage, { data: alpha }: Plane<Uint8Array>): Promise<Matte> {
  const { width, height, data } = photo;
  const near = boxBlur({ width, height, data: alpha }, FILL_REACH).data;
  const small = await resizeRgb(photo, Math.ceil(width / FILL_SCALE), Math.ceil(height / FILL_SCALE));
  const inside = fillFrom(small, near, width, height, (share) => share > SOLID);
  const outside = fillFrom(small, near, width, height, (share) => share === 0);
  const foreground = new Uint8Array(data);
  const ground = new Uint8Array(data);
  const subjectColour = new Float32Array(3);
  const groundColour = new Float32Array(3);
  for (let pixel = 0; pixel < alpha.length; pixel++) {
    if (near[pixel] === 0) continue;
    const x = (pixel % width) / FILL_SCALE - 0.25;
    const y = Math.floor(pixel / width) / FILL_SCALE - 0.25;
    sampleColour(outside, x, y, groundColour);
    if (alpha[pixel]! < 255) {
      sampleColour(inside, x, y, subjectColour);
      unmix(data, pixel * 3, alpha[pixel]! / 255, subjectColour, groundColour, foreground);
    }
    for (let c = 0; c < 3; c++) ground[pixel * 3 + c] = groundColour[c]! + 0.5;
  }
  keepUntouchedGround(ground, data, alpha, width, height);
  return { width, height, alpha, foreground, ground };
}

/**
 * Above `subject` a pixel has the subject's own colour, above `opaque` its alpha is 1, below `ground` it is ground.
 * Where a soft shadow lies, it is ground below `shadow`.
 */
const SURE = { subject: 0.93, opaque: 0.988, ground: 0.006, shadow: 0.3 };

/**
 * The same positions across the band, but 0 in soft shadow. A shadow darkens towards the outline, so its colours are
 * needed from closer to it than those of other ground.
 */
async function takeShadowForGround(
  nearness: Float32Array,
  shadow: Plane<Uint8Array>,
  width: number,
  height: number,
): Promise<Float32Array> {
  const { data } = await resizePlane(shadow, width, height);
  return nearness.map((share, pixel) => (data[pixel]! > 127 && share < SURE.shadow ? 0 : share));
}

/** Position across the band along the outline, from 0 to 1. The outline is at 0.5. */
function measureNearness(mask: Plane<Uint8Array>, radius: number): Float32Array {
  // The distance has whole steps. Averaging with the neighbours follows a slanted outline.
  const distance = measureOutlineDistance(mask, radius + 1);
  const nearness = boxBlur({ ...mask, data: distance }, 1).data;
  for (let pixel = 0; pixel < nearness.length; pixel++) {
    const share = 0.5 + nearness[pixel]! / (2 * radius);
    nearness[pixel] = share < 0 ? 0 : share > 1 ? 1 : share;
  }
  return nearness;
}

/** Rows of pixels. `to` is not included. */
export interface Rows {
  from: number;
  to: number;
}

/** How much further inside than the band ground may shine through hair, as a factor. */
const HAIR_REACH = 5;
/**
 * Distance between hair and ground, in levels, from which a mixture of both can be recognised, and at which it is
 * certain.
 */
const HAIR_CONTRAST = { from: 60, full: 110 };
/** A pixel this far from every mixture of hair and ground, in levels, is something else, such as skin or an earring. */
const STRANGE = { from: 10, full: 22 };

/** Share of plain ground in the neighbourhood from which ground may shine through. */
const SHINES_THROUGH = { from: 0.015, full: 0.06 };

/** Lowers alpha where a pixel well inside the outline is a mixture of hair and ground. */
function thinHair(
  { width, height, data }: RgbImage,
  small: RgbImage,
  soft: Uint8Array,
  radius: number,
  outside: FilledColours,
  rows: Rows,
  alpha: Uint8Array,
  foreground: Uint8Array,
): void {
  const wide = boxBlur({ width, height, data: soft }, radius * HAIR_REACH).data;
  const deep = fillFrom(small, wide, width, height, (share) => share > 250);
  const from = Math.max(0, rows.from);
  const size = { width, height: Math.min(height, rows.to) - from };
  /** The share of hair in each mixture, and the confidence that it is one. */
  const shares = new Float32Array(size.width * size.height);
  const trusts = new Float32Array(shares.length);
  const clear = new Uint8Array(shares.length);
  const hair = new Float32Array(3);
  const ground = new Float32Array(3);
  for (let i = 0; i < shares.length; i++) {
    const pixel = i + from * width;
    if (alpha[pixel] === 0 || wide[pixel]! > 240) continue;
    sampleMixture(deep, outside, pixel, width, hair, ground);
    const { share, length, strangeness } = describeMixture(data, pixel * 3, hair, ground);
    shares[i] = share;
    trusts[i] =
      ramp(length, HAIR_CONTRAST.from, HAIR_CONTRAST.full) * (1 - ramp(strangeness, STRANGE.from, STRANGE.full));
    if (soft[pixel]! > 200 && share < 0.3 && trusts[i]! > 0.5) clear[i] = 1;
  }
  const shine = boxBlur({ ...size, data: clear }, radius * 2).data;
  for (let i = 0; i < shares.length; i++) {
    const pixel = i + from * width;
    // Fades out downwards, so that the end of the search shows no line.
    const fade = Math.min(1, (size.height - Math.floor(i / width)) / (radius * 6));
    const trust = trusts[i]! * fade * ramp(shine[i]!, SHINES_THROUGH.from, SHINES_THROUGH.full);
    // Some locks are lighter than the mean of the hair. From two thirds on, a pixel counts as pure hair.
    const lowered = alpha[pixel]! * (1 - trust * (1 - ramp(shares[i]!, 0.08, 0.66)));
    if (lowered >= alpha[pixel]! - 1) continue;
    alpha[pixel] = lowered;
    sampleMixture(deep, outside, pixel, width, hair, ground);
    unmix(data, pixel * 3, lowered / 255, hair, ground, foreground);
  }
}

function sampleMixture(
  deep: FilledColours,
  outside: FilledColours,
  pixel: number,
  width: number,
  hair: Float32Array,
  ground: Float32Array,
): void {
  const x = (pixel % width) / FILL_SCALE - 0.25;
  const y = Math.floor(pixel / width) / FILL_SCALE - 0.25;
  sampleColour(deep, x, y, hair);
  sampleColour(outside, x, y, ground);
}

/**
 * Position of a pixel between ground (0) and hair (1), their distance, and the pixel's distance from the line between
 * them.
 */
function describeMixture(data: Uint8Array, at: number, hair: Float32Array, ground: Float32Array) {
  let along = 0;
  let squares = 1e-6;
  for (let c = 0; c < 3; c++) {
    const span = hair[c]! - ground[c]!;
    along += (data[at + c]! - ground[c]!) * span;
    squares += span * span;
  }
  const share = along / squares;
  let strangeness = 0;
  for (let c = 0; c < 3; c++) strangeness += (data[at + c]! - ground[c]! - share * (hair[c]! - ground[c]!)) ** 2;
  return { share, length: Math.sqrt(squares), strangeness: Math.sqrt(strangeness) };
}

function ramp(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

function solveAlpha(
  data: Uint8Array,
  at: number,
  subject: Float32Array,
  ground: Float32Array,
  maskShare: number,
  nearness: number,
): number {
  let along = 0;
  let length = 0;
  for (let c = 0; c < 3; c++) {
    const span = subject[c]! - ground[c]!;
    along += (data[at + c]! - ground[c]!) * span;
    length += span * span;
  }
  const solved = Math.min(1, Math.max(0, (along / (length + 1) - 0.06) / 0.86));
  // Handles dark trims on pale cloth and similar cases: far from the outline the mask decides, near it the colour.
  const trust = Math.min(1, Math.max(0, (Math.sqrt(length) - MIN_CONTRAST) / 22));
  const inward = Math.min(1, Math.max(0, (nearness - 0.72) / 0.2));
  const outward = Math.min(1, Math.max(0, (0.22 - nearness) / 0.16));
  const guided = Math.max(inward, solved) * (1 - outward * (1 - maskShare));
  return guided * trust + maskShare * (1 - trust);
}

/**
 * Removes the ground's share from a mixed pixel. Where little of the subject is left, the filled-in colour weighs more.
 */
function unmix(
  data: Uint8Array,
  at: number,
  alpha: number,
  subject: Float32Array,
  ground: Float32Array,
  out: Uint8Array,
): void {
  if (alpha <= 0 || alpha >= 1) return;
  for (let c = 0; c < 3; c++) {
    const exact = (data[at + c]! - (1 - alpha) * ground[c]!) / alpha;
    const leaning = subject[c]! + (Math.min(255, Math.max(0, exact)) - subject[c]!) * Math.min(1, alpha * 1.25);
    out[at + c] = leaning + 0.5;
  }
}

/** Keeps the photo's own ground (grain, folds, shadows) where no subject is near. It is better than any fill. */
function keepUntouchedGround(
  ground: Uint8Array,
  data: Uint8Array,
  alpha: Uint8Array,
  width: number,
  height: number,
): void {
  const near = boxBlur({ width, height, data: alpha }, 3).data;
  for (let pixel = 0; pixel < near.length; pixel++) {
    const filled = near[pixel]! / 10;
    if (filled >= 1) continue;
    for (let at = pixel * 3; at < pixel * 3 + 3; at++)
      ground[at] = ground[at]! * filled + data[at]! * (1 - filled) + 0.5;
  }
}

interface FilledColours {
  width: number;
  height: number;
  colours: Float32Array;
}

function fillFrom(
  small: RgbImage,
  nearness: Float32Array,
  width: number,
  height: number,
  isKnown: (share: number) => boolean,
): FilledColours {
  const weights = new Float32Array(small.width * small.height);
  for (let y = 0; y < small.height; y++) {
    const row = Math.min(height - 1, y * FILL_SCALE) * width;
    for (let x = 0; x < small.width; x++) {
      weights[y * small.width + x] = isKnown(nearness[row + Math.min(width - 1, x * FILL_SCALE)]!) ? 1 : 0;
    }
  }
  const image = { width: small.width, height: small.height, colours: new Float32Array(small.data), weights };
  fillGaps(image);
  return image;
}

function sampleColour({ width, height, colours }: FilledColours, x: number, y: number, out: Float32Array): void {
  const cx = Math.min(Math.max(x, 0), width - 1.001);
  const cy = Math.min(Math.max(y, 0), height - 1.001);
  const left = cx | 0;
  const top = cy | 0;
  const fx = cx - left;
  const fy = cy - top;
  const at = (top * width + left) * 3;
  const below = at + width * 3;
  for (let c = 0; c < 3; c++) {
    const upper = colours[at + c]! + (colours[at + 3 + c]! - colours[at + c]!) * fx;
    const lower = colours[below + c]! + (colours[below + 3 + c]! - colours[below + c]!) * fx;
    out[c] = upper + (lower - upper) * fy;
  }
}
