import { matteByAlpha, matteSubject, type Rows } from '#api/imaging/matting.ts';
import { decodePhoto, type Matte, type RgbImage } from '#api/imaging/pixel-image.ts';
import { segmentByAlpha, segmentSubject } from '#api/imaging/segment-subject.ts';
import type { Box, Segmentation } from '#api/imaging/segmentation.ts';
import { readGivenMask } from './given-mask.ts';

export interface CutOut {
  /** The photo, upright, no larger than `maxSide`. */
  photo: RgbImage;
  segmentation: Segmentation;
  /** Subject, alpha and filled-in ground. Null when the outline cannot be trusted. */
  matte: Matte | null;
}

/** Upper part of a figure's height that may contain hair. */
const HAIR_SHARE = 0.36;

/**
 * Cuts the subject out of a product photo with a plain ground. `maxSide` limits the longer side, in pixels. `maskFile`:
 * the transparency that the photo's file had; where there is one, nothing has to be guessed. Computes for a second or
 * more: do not call it in the server.
 */
export async function cutOutSubject(
  photoFile: Buffer,
  maxSide: number,
  maskFile: Buffer | null = null,
): Promise<CutOut> {
  const photo = await decodePhoto(photoFile, maxSide);
  if (maskFile) {
    const alpha = await readGivenMask(maskFile, photo);
    return { photo, segmentation: await segmentByAlpha(alpha), matte: await matteByAlpha(photo, alpha) };
  }
  const segmentation = await segmentSubject(photo);
  const matte = segmentation.verdict.isTrusted
    ? await matteSubject(photo, segmentation, rowsOfHair(photo, segmentation.subjectBox))
    : null;
  return { photo, segmentation, matte };
}

/**
 * The rows of hair of a figure. A subject counts as a figure if it is taller than any garment lying alone, or if the
 * photo cuts it off at the bottom.
 */
function rowsOfHair(photo: RgbImage, box: Box): Rows | undefined {
  const tall = (box.bottom - box.top) * photo.height;
  const isFigure = box.bottom > 0.985 || tall > 2.5 * (box.right - box.left) * photo.width;
  if (!isFigure) return undefined;
  return { from: Math.floor(box.top * photo.height), to: Math.ceil(box.top * photo.height + tall * HAIR_SHARE) };
}
