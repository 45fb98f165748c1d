import sharp from 'sharp';
import { MAX_ENLARGEMENT, WANTED_WIDTH } from '#shared/rules/close-ups.ts';
import { type FrameSize, INPUT, openPhoto, type RgbImage } from './pixel-image.ts';
import type { Box } from './segmentation.ts';

/** Of every picture that is made. */
export const JPEG = { quality: 92, chromaSubsampling: '4:4:4' } as const;

export function encodeJpeg({ width, height, data }: RgbImage): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg(JPEG)
    .toBuffer();
}

/** Size of the upright photo in pixels. */
export async function measurePhoto(photoFile: Buffer): Promise<FrameSize> {
  const { autoOrient } = await sharp(photoFile, INPUT).metadata();
  return autoOrient;
}

/** Decodes the part of a photo that a window shows and scales it to `size`. `window`: in shares of the photo. */
export async function decodeWindow(photoFile: Buffer, window: Box, size: FrameSize): Promise<RgbImage> {
  const { width, height } = await measurePhoto(photoFile);
  const left = Math.round(window.left * width);
  const top = Math.round(window.top * height);
  const region = {
    left,
    top,
    width: Math.max(1, Math.round(window.right * width) - left),
    height: Math.max(1, Math.round(window.bottom * height) - top),
  };
  const data = await openPhoto(photoFile)
    .extract(region)
    .resize(size.width, size.height, { fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer();
  return { width: size.width, height: size.height, data };
}

/**
 * Cuts `sourceWidth` pixels, and 4/3 as many rows, from the photo at full resolution. Returns a JPEG of `size`.
 * `corner`: in shares of the photo. It moves where the window would leave the photo.
 */
export async function cropPhoto(
  photoFile: Buffer,
  corner: Pick<Box, 'left' | 'top'>,
  sourceWidth: number,
  size: FrameSize,
): Promise<Buffer> {
  const photo = await measurePhoto(photoFile);
  const unit = Math.max(1, Math.floor(Math.min(sourceWidth / 3, photo.width / 3, photo.height / 4)));
  const source = { width: unit * 3, height: unit * 4 };
  const left = Math.min(photo.width - source.width, Math.max(0, Math.round(corner.left * photo.width)));
  const top = Math.min(photo.height - source.height, Math.max(0, Math.round(corner.top * photo.height)));
  const cropped = openPhoto(photoFile)
    .extract({ left, top, ...source })
    .resize(size.width, size.height, { fit: 'fill', kernel: 'lanczos3' });
  // An enlargement is soft. A light sharpening restores what it took and no more.
  return (size.width > source.width ? cropped.sharpen({ sigma: 0.8, m1: 0.4, m2: 1.2 }) : cropped)
    .jpeg(JPEG)
    .toBuffer();
}

/** A larger picture has no benefit on a product page. */
const LARGEST_WIDTH = 1620;

/**
 * Size of a 3:4 picture whose width shows `sourceWidth` pixels of the photo. They are enlarged towards `WANTED_WIDTH`,
 * by at most `MAX_ENLARGEMENT`. The width is at least `leastWidth`.
 */
export function choosePictureSize(sourceWidth: number, leastWidth: number): FrameSize {
  const honest = Math.max(sourceWidth, Math.min(WANTED_WIDTH, sourceWidth * MAX_ENLARGEMENT));
  const third = Math.floor(Math.min(LARGEST_WIDTH, Math.max(leastWidth, honest)) / 3);
  return { width: third * 3, height: third * 4 };
}
