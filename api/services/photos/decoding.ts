import { open } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { PHOTO_MAX_PIXELS, PHOTO_MIN_SIDE_PX } from '#shared/rules/photo-requirements.ts';
import { PHOTO_HEAD_BYTES, type PhotoFormat, sniffPhotoFormat } from './format.ts';
import { decodeHeic } from './heic-decoding.ts';

/** A clean photo in the three sizes that are kept. */
export interface DecodedPhoto {
  format: PhotoFormat;
  /** JPEG. The tools cut their details from it. */
  master: Buffer;
  /** WebP. */
  preview: Buffer;
  thumbnail: Buffer;
  /** Of the received file, upright, in pixels. The master may be smaller. */
  width: number;
  height: number;
}

/** A close-up of a tool needs a quarter of the frame at 1080 px. */
const MASTER_MAX_SIDE_PX = 4096;
/** A longer strip is no product photo, and JPEG can hardly store it. */
const MASTER_STRIP_MAX_SIDE_PX = 16_384;
const PREVIEW_MAX_SIDE_PX = 1080;
const THUMBNAIL_MAX_SIDE_PX = 320;
const TIMEOUT_SECONDS = 30;

/** Decoding a larger photo may take half a gigabyte, so such photos are decoded one by one. */
const HEAVY_PIXELS = 24_000_000;

/** One thread per picture and no cache, because the machine also answers requests. */
sharp.concurrency(1);
sharp.cache(false);

/**
 * Decodes a received file completely and makes the stored sizes: upright, sRGB, on white, without metadata. Throws
 * photo_not_image, photo_heic_unsupported, photo_too_small, photo_too_many_pixels, photo_unreadable, unavailable.
 */
export async function decodePhoto(app: Pick<AppContext, 'state'>, file: string): Promise<DecodedPhoto> {
  const format = sniffPhotoFormat(await readHead(file));
  if (!format) throw new AppError('photo_not_image');
  const { photoDecoding, largePhotoDecoding } = app.state.semaphores;
  return photoDecoding.run(async () => {
    try {
      const frame = await readFrame(file, format);
      const decode = async () => {
        const { picture, ...size } =
          format === 'heic'
            ? await openHeic(file, frame)
            : { picture: startReading(file).autoOrient(), ...frame.uprightSize };
        return { format, ...size, ...(await makeSizes(picture, frame.masterSidePx)) };
      };
      return frame.pixels > HEAVY_PIXELS ? await largePhotoDecoding.run(decode) : await decode();
    } catch (error) {
      throw error instanceof AppError ? error : refuse(error, 'photo_unreadable');
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

/** Facts known before decoding. */
interface Frame {
  pixels: number;
  /** As sharp reports it. For HEIC only the other decoder knows it. */
  uprightSize: { width: number; height: number };
  /** Longer side of the master, in pixels. */
  masterSidePx: number;
  colourProfile: Buffer | undefined;
}

function startReading(input: string | Buffer): Sharp {
  return sharp(input, { limitInputPixels: PHOTO_MAX_PIXELS, failOn: 'error' }).timeout({ seconds: TIMEOUT_SECONDS });
}

async function readFrame(file: string, format: PhotoFormat): Promise<Frame> {
  const isHeic = format === 'heic';
  const metadata = await startReading(file)
    .metadata()
    .catch((error) => {
      throw refuse(error, isHeic ? 'photo_heic_unsupported' : 'photo_unreadable');
    });
  // The decoder detects the format itself. It must agree with ours.
  if (metadata.format !== (isHeic ? 'heif' : format)) throw new AppError('photo_not_image');
  return {
    pixels: metadata.width * metadata.height,
    uprightSize: metadata.autoOrient,
    masterSidePx: chooseMasterSide(metadata),
    colourProfile: metadata.icc,
  };
}

/** Sharp reads the frame of a HEIC file but cannot decode its codec, so another decoder provides the pixels. */
async function openHeic(
  file: string,
  { masterSidePx, colourProfile }: Frame,
): Promise<{ picture: Sharp; width: number; height: number }> {
  const { data, ...size } = await decodeHeic({ file, maxPixels: PHOTO_MAX_PIXELS });
  const png = await sharp(data, { raw: { ...size, channels: 4 }, limitInputPixels: PHOTO_MAX_PIXELS })
    .resize(masterSidePx, masterSidePx, { fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 0 })
    .toBuffer();
  // Phones write Display P3. Without the profile every colour would come out pale.
  return { picture: startReading(colourProfile ? embedColourProfile(png, colourProfile) : png), ...size };
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

async function makeSizes(
  picture: Sharp,
  masterSidePx: number,
): Promise<Pick<DecodedPhoto, 'master' | 'preview' | 'thumbnail'>> {
  const master = await picture
    .resize(masterSidePx, masterSidePx, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
    .toBuffer();
  return {
    master,
    preview: await makeSmall(master, PREVIEW_MAX_SIDE_PX, 82),
    thumbnail: await makeSmall(master, THUMBNAIL_MAX_SIDE_PX, 78),
  };
}

function makeSmall(master: Buffer, sidePx: number, quality: number): Promise<Buffer> {
  return sharp(master).resize(sidePx, sidePx, { fit: 'inside', withoutEnlargement: true }).webp({ quality }).toBuffer();
}

/** Sharp's errors have no codes, and their messages are not for users. */
function refuse(error: unknown, code: 'photo_unreadable' | 'photo_heic_unsupported'): AppError {
  const isPixelLimit = error instanceof Error && error.message.includes('exceeds pixel limit');
  return Object.assign(new AppError(isPixelLimit ? 'photo_too_many_pixels' : code), { cause: error });
}

/** The signature and the IHDR chunk, which always comes first. */
const HEADER_BYTES = 33;

/** Adds an ICC profile to a PNG file, so that readers interpret its colours correctly. */
function embedColourProfile(png: Buffer, profile: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from('iCCP'), Buffer.from('profile\0\0', 'latin1'), deflateSync(profile)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length - 4);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([png.subarray(0, HEADER_BYTES), length, content, checksum, png.subarray(HEADER_BYTES)]);
}
