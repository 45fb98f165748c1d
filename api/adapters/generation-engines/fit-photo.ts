import sharp, { type Sharp } from 'sharp';

export interface PictureSize {
  width: number;
  height: number;
}

const MAX_INPUT_PIXELS = 60_000_000;
const JPEG = { quality: 92, chromaSubsampling: '4:4:4' } as const;
/** Up to this share of a side is cut off rather than padded. */
const CROP_MAX_SHARE = 0.04;
/** Of the longer side of the frame. */
const PADDING_BLUR_SHARE = 0.02;

/** The file is no picture that can be decoded. */
export class UnreadablePhotoError extends Error {
  constructor(cause: unknown) {
    super('the photo cannot be decoded', { cause });
    this.name = 'UnreadablePhotoError';
  }
}

/**
 * Gives a photo the ratio of a frame, as a JPEG of exactly that size. A sliver is cut off; otherwise the photo stays
 * whole and is continued at two sides by its own blurred edges. Nothing is stretched, and the photo itself stays sharp.
 * Throws UnreadablePhotoError.
 */
export function fitToFrame(photo: Buffer, frame: PictureSize): Promise<Buffer> {
  return decode(async () => {
    const { autoOrient: size } = await openPhoto(photo).metadata();
    const ratio = size.width / size.height / (frame.width / frame.height);
    const cut = 1 - Math.min(ratio, 1 / ratio);
    if (cut <= CROP_MAX_SHARE) {
      return openPhoto(photo).autoOrient().resize(frame.width, frame.height, { fit: 'cover' }).jpeg(JPEG).toBuffer();
    }
    const { data, info } = await openPhoto(photo)
      .autoOrient()
      .resize(frame.width, frame.height, { fit: 'inside' })
      .png({ compressionLevel: 1 })
      .toBuffer({ resolveWithObject: true });
    const left = Math.floor((frame.width - info.width) / 2);
    const top = Math.floor((frame.height - info.height) / 2);
    const continued = await sharp(data)
      .extend({
        ...{ left, top, right: frame.width - info.width - left, bottom: frame.height - info.height - top },
        extendWith: 'copy',
      })
      .png({ compressionLevel: 1 })
      .toBuffer();
    return sharp(continued)
      .blur(Math.max(frame.width, frame.height) * PADDING_BLUR_SHARE)
      .composite([{ input: data, left, top }])
      .jpeg(JPEG)
      .toBuffer();
  });
}

/** Shrinks a photo until no side is longer than `maxSide`. A JPEG. Throws UnreadablePhotoError. */
export function shrinkPhoto(photo: Buffer, maxSide: number): Promise<Buffer> {
  return decode(() =>
    openPhoto(photo)
      .autoOrient()
      .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
      .jpeg(JPEG)
      .toBuffer(),
  );
}

/** In sRGB, with white for transparency. */
function openPhoto(photo: Buffer): Sharp {
  return sharp(photo, { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'error' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb');
}

async function decode<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new UnreadablePhotoError(error);
  }
}
