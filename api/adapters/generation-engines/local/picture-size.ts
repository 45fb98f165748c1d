import { MARKETPLACE_MIN_PX } from '#shared/rules/photo-requirements.ts';
import type { FrameSize } from './scene.ts';

/** What a product page wants; a photo of at least this size gives every picture in it. */
export const WANTED_WIDTH = 1200;
/** Beyond this nothing is gained on a product page. */
const LARGEST_WIDTH = 1620;
/** More than this would pretend detail that the photo does not have. */
export const MAX_ENLARGEMENT = 1.35;

/** The narrowest 3:4 picture that is made of a photo: no marketplace refuses it, and a large photo gives more. */
export function leastPictureWidth(photo: FrameSize): number {
  return largestWindow(photo) >= WANTED_WIDTH ? WANTED_WIDTH : MARKETPLACE_MIN_PX.width;
}

/** Width in pixels of the largest 3:4 part of a photo. */
export function largestWindow({ width, height }: FrameSize): number {
  return Math.min(width, Math.floor((height * 3) / 4));
}

/** Pixels of the photo that a picture of `leastWidth` has to show across to enlarge none of them too much. */
export function leastSourceWidth(leastWidth: number): number {
  return Math.ceil(leastWidth / MAX_ENLARGEMENT / 3) * 3;
}

/**
 * Size of a 3:4 picture whose width shows `sourceWidth` pixels of the photo: those pixels as they are, enlarged to
 * reach `WANTED_WIDTH` as far as they bear it. `leastWidth` is kept whatever the photo gives.
 */
export function choosePictureSize(sourceWidth: number, leastWidth: number): FrameSize {
  const honest = Math.max(sourceWidth, Math.min(WANTED_WIDTH, sourceWidth * MAX_ENLARGEMENT));
  const third = Math.floor(Math.min(LARGEST_WIDTH, Math.max(leastWidth, honest)) / 3);
  return { width: third * 3, height: third * 4 };
}
