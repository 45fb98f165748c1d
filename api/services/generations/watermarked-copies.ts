import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import type { AppContext } from '#api/services/app-context.ts';
import { createWorkSlots } from '#api/services/ground/semaphore.ts';
import { makeOnce } from '#api/services/ground/single-flight.ts';
import { drawWatermarkOverlay } from '#api/watermark/watermark-overlay.ts';
import type { Result } from '#prisma/generated/client.ts';
import { watermarkedThumbnailKey } from './result-files.ts';

/** A copy is for looking at and judging; the original is what marketplaces get. */
const COPY_JPEG_QUALITY = 88;
const COPY_WEBP_QUALITY = 82;
/** Of overlays kept in memory: that of a usual 1200 x 1600 picture takes 2 MB. */
const OVERLAYS_KEPT = 4;
const OVERLAY_KEPT_MAX_PIXELS = 2_500_000;

/** The pixels that the logos touch, an eighth of all: blending only those costs a millisecond or two. */
interface Overlay {
  /** Of each pixel, in the bytes of an RGB picture. */
  offsets: Uint32Array;
  /** Red, green, blue and alpha of each. */
  colours: Uint8Array;
}

const slots = createWorkSlots({ atOnce: 2, maxWaiting: 200 });
/** By size, the one used longest ago first. */
const overlays = new Map<string, Promise<Overlay>>();

/** The picture with the logo drawn over all of it, as JPEG or WebP of the same size. */
export async function drawWatermarkedImage(picture: Buffer, format: 'jpeg' | 'webp'): Promise<Buffer> {
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

function blend(pixels: Buffer, { offsets, colours }: Overlay): void {
  for (let index = 0; index < offsets.length; index++) {
    const at = offsets[index] as number;
    const alpha = (colours[index * 4 + 3] as number) / 255;
    for (let channel = 0; channel < 3; channel++) {
      const below = pixels[at + channel] as number;
      pixels[at + channel] = Math.round(below + ((colours[index * 4 + channel] as number) - below) * alpha);
    }
  }
}

/** Drawing the logos takes longer than laying them over, and the pictures of one tool have one size. */
function getOverlay(width: number, height: number): Promise<Overlay> {
  const size = `${width}x${height}`;
  const overlay = overlays.get(size) ?? drawOverlay(width, height);
  overlays.delete(size);
  if (width * height > OVERLAY_KEPT_MAX_PIXELS) return overlay;
  overlays.set(size, overlay);
  overlay.catch(() => overlays.delete(size));
  for (const oldest of overlays.keys()) {
    if (overlays.size <= OVERLAYS_KEPT) break;
    overlays.delete(oldest);
  }
  return overlay;
}

async function drawOverlay(width: number, height: number): Promise<Overlay> {
  const drawn = await sharp(await drawWatermarkOverlay(width, height))
    .raw()
    .toBuffer();
  let count = 0;
  for (let at = 3; at < drawn.length; at += 4) if (drawn[at] !== 0) count++;
  const overlay = { offsets: new Uint32Array(count), colours: new Uint8Array(count * 4) };
  let index = 0;
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (drawn[pixel * 4 + 3] === 0) continue;
    overlay.offsets[index] = pixel * 3;
    overlay.colours.set(drawn.subarray(pixel * 4, pixel * 4 + 4), index * 4);
    index++;
  }
  return overlay;
}

/**
 * The key of a picture's copy with the logo. Made now, once for however many ask, when there is none: its owner had
 * paid at the time and was refunded since.
 */
export function ensureWatermarkedImage(app: AppContext, result: Result): Promise<string> {
  if (result.watermarkedKey) return Promise.resolve(result.watermarkedKey);
  const key = `${result.originalKey}.watermarked.jpg`;
  return makeOnce(key, async () => {
    await storeWatermarkedCopy(app, { sourceKey: result.originalKey, key, format: 'jpeg' });
    await app.db.result.updateMany({ where: { id: result.id }, data: { watermarkedKey: key } });
  });
}

/** The same for the preview, of a picture or of a video. */
export function ensureWatermarkedPoster(app: AppContext, result: Result): Promise<string> {
  if (result.watermarkedPosterKey) return Promise.resolve(result.watermarkedPosterKey);
  const key = `${result.posterKey}.watermarked.webp`;
  return makeOnce(key, async () => {
    await storeWatermarkedCopy(app, { sourceKey: result.posterKey, key, format: 'webp' });
    await app.db.result.updateMany({ where: { id: result.id }, data: { watermarkedPosterKey: key } });
  });
}

/** The same for the thumbnail, of a picture or of a video. */
export function ensureWatermarkedThumbnail(app: AppContext, { thumbnailKey }: Result): Promise<string> {
  const key = watermarkedThumbnailKey(thumbnailKey);
  return makeOnce(key, async () => {
    if ((await app.storage.findSize(key)) !== null) return;
    await storeWatermarkedCopy(app, { sourceKey: thumbnailKey, key, format: 'webp' });
  });
}

async function storeWatermarkedCopy(
  app: AppContext,
  { sourceKey, key, format }: { sourceKey: string; key: string; format: 'jpeg' | 'webp' },
): Promise<void> {
  await slots.run(async () => {
    const picture = await buffer(await app.storage.open(sourceKey));
    await app.storage.put(key, await drawWatermarkedImage(picture, format));
  });
}
