import sharp from 'sharp';
import { boxBlur, type FrameSize, type RgbImage, resizePlane, resizeRgb } from '#api/imaging/pixel-image.ts';
import { type Placement, placePhoto } from '#api/imaging/placement.ts';
import { fillGaps } from '#api/imaging/push-pull.ts';
import type { Segmentation } from '#api/imaging/segmentation.ts';
import type { CutOut } from './cut-out-subject.ts';

/** The fill is computed at a quarter of the size, because ground beyond the photo is smooth. */
const FILL_SCALE = 4;
/** Pixels over which photo and fill blend. */
const PLAIN_FEATHER = 6;
const BUSY_FEATHER = 36;
const BUSY_BLUR_SHARE = 0.035;

/**
 * Places the photo on a canvas of the frame's size plus `margin` on all sides and fills the rest. A plain ground is
 * continued; a busy one becomes a soft enlargement of the photo itself.
 */
export async function extendGround(
  placed: RgbImage,
  placement: Placement,
  frame: FrameSize,
  margin: number,
  plain: Pick<Segmentation, 'mask' | 'width' | 'height'> | null,
): Promise<RgbImage> {
  const width = frame.width + 2 * margin;
  const height = frame.height + 2 * margin;
  const left = placement.left + margin;
  const top = placement.top + margin;
  const isCovered = left <= 0 && top <= 0 && left + placed.width >= width && top + placed.height >= height;
  const beyond = isCovered
    ? new Uint8Array(width * height * 3)
    : plain
      ? await continueGround(placed, plain, left, top, width, height)
      : await enlargeSoftly(placed, width, height);
  const feather = plain ? PLAIN_FEATHER : BUSY_FEATHER;
  // Only borders inside the canvas are feathered. Where photo and frame end together, the photo stays as it is.
  const edges = {
    left: left > 0 ? 0 : -1e9,
    top: top > 0 ? 0 : -1e9,
    right: left + placed.width < width ? placed.width - 1 : 1e9,
    bottom: top + placed.height < height ? placed.height - 1 : 1e9,
  };
  const first = Math.max(0, -left);
  const end = Math.min(placed.width, width - left);
  // What no feather reaches is copied.
  const wholeFrom = Math.max(first, edges.left + feather);
  const wholeTo = Math.min(end, edges.right - feather + 1);
  for (let y = Math.max(0, -top); y < Math.min(placed.height, height - top); y++) {
    const inwardDown = Math.min(y - edges.top, edges.bottom - y);
    const isCopied = inwardDown >= feather && wholeFrom < wholeTo;
    if (isCopied) {
      const row = placed.data.subarray((y * placed.width + wholeFrom) * 3, (y * placed.width + wholeTo) * 3);
      beyond.set(row, ((y + top) * width + wholeFrom + left) * 3);
    }
    for (let x = first; x < end; x++) {
      if (isCopied && x >= wholeFrom && x < wholeTo) {
        x = wholeTo - 1;
        continue;
      }
      const inward = Math.min(x - edges.left, edges.right - x, inwardDown);
      const share = inward >= feather ? 1 : (inward + 1) / (feather + 1);
      const from = (y * placed.width + x) * 3;
      const to = ((y + top) * width + x + left) * 3;
      for (let c = 0; c < 3; c++) beyond[to + c] = placed.data[from + c]! * share + beyond[to + c]! * (1 - share) + 0.5;
    }
  }
  return { width, height, data: beyond };
}

/**
 * Continues a plain ground from the known colours at the photo's borders. The subject is left out where it touches
 * them.
 */
async function continueGround(
  placed: RgbImage,
  { mask, ...size }: Pick<Segmentation, 'mask' | 'width' | 'height'>,
  left: number,
  top: number,
  width: number,
  height: number,
): Promise<Uint8Array> {
  const small = { width: Math.ceil(width / FILL_SCALE), height: Math.ceil(height / FILL_SCALE) };
  const subject = boxBlur(
    await resizePlane(
      { ...size, data: mask },
      Math.ceil(placed.width / FILL_SCALE),
      Math.ceil(placed.height / FILL_SCALE),
    ),
    2,
  );
  const colours = new Float32Array(small.width * small.height * 3);
  const weights = new Float32Array(small.width * small.height);
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      const px = x * FILL_SCALE - left + 1;
      const py = y * FILL_SCALE - top + 1;
      if (px < 2 || py < 2 || px >= placed.width - 2 || py >= placed.height - 2) continue;
      if (subject.data[Math.floor(py / FILL_SCALE) * subject.width + Math.floor(px / FILL_SCALE)]! > 1) continue;
      weights[y * small.width + x] = 1;
      for (let c = 0; c < 3; c++)
        colours[(y * small.width + x) * 3 + c] = placed.data[(py * placed.width + px) * 3 + c]!;
    }
  }
  fillGaps({ ...small, colours, weights });
  const filled = new Uint8Array(colours.length);
  for (let i = 0; i < filled.length; i++) filled[i] = colours[i]! + 0.5;
  return sharp(filled, { raw: { ...small, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer();
}

async function enlargeSoftly(placed: RgbImage, width: number, height: number): Promise<Uint8Array> {
  const small = { width: Math.ceil(width / FILL_SCALE), height: Math.ceil(height / FILL_SCALE) };
  const soft = await sharp(placed.data, { raw: { width: placed.width, height: placed.height, channels: 3 } })
    .resize(small.width, small.height, { fit: 'cover' })
    .blur(Math.max(1, small.width * BUSY_BLUR_SHARE))
    .raw()
    .toBuffer();
  return sharp(soft, { raw: { ...small, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer();
}

/**
 * Fits the whole photo into a frame of another shape. A plain ground is continued around it; a busy one blends into a
 * soft enlargement of the photo itself.
 */
export async function fitPhoto({ photo, segmentation }: CutOut, frame: FrameSize): Promise<RgbImage> {
  const placement = placePhoto(photo, frame, segmentation);
  const placed = await resizeRgb(photo, placement.width, placement.height);
  return extendGround(placed, placement, frame, 0, segmentation.isPlainGround ? segmentation : null);
}
