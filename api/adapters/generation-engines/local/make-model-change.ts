import { composePicture } from './compose-picture.ts';
import { type CutOut, cutOutSubject } from './cut-out-subject.ts';
import { fitPhoto } from './fit-photo.ts';
import { PhotoUnsuitableError } from './photo-unsuitable-error.ts';
import { encodeJpeg } from './picture-file.ts';
import { choosePictureSize } from './picture-size.ts';
import { decodeCovering } from './pixel-image.ts';
import { placeSprite, sourceWidthOf } from './place-sprite.ts';
import type { FrameSize } from './scene.ts';
import { showsShadowBelow } from './shadow-below.ts';
import { spriteOf } from './sprite.ts';
import { chooseSupport, layOutSubject } from './subject-layout.ts';

/** Photos are worked on at this size at the most (longer side). */
export const WORKING_SIDE = 2160;
const LEAST_WIDTH = 1080;

/**
 * Puts the subject of the photo before another background; without one, fits the photo itself into 3:4. The person
 * stays who they are. Answers a JPEG of 1080 to 1620 pixels across. Throws a PhotoUnsuitableError where the subject
 * cannot be cut out cleanly.
 */
export async function makeModelChange(
  photoFile: Buffer,
  background: Buffer | null,
  frameSize?: FrameSize,
): Promise<Buffer> {
  const cutOut = await cutOutSubject(photoFile, WORKING_SIDE);
  if (!background) return encodeJpeg(await fitPhoto(cutOut, frameSize ?? sizeOfWhole(cutOut)));
  const { matte, segmentation } = cutOut;
  if (!matte) throw new PhotoUnsuitableError(`no clean cut-out: ${JSON.stringify(segmentation.verdict)}`);
  const sprite = spriteOf(matte);
  const layout = layOutSubject(sprite, chooseSupport(sprite, showsShadowBelow(cutOut)));
  const frame = frameSize ?? choosePictureSize(sourceWidthOf(sprite, layout), LEAST_WIDTH, LEAST_WIDTH);
  const ground = await decodeCovering(background, frame);
  return encodeJpeg(await composePicture(ground, await placeSprite(sprite, layout, frame)));
}

function sizeOfWhole({ photo }: CutOut): FrameSize {
  return choosePictureSize(Math.max(photo.width, (photo.height * 3) / 4), LEAST_WIDTH, LEAST_WIDTH);
}
