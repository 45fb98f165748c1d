import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import type { AppContext } from '#api/services/app-context.ts';
import { drawWatermarkOverlay, type WatermarkOverlay } from '#api/watermark/watermark-overlay.ts';
import type { Result } from '#prisma/generated/client.ts';
import { watermarkedThumbnailKey } from './result-files.ts';

/** A copy is only for viewing. Marketplaces get the original. */
const COPY_JPEG_QUALITY = 88;
const COPY_WEBP_QUALITY = 82;
const OVERLAY_KEPT_MAX_PIXELS = 2_500_000;

/** The picture with the logo drawn all over it, as JPEG or WebP of the same size. */
export async function drawWatermarkedImage(
  app: Pick<AppContext, 'state'>,
  picture: Buffer,
  format: 'jpeg' | 'webp',
): Promise<Buffer> {
  const { data, info } = await sharp(picture)
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  blend(data, await getOverlay(app, width, height));
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
function getOverlay(app: Pick<AppContext, 'state'>, width: number, height: number): Promise<WatermarkOverlay> {
  const draw = () => drawWatermarkOverlay(width, height);
  if (width * height > OVERLAY_KEPT_MAX_PIXELS) return draw();
  return app.state.caches.watermarkOverlays.get(`${width}x${height}`, draw);
}

/**
 * The key of a picture's copy with the logo. If there is none, it is made now, once for all concurrent calls. That
 * happens when the owner had paid at first and was refunded later.
 */
export async function ensureWatermarkedImage(app: AppContext, result: Result): Promise<string> {
  if (result.watermarkedKey) return result.watermarkedKey;
  const key = `${result.originalKey}.watermarked.jpg`;
  await app.state.copiesInProgress.run(key, async () => {
    await storeWatermarkedCopy(app, { sourceKey: result.originalKey, key, format: 'jpeg' });
    await app.db.result.updateMany({ where: { id: result.id }, data: { watermarkedKey: key } });
  });
  return key;
}

/** The key of the marked preview, for a picture or a video. */
export async function ensureWatermarkedPoster(app: AppContext, result: Result): Promise<string> {
  if (result.watermarkedPosterKey) return result.watermarkedPosterKey;
  const key = `${result.posterKey}.watermarked.webp`;
  await app.state.copiesInProgress.run(key, async () => {
    await storeWatermarkedCopy(app, { sourceKey: result.posterKey, key, format: 'webp' });
    await app.db.result.updateMany({ where: { id: result.id }, data: { watermarkedPosterKey: key } });
  });
  return key;
}

/** The key of the marked thumbnail, for a picture or a video. */
export async function ensureWatermarkedThumbnail(app: AppContext, { thumbnailKey }: Result): Promise<string> {
  const key = watermarkedThumbnailKey(thumbnailKey);
  await app.state.copiesInProgress.run(key, async () => {
    if ((await app.storage.findSize(key)) !== null) return;
    await storeWatermarkedCopy(app, { sourceKey: thumbnailKey, key, format: 'webp' });
  });
  return key;
}

async function storeWatermarkedCopy(
  app: AppContext,
  { sourceKey, key, format }: { sourceKey: string; key: string; format: 'jpeg' | 'webp' },
): Promise<void> {
  await app.state.semaphores.imageCopies.run(async () => {
    const picture = await buffer(await app.storage.open(sourceKey));
    await app.storage.put(key, await drawWatermarkedImage(app, picture, format), `image/${format}`);
  });
}
