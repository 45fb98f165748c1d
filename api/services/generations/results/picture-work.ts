import sharp, { type Metadata } from 'sharp';
import type { CropBox } from '#api/adapters/garment-check/garment-checker.ts';
import { drawWatermarkOverlay, type WatermarkOverlay } from '#api/imaging/watermark/watermark-overlay.ts';
import { PromiseCache } from '#api/platform/promise-cache.ts';

const PREVIEW_MAX_SIDE_PX = 1080;
const THUMBNAIL_MAX_SIDE_PX = 320;
/** Far more than any engine should make. */
const RESULT_MAX_PIXELS = 60_000_000;
const CROP_MAX_SIDE_PX = 360;
/** The ratio of a card on every marketplace. */
const CARD_RATIO = 3 / 4;
/** The least size of a card, and the size that smaller pictures are enlarged to, in pixels. */
const CARD_MIN = { width: 900, height: 1200 };
const CARD_SIZE = { width: 1200, height: 1600 };
/** A picture that would lose a larger share of its area is padded instead of cut. */
const MAX_CUT_SHARE = 0.1;
/** Beyond one pixel of rounding a ratio is another one. */
const SAME_RATIO = 0.005;

/** A copy is only for viewing. Marketplaces get the original. */
const COPY_JPEG_QUALITY = 88;
const COPY_WEBP_QUALITY = 82;
const OVERLAY_KEPT_MAX_PIXELS = 2_500_000;
/** By size. An overlay for a usual picture of 1200 x 1600 takes 2 MB. */
const overlays = new PromiseCache<WatermarkOverlay>({ max: 4 });

/** One thread per picture and no cache, because the machine also answers requests. */
sharp.concurrency(1);
sharp.cache(false);

interface ResultPicture {
  /** To store. A plain JPEG of the right size stays unchanged. */
  jpeg: Buffer;
  width: number;
  height: number;
  /** WebP. */
  preview: Buffer;
  thumbnail: Buffer;
}

/** Reads a picture of an engine. `isFitted`: brings it to the ratio of a card. Throws when it cannot be decoded. */
export async function readResult({
  content,
  isFitted,
}: {
  content: Buffer;
  isFitted: boolean;
}): Promise<ResultPicture> {
  const picture = sharp(content, { limitInputPixels: RESULT_MAX_PIXELS, failOn: 'error' });
  const metadata = await picture.metadata();
  const plain = await picture
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality: 94, chromaSubsampling: '4:4:4' })
    .toBuffer();
  const upright = isPlainJpeg(metadata) ? content : plain;
  const jpeg = isFitted ? await fitPicture(upright) : upright;
  const { width, height } = await sharp(jpeg).metadata();
  return {
    jpeg,
    width,
    height,
    preview: await shrink(jpeg, PREVIEW_MAX_SIDE_PX, 84),
    thumbnail: await shrink(jpeg, THUMBNAIL_MAX_SIDE_PX, 78),
  };
}

function isPlainJpeg({ format, space, orientation, exif, icc, xmp, iptc }: Metadata): boolean {
  return format === 'jpeg' && space === 'srgb' && (orientation ?? 1) === 1 && !exif && !icc && !xmp && !iptc;
}

function shrink(picture: Buffer, sidePx: number, quality: number): Promise<Buffer> {
  return sharp(picture)
    .resize(sidePx, sidePx, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality })
    .toBuffer();
}

/** Cuts a part out of a picture, as a small WebP. */
export async function cutCrop({
  picture,
  box: { left, top, right, bottom },
}: {
  picture: Buffer;
  box: CropBox;
}): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  const [x, y] = [Math.min(Math.floor(left * width), width - 1), Math.min(Math.floor(top * height), height - 1)];
  const part = {
    left: x,
    top: y,
    width: Math.min(width - x, Math.max(1, Math.ceil((right - left) * width))),
    height: Math.min(height - y, Math.max(1, Math.ceil((bottom - top) * height))),
  };
  return sharp(picture)
    .extract(part)
    .resize(CROP_MAX_SIDE_PX, CROP_MAX_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 85 })
    .toBuffer();
}

/**
 * Brings a picture of an engine to the ratio of a card and at least its least size. A little is cut off; a picture of
 * quite another ratio is padded with the colour of its edge. It is never stretched.
 */
export async function fitPicture(picture: Buffer): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  const ratio = width / height;
  const isCard = Math.abs(ratio / CARD_RATIO - 1) <= SAME_RATIO;
  if (isCard && width >= CARD_MIN.width && height >= CARD_MIN.height) return picture;
  const kept = Math.min(ratio / CARD_RATIO, CARD_RATIO / ratio);
  const isCut = 1 - kept <= MAX_CUT_SHARE;
  const framed = frameOf({ width, height }, isCut);
  const isSmall = framed.width < CARD_MIN.width || framed.height < CARD_MIN.height;
  return sharp(picture)
    .resize({
      ...(isSmall ? CARD_SIZE : framed),
      fit: isCut ? 'cover' : 'contain',
      kernel: 'lanczos3',
      ...(isCut ? {} : { background: await findEdgeColour(picture) }),
    })
    .jpeg({ quality: 94, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** The frame of a card around the picture, or within it. */
function frameOf({ width, height }: { width: number; height: number }, isWithin: boolean) {
  const isWide = width / height > CARD_RATIO;
  // Within a wide picture the height decides, and around it the width does.
  return isWide === isWithin
    ? { width: Math.round(height * CARD_RATIO), height }
    : { width, height: Math.round(width / CARD_RATIO) };
}

/** The mean colour along the picture's edge. */
async function findEdgeColour(picture: Buffer): Promise<{ r: number; g: number; b: number }> {
  const side = 64;
  const small = await sharp(picture).resize(side, side, { fit: 'fill' }).removeAlpha().png().toBuffer();
  const strips = [
    { left: 0, top: 0, width: side, height: 1 },
    { left: 0, top: side - 1, width: side, height: 1 },
    { left: 0, top: 0, width: 1, height: side },
    { left: side - 1, top: 0, width: 1, height: side },
  ];
  const means = await Promise.all(
    strips.map(async (strip) => (await sharp(await sharp(small).extract(strip).toBuffer()).stats()).channels),
  );
  const meanOf = (channel: number) =>
    Math.round(means.reduce((sum, channels) => sum + (channels[channel]?.mean ?? 0), 0) / means.length);
  return { r: meanOf(0), g: meanOf(1), b: meanOf(2) };
}

/** The picture with the logo drawn all over it, as JPEG or WebP of the same size. */
export async function drawWatermarkedImage({
  picture,
  format,
}: {
  picture: Buffer;
  format: 'jpeg' | 'webp';
}): Promise<Buffer> {
  const { data, info } = await sharp(picture)
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  blend(data, await getOverlay(width, height));
  const marked = sharp(data, { raw: { width, height, channels: 3 } });
  return format === 'jpeg'
    ? marked.jpeg({ quality: COPY_JPEG_QUALITY }).toBuffer()
    : marked.webp({ quality: COPY_WEBP_QUALITY }).toBuffer();
}

function blend(pixels: Buffer, { offsets, colours }: WatermarkOverlay): void {
  for (let index = 0; index < offsets.length; index++) {
    const at = offsets[index] as number;
    const alpha = (colours[index * 4 + 3] as number) / 255;
    for (let channel = 0; channel < 3; channel++) {
      const below = pixels[at + channel] as number;
      pixels[at + channel] = Math.round(below + ((colours[index * 4 + channel] as number) - below) * alpha);
    }
  }
}

/** Cached, because drawing the logos takes longer than blending them, and all pictures of a tool have the same size. */
function getOverlay(width: number, height: number): Promise<WatermarkOverlay> {
  const draw = () => drawWatermarkOverlay(width, height);
  if (width * height > OVERLAY_KEPT_MAX_PIXELS) return draw();
  return overlays.get(`${width}x${height}`, draw);
}
