import type { CutOut } from './cut-out-subject.ts';
import { extendGround } from './extend-ground.ts';
import { type RgbImage, resizeRgb } from './pixel-image.ts';
import { placePhoto } from './placement.ts';
import type { FrameSize } from './scene.ts';

/**
 * The whole photo in a frame of another shape. A plain ground goes on where the photo does not reach, a busy one goes
 * over into a soft enlargement of itself.
 */
export async function fitPhoto({ photo, segmentation }: CutOut, frame: FrameSize): Promise<RgbImage> {
  const placement = placePhoto(photo, frame, segmentation);
  const placed = await resizeRgb(photo, placement.width, placement.height);
  return extendGround(placed, placement, frame, 0, segmentation.isPlainGround ? segmentation : null);
}
