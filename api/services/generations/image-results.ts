import { buffer } from 'node:stream/consumers';
import sharp, { type Metadata } from 'sharp';
import type { EngineOutput } from '#api/adapters/generation-engines/generation-engine.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getPremiumStatus } from '#api/services/ground/premium-status.ts';
import type { Generation } from '#prisma/generated/client.ts';
import { fitPicture, needsFitting } from './fit-results.ts';
import type { NewResult } from './outcome.ts';
import { resultKey, UnusableResultError, watermarkedThumbnailKey } from './result-files.ts';
import { drawWatermarkedImage } from './watermarked-copies.ts';

const PREVIEW_MAX_SIDE_PX = 1080;
const THUMBNAIL_MAX_SIDE_PX = 320;
/** Far more than any engine should make. */
const RESULT_MAX_PIXELS = 60_000_000;

/**
 * Stores a picture of an engine with its preview and thumbnail. Adds the copies with the logo when the owner has not
 * paid. Writes files only; the caller books the row. Throws UnusableResultError.
 */
export async function storeImageResult(
  app: AppContext,
  generation: Generation,
  output: EngineOutput,
  title: string,
): Promise<NewResult> {
  const { position } = output;
  const { jpeg, width, height } = await readPicture(app, generation, output);
  const preview = await shrink(jpeg, PREVIEW_MAX_SIDE_PX, 84);
  const keep = async (name: string, content: Buffer, contentType: 'image/jpeg' | 'image/webp') => {
    const key = resultKey(generation, position, name);
    await app.storage.put(key, content, contentType);
    return key;
  };
  const thumbnail = await shrink(jpeg, THUMBNAIL_MAX_SIDE_PX, 78);
  const thumbnailKey = await keep('thumbnail.webp', thumbnail, 'image/webp');
  const { isPremium } = await getPremiumStatus(app, generation.accountId);
  if (!isPremium) {
    const marked = await drawWatermarkedImage(app, thumbnail, 'webp');
    await app.storage.put(watermarkedThumbnailKey(thumbnailKey), marked, 'image/webp');
  }
  return {
    watermarkedKey: isPremium
      ? null
      : await keep('watermarked.jpg', await drawWatermarkedImage(app, jpeg, 'jpeg'), 'image/jpeg'),
    watermarkedPosterKey: isPremium
      ? null
      : await keep('watermarked-preview.webp', await drawWatermarkedImage(app, preview, 'webp'), 'image/webp'),
    posterKey: await keep('preview.webp', preview, 'image/webp'),
    thumbnailKey,
    originalKey: await keep('original.jpg', jpeg, 'image/jpeg'),
    position,
    title,
    contentType: 'image/jpeg',
    bytes: jpeg.length,
    width,
    height,
  };
}

/** The picture as the JPEG to store. A plain JPEG of the right size stays unchanged. */
async function readPicture(app: AppContext, generation: Generation, output: EngineOutput) {
  if (!output.contentType.startsWith('image/')) throw new UnusableResultError(generation.id, output.contentType);
  const content = await buffer(await output.open());
  try {
    const picture = sharp(content, { limitInputPixels: RESULT_MAX_PIXELS, failOn: 'error' });
    const metadata = await picture.metadata();
    const plain = await picture
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: 94, chromaSubsampling: '4:4:4' })
      .toBuffer();
    const jpeg = isPlainJpeg(metadata) ? content : plain;
    const fitted = needsFitting(app, generation) ? await fitPicture(jpeg) : jpeg;
    const { width, height } = await sharp(fitted).metadata();
    return { jpeg: fitted, width, height };
  } catch (error) {
    throw new UnusableResultError(generation.id, error);
  }
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
