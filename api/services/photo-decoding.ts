import { open } from 'node:fs/promises';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { AppError } from '#api/errors.ts';
import { PHOTO_MAX_PIXELS, PHOTO_MIN_SIDE_PX } from '#shared/rules/photo-requirements.ts';
import { decodeHeic } from './heic-decoding.ts';
import { PHOTO_HEAD_BYTES, type PhotoFormat, sniffPhotoFormat } from './photo-format.ts';
import { embedColourProfile } from './png-colour-profile.ts';
import { createWorkSlots } from './work-slots.ts';

/** A clean photo in the three sizes that are kept. */
export interface DecodedPhoto {
  format: PhotoFormat;
  /** JPEG; the tools cut their details from it. */
  master: Buffer;
  /** WebP. */
  preview: Buffer;
  thumbnail: Buffer;
  /** Of the master, in pixels. */
  width: number;
  height: number;
}

/** A close-up of a tool needs a quarter of the frame at 1080 px. */
const MASTER_MAX_SIDE_PX = 4096;
/** A strip this long is no photo of a product, and JPEG could hardly hold it. */
const MASTER_STRIP_MAX_SIDE_PX = 16_384;
const PREVIEW_MAX_SIDE_PX = 1080;
const THUMBNAIL_MAX_SIDE_PX = 320;
const TIMEOUT_SECONDS = 30;

/** One thread for each picture and no memory of past ones: the machine also answers requests. */
sharp.concurrency(1);
sharp.cache(false);
const slots = createWorkSlots({ atOnce: 2, maxWaiting: 60 });

/**
 * Decodes a received file wholly and makes what is kept of it: upright, sRGB, on white, without metadata.
 * Throws photo_not_image, photo_heic_unsupported, photo_too_small, photo_too_many_pixels, photo_unreadable, unavailable.
 */
export async function decodePhoto(file: string): Promise<DecodedPhoto> {
  const format = sniffPhotoFormat(await readHead(file));
  if (!format) throw new AppError('photo_not_image');
  return slots.run(async () => {
    try {
      return {
        format,
        ...(await makeSizes(format === 'heic' ? await openHeic(file) : await openPicture(file, format))),
      };
    } catch (error) {
      throw error instanceof AppError ? error : explainRefusal(error);
    }
  });
}

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(PHOTO_HEAD_BYTES));
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

interface Source {
  picture: Sharp;
  /** Of the longer side of the master, in pixels. */
  masterSidePx: number;
}

function startReading(input: string | Buffer): Sharp {
  return sharp(input, { limitInputPixels: PHOTO_MAX_PIXELS, failOn: 'error' }).timeout({ seconds: TIMEOUT_SECONDS });
}

async function openPicture(file: string, format: PhotoFormat): Promise<Source> {
  const metadata = await startReading(file).metadata();
  // The decoder has its own idea of a format; it must be the one that was allowed.
  if (metadata.format !== format) throw new AppError('photo_not_image');
  return { picture: startReading(file).autoOrient(), masterSidePx: chooseMasterSide(metadata) };
}

/** Sharp reads the frame of a HEIC file but cannot decode its codec, so the pixels come from elsewhere. */
async function openHeic(file: string): Promise<Source> {
  const metadata = await startReading(file)
    .metadata()
    .catch((error) => {
      throw isPixelLimit(error) ? error : Object.assign(new AppError('photo_heic_unsupported'), { cause: error });
    });
  const masterSidePx = chooseMasterSide(metadata);
  const { data, ...size } = await decodeHeic({ file, maxPixels: PHOTO_MAX_PIXELS });
  const png = await sharp(data, { raw: { ...size, channels: 4 }, limitInputPixels: PHOTO_MAX_PIXELS })
    .resize(masterSidePx, masterSidePx, { fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 0 })
    .toBuffer();
  // Phones write Display P3: without their profile every colour would come out pale.
  return { picture: startReading(metadata.icc ? embedColourProfile(png, metadata.icc) : png), masterSidePx };
}

/** Throws photo_too_small and photo_too_many_pixels. */
function chooseMasterSide({ width, height }: Metadata): number {
  const short = Math.min(width, height);
  const long = Math.max(width, height);
  if (short < PHOTO_MIN_SIDE_PX) throw new AppError('photo_too_small');
  const scale = Math.min(1, Math.max(MASTER_MAX_SIDE_PX / long, PHOTO_MIN_SIDE_PX / short));
  const side = Math.ceil(long * scale);
  if (side > MASTER_STRIP_MAX_SIDE_PX) throw new AppError('photo_too_many_pixels');
  return side;
}

async function makeSizes({ picture, masterSidePx }: Source): Promise<Omit<DecodedPhoto, 'format'>> {
  const { data: master, info } = await picture
    .resize(masterSidePx, masterSidePx, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
    .toBuffer({ resolveWithObject: true });
  return {
    master,
    preview: await makeSmall(master, PREVIEW_MAX_SIDE_PX, 82),
    thumbnail: await makeSmall(master, THUMBNAIL_MAX_SIDE_PX, 78),
    width: info.width,
    height: info.height,
  };
}

function makeSmall(master: Buffer, sidePx: number, quality: number): Promise<Buffer> {
  return sharp(master).resize(sidePx, sidePx, { fit: 'inside', withoutEnlargement: true }).webp({ quality }).toBuffer();
}

/** Sharp's errors have no code, and their texts are not for people. */
function explainRefusal(error: unknown): AppError {
  const code = isPixelLimit(error) ? 'photo_too_many_pixels' : 'photo_unreadable';
  return Object.assign(new AppError(code), { cause: error });
}

function isPixelLimit(error: unknown): boolean {
  return error instanceof Error && error.message.includes('exceeds pixel limit');
}
