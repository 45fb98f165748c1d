import { type Matte, matteSubject, type Rows } from './matting.ts';
import { decodePhoto, type RgbImage } from './pixel-image.ts';
import { type Box, type Segmentation, segmentSubject } from './segment-subject.ts';

export interface CutOut {
  /** The photo, upright, no larger than asked for. */
  photo: RgbImage;
  segmentation: Segmentation;
  /** Subject, alpha and filled-in ground; null where the outline is not to be trusted. */
  matte: Matte | null;
}

/** Part of a figure's height, from above, in which hair may be. */
const HAIR_SHARE = 0.36;

/**
 * Cuts the subject out of a product photo before a plain ground. `maxSide` bounds the longer side in pixels.
 * Blocks for a second or more of computing: call it in a worker thread.
 */
export async function cutOutSubject(photoFile: Buffer, maxSide: number): Promise<CutOut> {
  const photo = await decodePhoto(photoFile, maxSide);
  const segmentation = await segmentSubject(photo);
  const { width, height, mask, verdict } = segmentation;
  const matte = verdict.isTrusted
    ? await matteSubject(photo, { width, height, data: mask }, rowsOfHair(photo, segmentation.subjectBox))
    : null;
  return { photo, segmentation, matte };
}

/** Upper part of a figure: one that is taller than any garment lying alone, or goes on below the photo. */
function rowsOfHair(photo: RgbImage, box: Box): Rows | undefined {
  const tall = (box.bottom - box.top) * photo.height;
  const isFigure = box.bottom > 0.985 || tall > 2.5 * (box.right - box.left) * photo.width;
  if (!isFigure) return undefined;
  return { from: Math.floor(box.top * photo.height), to: Math.ceil(box.top * photo.height + tall * HAIR_SHARE) };
}
