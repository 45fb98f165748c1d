import { fitBackground } from './background-model.ts';
import { type CutOutVerdict, isPlainGround, judgeCutOut, refuseEnclosedGround } from './cutout-gate.ts';
import { colourGradient, type Deviation, measureDeviation } from './deviation.ts';
import { findIslands } from './find-islands.ts';
import { findSoftShadow } from './find-shadow.ts';
import { floodGround } from './flood-ground.ts';
import { grabCut, openMask } from './grabcut.ts';
import { openGaps } from './open-gaps.ts';
import { openTips } from './open-tips.ts';
import { boxBlur, type FrameSize, type Plane, type RgbImage, resizePlane, resizeRgb } from './pixel-image.ts';
import { boundsOf, forEachRegion, hasNeighbour, keepLargePieces, spread } from './regions.ts';
import type { Box, Segmentation } from './segmentation.ts';
import { measureSharpness } from './sharpness.ts';

/** Longest side for the segmentation. GrabCut's time grows with the area, and the outline is refined afterwards. */
const WORKING_SIDE = 480;
const WHOLE: Box = { left: 0, top: 0, right: 1, bottom: 1 };

/** Finds the subject of a product photo with a plain ground and judges whether the result can be trusted. */
export async function segmentSubject(photo: RgbImage): Promise<Segmentation> {
  const scale = WORKING_SIDE / Math.max(photo.width, photo.height);
  const small = await resizeRgb(
    photo,
    Math.max(16, Math.round(photo.width * scale)),
    Math.max(16, Math.round(photo.height * scale)),
  );
  const { width, height } = small;
  const background = fitBackground(small);
  if (!isPlainGround(background)) {
    const mask = new Uint8Array(width * height);
    return {
      width,
      height,
      mask,
      shadow: null,
      verdict: { isTrusted: false, reason: 'ground_not_plain' },
      isPlainGround: false,
      subjectBox: WHOLE,
    };
  }
  const bare = measureDeviation(small, background);
  const flooded = floodGround(width, height, bare);
  const sharpness = measureSharpness(small, bare);
  const shadow = findSoftShadow(small, background, bare, sharpness, flooded);
  const deviation = shadow ? measureDeviation(small, shadow.background) : bare;
  // A shadow that was found is ground, although its slope is measured as texture.
  if (shadow)
    for (let pixel = 0; pixel < shadow.isShadow.length; pixel++)
      if (shadow.isShadow[pixel]) deviation.distance[pixel] = 0;
  // With its shadow among the subject, white cloth is told better from a white ground: a fold has the same greys.
  const mask = grabCut(small, bare, flooded);
  if (shadow) removeShadow(mask, width, height, shadow.isShadow);
  trimContactShadow(mask, width, deviation);
  const rough = judgeCutOut({ width, height, data: mask }, bare, deviation, sharpness);
  const refined = rough.isTrusted
    ? await refineMask(photo, { width, height, data: mask }, deviation, shadow?.isShadow ?? null)
    : null;
  const verdict = refined?.hasDoubtfulIsland ? refuseEnclosedGround(rough) : rough;
  // With a certain outline, everything else that stands out is light or shadow.
  const standsOut = (pixel: number) =>
    mask[pixel] !== 0 || (!verdict.isTrusted && deviation.distance[pixel]! > deviation.threshold);
  const subjectBox = boxAround(width, height, standsOut);
  if (!refined || !verdict.isTrusted)
    return { width, height, mask, shadow: null, verdict, isPlainGround: true, subjectBox };
  const { data: fine, ...size } = refined.mask;
  return { ...size, mask: fine, shadow: refined.shadow, verdict, isPlainGround: true, subjectBox };
}

/** The segmentation of a photo whose file had a transparent ground. */
export async function segmentByAlpha(alpha: Plane<Uint8Array>): Promise<Segmentation> {
  const scale = Math.min(1, FINE_SIDE / Math.max(alpha.width, alpha.height));
  const fine = await resizePlane(alpha, Math.round(alpha.width * scale), Math.round(alpha.height * scale));
  const { width, height } = fine;
  const mask = fine.data.map((share) => (share > 127 ? 255 : 0));
  const subjectBox = boxAround(width, height, (pixel) => mask[pixel] !== 0);
  const verdict: CutOutVerdict = mask.includes(255)
    ? { isTrusted: true, by: 'transparency' }
    : { isTrusted: false, reason: 'no_subject' };
  return { width, height, mask, shadow: null, verdict, isPlainGround: true, subjectBox };
}

function boxAround(width: number, height: number, isInside: (pixel: number) => boolean): Box {
  const isCounted = new Uint8Array(width * height);
  forEachRegion(width, height, isInside, (region) => {
    if (region.length >= 30) for (const pixel of region) isCounted[pixel] = 1;
  });
  const bounds = boundsOf(width, height, (pixel) => isCounted[pixel] === 1);
  if (!bounds) return WHOLE;
  const { left, top, right, bottom } = bounds;
  return { left: left / width, top: top / height, right: right / width, bottom: bottom / height };
}

/**
 * Longest side of the refined mask. At GrabCut's size, gaps between an arm and the waist are only a pixel or two wide.
 */
const FINE_SIDE = 960;
/** Smoothing where no edge of the picture supports the outline, in pixels of the rough mask. */
const SMOOTHING_SIGMA = 1.6;
/** Gradient of an edge that supports the outline, in levels per pixel. */
const HOLDING_EDGE = 12;

interface RefinedMask {
  mask: Plane<Uint8Array>;
  /** 255 for soft shadow, at the size of the mask. Null when there is none. */
  shadow: Uint8Array | null;
  /** Whether an island is left inside that may be ground enclosed by limbs or cloth. */
  hasDoubtfulIsland: boolean;
}

/**
 * Refines a rough mask at twice its size: smooths it where cloth hardly differs from the ground, and opens narrow gaps.
 */
async function refineMask(
  photo: RgbImage,
  rough: Plane<Uint8Array>,
  deviation: Deviation,
  roughShadow: Uint8Array | null,
): Promise<RefinedMask> {
  const scale = Math.min(1, FINE_SIDE / Math.max(photo.width, photo.height));
  const fine = await resizeRgb(photo, Math.round(photo.width * scale), Math.round(photo.height * scale));
  const { width, height } = fine;
  const enlargement = width / rough.width;
  const exact = (await resizePlane(rough, width, height)).data;
  const smooth = (await resizePlane(rough, width, height, SMOOTHING_SIGMA * enlargement)).data;
  const gradient = colourGradient(width, height, fine.data);
  const held = boxBlur({ width, height, data: gradient.map((value) => (value > HOLDING_EDGE ? 1 : 0)) }, 4).data;
  const mask = new Uint8Array(width * height);
  for (let pixel = 0; pixel < mask.length; pixel++) {
    mask[pixel] = (held[pixel]! > 0.04 ? exact : smooth)[pixel]! > 127 ? 255 : 0;
  }
  const shadow = roughShadow && (await enlargeShadow(roughShadow, rough, fine));
  const { ground, isDoubtful } = findIslands(mask, fine, gradient, deviation, shadow);
  openGaps(mask, fine, gradient, deviation, shadow);
  for (const pixel of ground) mask[pixel] = 0;
  openTips(mask, fine, shadow);
  return { mask: { width, height, data: mask }, shadow, hasDoubtfulIsland: isDoubtful };
}

/** A smaller piece beside the subject was a part of its shadow. */
const PIECE_SHARE = 0.04;

function removeShadow(mask: Uint8Array, width: number, height: number, isShadow: Uint8Array): void {
  for (let pixel = 0; pixel < mask.length; pixel++) if (isShadow[pixel]) mask[pixel] = 0;
  openMask(mask, width);
  keepLargePieces(mask, width, height, PIECE_SHARE);
}

async function enlargeShadow(isShadow: Uint8Array, { width, height }: FrameSize, fine: FrameSize): Promise<Uint8Array> {
  const plane = { width, height, data: isShadow.map((value) => value * 255) };
  return (await resizePlane(plane, fine.width, fine.height)).data.map((share) => (share > 127 ? 255 : 0));
}

/** Lower part of the subject's height that may touch a floor. */
const FLOOR_ZONE = 0.14;
/**
 * Gradient limit of a shadow under a sole. Its rim is steeper than that of a shadow on a wall, but softer than that of
 * the sole.
 */
const SHADOW_GRADIENT = 13;
const MAX_TRIMMED_SHARE = 0.03;

/** Removes the dark shadow directly under soles from the mask, working inwards from the surrounding ground. */
function trimContactShadow(mask: Uint8Array, width: number, { isShadeOfGround, gradient }: Deviation): void {
  const first = mask.indexOf(255);
  const last = mask.lastIndexOf(255);
  if (first < 0) return;
  const top = Math.floor(first / width);
  const bottom = Math.floor(last / width);
  const from = Math.round(bottom - (bottom - top) * FLOOR_ZONE) * width;
  const height = mask.length / width;
  const isGround = (pixel: number) => pixel >= from && mask[pixel] === 0;
  const isShadow = (pixel: number) =>
    pixel >= from && mask[pixel] !== 0 && isShadeOfGround[pixel] !== 0 && gradient[pixel]! <= SHADOW_GRADIENT;
  const trimmed = spread(width, height, (pixel) => hasNeighbour(pixel, width, height, isGround), isShadow);
  const area = mask.reduce((sum, value) => sum + (value ? 1 : 0), 0);
  // A larger area is not a shadow but cloth in the ground's colour.
  if (trimmed.length < area * MAX_TRIMMED_SHARE) for (const pixel of trimmed) mask[pixel] = 0;
}
