import { type Matte, matteSubject } from './matting.ts';
import { decodePhoto } from './pixel-image.ts';
import { type Box, type Segmentation, segmentSubject } from './segment-subject.ts';

export interface CutOut {
  /** Whether the outline may be trusted, and what was measured to say so. */
  verdict: Segmentation['verdict'];
  subjectBox: Box;
  /** Subject, alpha and filled-in ground; null where the outline is not to be trusted. */
  matte: Matte | null;
}

/**
 * Cuts the subject out of a product photo before a plain ground. `maxSide` bounds the longer side in pixels.
 * Blocks for a second or more of computing: call it in a worker thread.
 */
export async function cutOutSubject(photoFile: Buffer, maxSide: number): Promise<CutOut> {
  const photo = await decodePhoto(photoFile, maxSide);
  const { width, height, mask, verdict, subjectBox } = await segmentSubject(photo);
  const matte = verdict.isTrusted ? await matteSubject(photo, { width, height, data: mask }) : null;
  return { verdict, subjectBox, matte };
}
