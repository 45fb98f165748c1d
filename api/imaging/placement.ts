import type { FrameSize } from './pixel-image.ts';
import type { Segmentation } from './segmentation.ts';

/** Position of the photo in the frame, in frame pixels. It may reach beyond the frame or leave ground to fill. */
export interface Placement {
  scale: number;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Space around the subject, as a share of the frame. */
const AIR = 0.03;
/** How much of a photo with a busy ground may be cropped at the borders, as a share of its side. */
const BUSY_CROP = 0.06;
/** A subject this close to a border (as a share of the photo) is assumed to continue beyond it. */
const TOUCH = 0.012;

/**
 * Places a photo in a frame of another shape, as large as possible without cropping the subject. A side at which the
 * photo cuts the subject off stays on the frame's border, so that nothing has to be invented below cut-off legs.
 */
export function placePhoto(
  photo: FrameSize,
  frame: FrameSize,
  { isPlainGround, subjectBox: box }: Pick<Segmentation, 'isPlainGround' | 'subjectBox'>,
): Placement {
  const contain = Math.min(frame.width / photo.width, frame.height / photo.height);
  const cover = Math.max(frame.width / photo.width, frame.height / photo.height);
  if (!isPlainGround) {
    const scale = Math.min(cover, contain / (1 - BUSY_CROP));
    return at(photo, scale, (frame.width - photo.width * scale) / 2, (frame.height - photo.height * scale) / 2);
  }
  // A figure cut by the lower border fills the frame, because ground would otherwise have to be invented under it.
  const air = box.bottom > 1 - TOUCH ? 0 : AIR;
  const fitAcross = (frame.width * (1 - 2 * air)) / ((box.right - box.left) * photo.width);
  const fitDown = (frame.height * (1 - 2 * air)) / ((box.bottom - box.top) * photo.height);
  const scale = Math.max(contain, Math.min(cover, fitAcross, fitDown));
  const left = align(photo.width * scale, frame.width, box.left, box.right);
  const top = align(photo.height * scale, frame.height, box.top, box.bottom);
  return at(photo, scale, left, top);
}

function at(photo: FrameSize, scale: number, left: number, top: number): Placement {
  return {
    scale,
    left: Math.round(left),
    top: Math.round(top),
    width: Math.round(photo.width * scale),
    height: Math.round(photo.height * scale),
  };
}

function align(photoSide: number, frameSide: number, boxFrom: number, boxTo: number): number {
  const spare = frameSide - photoSide;
  if (spare >= 0) {
    if (boxTo > 1 - TOUCH) return spare;
    if (boxFrom < TOUCH) return 0;
    return spare / 2;
  }
  const centred = frameSide / 2 - ((boxFrom + boxTo) / 2) * photoSide;
  return Math.min(0, Math.max(spare, centred));
}
