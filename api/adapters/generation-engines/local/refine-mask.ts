import { colourGradient, type Deviation } from './deviation.ts';
import { findIslands } from './find-islands.ts';
import { openGaps } from './open-gaps.ts';
import { openTips } from './open-tips.ts';
import { boxBlur, type Plane, type RgbImage, resizePlane, resizeRgb } from './pixel-image.ts';

/** Longest side of the finer mask: slits between an arm and a waist are a pixel or two wide where GrabCut works. */
const FINE_SIDE = 960;
/** Smoothing of an outline that no edge of the picture holds, in pixels of the rough mask. */
const SMOOTHING_SIGMA = 1.6;
/** An edge this strong (levels a pixel) holds the outline by itself. */
const HOLDING_EDGE = 12;

export interface RefinedMask {
  mask: Plane<Uint8Array>;
  /** Something is left inside that may be ground which limbs enclose as well as cloth. */
  hasDoubtfulIsland: boolean;
}

/** A rough mask at twice its size: smooth where cloth hardly differs from the ground, with narrow gaps opened. */
export async function refineMask(
  photo: RgbImage,
  rough: Plane<Uint8Array>,
  deviation: Deviation,
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
  const { ground, isDoubtful } = findIslands(mask, fine, gradient, deviation);
  openGaps(mask, fine, gradient, deviation);
  for (const pixel of ground) mask[pixel] = 0;
  openTips(mask, fine);
  return { mask: { width, height, data: mask }, hasDoubtfulIsland: isDoubtful };
}
