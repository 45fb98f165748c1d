import sharp from 'sharp';
import { choosePictureSize } from './picture-size.ts';
import type { RgbImage } from './pixel-image.ts';
import type { FrameSize } from './scene.ts';
import type { Box } from './segment-subject.ts';

const MAX_INPUT_PIXELS = 60_000_000;
const JPEG = { quality: 92, chromaSubsampling: '4:4:4' } as const;

export function encodeJpeg({ width, height, data }: RgbImage): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg(JPEG)
    .toBuffer();
}

/** Size of the upright photo in pixels. */
export async function measurePhoto(photoFile: Buffer): Promise<FrameSize> {
  const { autoOrient } = await sharp(photoFile, { limitInputPixels: MAX_INPUT_PIXELS }).metadata();
  return autoOrient;
}

/**
 * Cuts a window of 3:4 out of the photo at its full resolution; `window` in shares of it. Enlarged by half at the
 * most to reach `wantedWidth` pixels.
 */
export async function cropPhoto(photoFile: Buffer, window: Box, wantedWidth: number): Promise<Buffer> {
  const photo = await measurePhoto(photoFile);
  const left = Math.min(photo.width - 3, Math.max(0, Math.round(window.left * photo.width)));
  const top = Math.min(photo.height - 4, Math.max(0, Math.round(window.top * photo.height)));
  const unit = Math.floor(
    Math.min(((window.right - window.left) * photo.width) / 3, (photo.width - left) / 3, (photo.height - top) / 4),
  );
  const source = { width: Math.max(1, unit) * 3, height: Math.max(1, unit) * 4 };
  const size = choosePictureSize(source.width, wantedWidth);
  const cropped = sharp(photoFile, { limitInputPixels: MAX_INPUT_PIXELS })
    .autoOrient()
    .extract({ left, top, ...source })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .resize(size.width, size.height, { fit: 'fill', kernel: 'lanczos3' });
  // An enlargement is soft; a light sharpening gives back what it took, no more.
  return (size.width > source.width ? cropped.sharpen({ sigma: 0.8, m1: 0.4, m2: 1.2 }) : cropped)
    .jpeg(JPEG)
    .toBuffer();
}
