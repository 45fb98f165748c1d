import { choosePictureSize, encodeJpeg, measurePhoto } from '#api/imaging/picture-file.ts';
import { decodeCovering, type FrameSize } from '#api/imaging/pixel-image.ts';
import { leastPictureWidth } from '#shared/rules/close-ups.ts';
import { composePicture } from './compose-picture.ts';
import { cutOutSubject } from './cut-out-subject.ts';
import { fitPhoto } from './extend-ground.ts';
import { PhotoUnsuitableError } from './photo-unsuitable-error.ts';
import { showsShadowBelow } from './shadow-below.ts';
import { chooseSupport, layOutSubject } from './subject-layout.ts';
import { takeSubject } from './take-subject.ts';

/** Largest size at which photos are processed (longer side, in pixels). */
export const WORKING_SIDE = 2160;
/** Width of the backgrounds that come with the service, in pixels. */
const LEAST_WIDTH = 1080;

/**
 * Puts the subject of the photo before another background. Without a background, fits the photo itself into 3:4. The
 * person stays the same. `floor`: where the background's floor begins, as a share of its height. `maskFile`: the
 * transparency that the photo's file had. Returns a JPEG of 1080
 * to 1620 pixels in width. Throws a PhotoUnsuitableError when the subject cannot be cut out cleanly.
 */
export async function makeModelChange(
  photoFile: Buffer,
  background: Buffer | null,
  frameSize?: FrameSize,
  floor: number | null = null,
  maskFile: Buffer | null = null,
): Promise<Buffer> {
  const cutOut = await cutOutSubject(photoFile, WORKING_SIDE, maskFile);
  const file = await measurePhoto(photoFile);
  const sizeOf = (sourceWidth: number) =>
    choosePictureSize(sourceWidth, Math.max(LEAST_WIDTH, leastPictureWidth(file)));
  if (!background) {
    return encodeJpeg(await fitPhoto(cutOut, frameSize ?? sizeOf(Math.max(file.width, (file.height * 3) / 4))));
  }
  const { matte, segmentation } = cutOut;
  if (!matte) throw new PhotoUnsuitableError(`no clean cut-out: ${JSON.stringify(segmentation.verdict)}`);
  const subject = takeSubject(photoFile, file, matte);
  const layout = layOutSubject(subject.sprite, chooseSupport(subject.sprite, showsShadowBelow(cutOut)), floor);
  const frame = frameSize ?? sizeOf(subject.inFile.width / layout.width);
  const ground = await decodeCovering(background, frame);
  return encodeJpeg(await composePicture(ground, await subject.place(layout, frame)));
}
