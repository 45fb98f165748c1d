import { readFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import type { PhotoFormat } from '#shared/rules/photo-format.ts';
import { PHOTO_MAX_PIXELS, PHOTO_MIN_SIDE_PX } from '#shared/rules/photo-requirements.ts';
import { decodeHeic, type HeifFormat, readHeifFrame } from './heif-decoding.ts';
import { convertToSrgb, type Nclx } from './nclx.ts';
import { PhotoRefusal, refuse } from './photo-refusal.ts';

/** A close-up of a tool needs a quarter of the frame at 1080 px. */
const MASTER_MAX_SIDE_PX = 4096;
/** A longer strip is no product photo, and JPEG can hardly store it. */
const MASTER_STRIP_MAX_SIDE_PX = 16_384;
const PREVIEW_MAX_SIDE_PX = 1080;
const THUMBNAIL_MAX_SIDE_PX = 320;
const TIMEOUT_SECONDS = 30;
/** Half the time of the usual 4, for a twentieth more bytes. */
const WEBP_EFFORT = 2;

/** One thread per picture and no cache, because the machine also answers requests. */
sharp.concurrency(1);
sharp.cache(false);

export interface DecodedPicture {
  master: Buffer;
  preview: Buffer;
  thumbnail: Buffer;
  /** The transparency of the file itself, as a grey PNG of the master's size. Null when it shows no subject. */
  mask: Buffer | null;
  /** Of the received file, upright, in pixels. The master may be smaller. */
  width: number;
  height: number;
}

export interface Frame {
  pixels: number;
  /** After the crop and the turn that the file requests. */
  uprightSize: { width: number; height: number };
  masterSidePx: number;
  colourProfile: Buffer | undefined;
  /** Colours of a HEIC or AVIF file that differ from sRGB. Null with a profile. */
  nclx: Nclx | null;
  hasAlpha: boolean;
}

interface ReadingOptions {
  failOn?: 'error' | 'warning';
  page?: number;
}

function startReading(input: string | Buffer, { failOn = 'error', page = 0 }: ReadingOptions = {}): Sharp {
  return sharp(input, { limitInputPixels: PHOTO_MAX_PIXELS, failOn, page }).timeout({ seconds: TIMEOUT_SECONDS });
}

/** Reads what is known before decoding. Throws PhotoRefusal. */
export async function readFrame({ file, format }: { file: string; format: PhotoFormat }): Promise<Frame> {
  if (format === 'heic' || format === 'avif') return readCoverFrame(file, format);
  const metadata = await startReading(file)
    .metadata()
    .catch((error) => {
      throw refuse(error, 'photo_unreadable');
    });
  // The decoder detects the format itself. It must agree with ours.
  if (metadata.format !== format) throw new PhotoRefusal('photo_not_image');
  return {
    pixels: metadata.width * metadata.height,
    uprightSize: metadata.autoOrient,
    masterSidePx: chooseMasterSide(metadata),
    colourProfile: metadata.icc,
    nclx: null,
    hasAlpha: metadata.hasAlpha,
  };
}

async function readCoverFrame(file: string, format: HeifFormat): Promise<Frame> {
  const { width, height, storedPixels, profile, nclx, hasAlpha } = await readHeifFrame(file, format);
  if (storedPixels > PHOTO_MAX_PIXELS) throw new PhotoRefusal('photo_too_many_pixels');
  return {
    pixels: storedPixels,
    uprightSize: { width, height },
    masterSidePx: chooseMasterSide({ width, height }),
    colourProfile: profile ? Buffer.from(profile) : undefined,
    nclx,
    hasAlpha,
  };
}

/** Decodes the whole file. Throws PhotoRefusal. */
export async function decode({
  file,
  format,
  frame,
}: {
  file: string;
  format: PhotoFormat;
  frame: Frame;
}): Promise<DecodedPicture> {
  try {
    if (format === 'jpeg') return await decodeJpeg(file, frame);
    return await makeAll(await openPicture(file, format, frame), frame);
  } catch (error) {
    throw refuse(error, 'photo_unreadable');
  }
}

async function makeAll(picture: Sharp, frame: Frame): Promise<DecodedPicture> {
  const mask = frame.hasAlpha ? await makeMask(picture, frame.masterSidePx) : null;
  return { ...frame.uprightSize, ...(await makeSizes(picture, frame.masterSidePx)), mask };
}

function openPicture(file: string, format: PhotoFormat, frame: Frame): Sharp | Promise<Sharp> {
  if (format === 'heic') return openHeic(file, frame);
  if (format === 'avif') return openAvif(file, frame);
  return startReading(file).autoOrient();
}

const JPEG_END = Buffer.from([0xff, 0xd9]);

/**
 * Cut downloads and some cameras leave the end marker out. With a marker added, the decoder tells a file whose rows are
 * all there from one that stops earlier: only the latter is a warning. Other warnings spoil nothing.
 */
async function decodeJpeg(file: string, frame: Frame): Promise<DecodedPicture> {
  const content = await readFile(file);
  const whole = content.subarray(-JPEG_END.length).equals(JPEG_END) ? file : Buffer.concat([content, JPEG_END]);
  const make = (failOn: 'error' | 'warning') => makeAll(startReading(whole, { failOn }).autoOrient(), frame);
  try {
    return await make('warning');
  } catch (error) {
    if (!(error instanceof Error) || /premature end|timeout/i.test(error.message)) throw error;
    return await make('error');
  }
}

/** Sharp cannot decode the codec of a HEIC file, so another decoder provides the pixels. */
async function openHeic(file: string, { masterSidePx, colourProfile }: Frame): Promise<Sharp> {
  const { data, ...raw } = await decodeHeic(file);
  const png = await shrink(openRaw(data, raw), masterSidePx).png({ compressionLevel: 0 }).toBuffer();
  // Phones write Display P3. Without the profile every colour would come out pale.
  return startReading(colourProfile ? embedColourProfile(png, colourProfile) : png);
}

async function openAvif(file: string, { nclx, hasAlpha }: Frame): Promise<Sharp> {
  const { pagePrimary = 0, depth } = await startReading(file).metadata();
  const picture = startReading(file, { page: pagePrimary }).autoOrient();
  if (!nclx) return picture;
  const isDeep = depth === 'ushort';
  const channels = hasAlpha ? 4 : 3;
  const { data, info } = await picture
    .toColourspace(isDeep ? 'rgb16' : 'srgb')
    .raw({ depth: isDeep ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const values = isDeep ? new Uint16Array(Uint8Array.from(data).buffer) : data;
  const { width, height } = info;
  return openRaw(convertToSrgb(values, { channels, maxValue: isDeep ? 65_535 : 255, nclx }), {
    width,
    height,
    channels,
  });
}

function openRaw(pixels: Uint8Array, raw: { width: number; height: number; channels: 3 | 4 }): Sharp {
  return sharp(pixels, { raw, limitInputPixels: PHOTO_MAX_PIXELS });
}

function chooseMasterSide({ width, height }: { width: number; height: number }): number {
  const short = Math.min(width, height);
  const long = Math.max(width, height);
  if (short < PHOTO_MIN_SIDE_PX) throw new PhotoRefusal('photo_too_small');
  const scale = Math.min(1, Math.max(MASTER_MAX_SIDE_PX / long, PHOTO_MIN_SIDE_PX / short));
  const side = Math.ceil(long * scale);
  if (side > MASTER_STRIP_MAX_SIDE_PX) throw new PhotoRefusal('photo_too_many_pixels');
  return side;
}

async function makeSizes(
  picture: Sharp,
  masterSidePx: number,
): Promise<Pick<DecodedPicture, 'master' | 'preview' | 'thumbnail'>> {
  const master = await encodeMaster(
    shrink(picture, masterSidePx).flatten({ background: '#ffffff' }).toColourspace('srgb'),
  );
  // The thumbnail is made from the pixels of the preview, because reading the master costs more than both encodings.
  const reduced = await shrink(sharp(master), PREVIEW_MAX_SIDE_PX).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = reduced.info;
  const small = () => sharp(reduced.data, { raw: { width, height, channels } });
  return {
    master,
    preview: await small().webp({ quality: 82, effort: WEBP_EFFORT }).toBuffer(),
    thumbnail: await shrink(small(), THUMBNAIL_MAX_SIDE_PX).webp({ quality: 78, effort: WEBP_EFFORT }).toBuffer(),
  };
}

/** What a master may take, in bytes a pixel. Photos take a third of it; noise and patterns took five times as much. */
const MASTER_BYTES_PER_PIXEL = 0.6;
/** Tried in this order. The last one holds even noise of black and white pixels. */
const MASTER_ENCODINGS = [
  { quality: 92, chromaSubsampling: '4:4:4' },
  { quality: 84, chromaSubsampling: '4:4:4' },
  { quality: 76, chromaSubsampling: '4:4:4' },
  { quality: 76, chromaSubsampling: '4:2:0' },
  { quality: 60, chromaSubsampling: '4:2:0' },
  { quality: 45, chromaSubsampling: '4:2:0' },
] as const;

async function encodeMaster(picture: Sharp): Promise<Buffer> {
  const [best, ...others] = MASTER_ENCODINGS;
  // Tables made for this picture would take a tenth off the file, and need all of it in memory and twice the time.
  const encode = (source: Sharp, encoding: (typeof MASTER_ENCODINGS)[number]) =>
    source.jpeg({ ...encoding, optimiseCoding: false }).toBuffer({ resolveWithObject: true });
  let { data, info } = await encode(picture.clone(), best);
  const isTooLarge = () => data.length > MASTER_BYTES_PER_PIXEL * info.width * info.height;
  if (!isTooLarge()) return data;
  const raw = await picture.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = raw.info;
  for (const encoding of others) {
    ({ data, info } = await encode(sharp(raw.data, { raw: { width, height, channels } }), encoding));
    if (!isTooLarge()) break;
  }
  return data;
}

/** Alpha from which a pixel is seen at all, and from which it is solid. */
const SEEN = 16;
const SOLID = 128;
/** A picture that is seen nearly everywhere has only rounded corners or a soft edge. */
const MOST_SEEN = 0.85;
/** With less, the transparency is a mistake of an export, or hides all but a mark. */
const LEAST_SOLID = 0.01;

/** Null when the transparency does not tell a subject from a ground. */
async function makeMask(picture: Sharp, masterSidePx: number): Promise<Buffer | null> {
  const { data, info } = await shrink(picture.clone(), masterSidePx)
    .toColourspace('srgb')
    .extractChannel('alpha')
    .raw()
    .toBuffer({ resolveWithObject: true });
  let seen = 0;
  let solid = 0;
  for (const alpha of data) {
    if (alpha >= SEEN) seen++;
    if (alpha >= SOLID) solid++;
  }
  if (seen > data.length * MOST_SEEN || solid < data.length * LEAST_SOLID) return null;
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 1 } })
    .toColourspace('b-w')
    .png()
    .toBuffer();
}

function shrink(picture: Sharp, sidePx: number): Sharp {
  return picture.resize(sidePx, sidePx, { fit: 'inside', withoutEnlargement: true });
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
