import { buffer } from 'node:stream/consumers';
import type { AppContext } from '#api/services/app-context.ts';
import type { Result } from '#prisma/generated/client.ts';
import { pictureWork } from './pictures.ts';
import { openResultFile, watermarkedThumbnailKey } from './result-files.ts';

/**
 * The key of a picture's copy with the logo. If there is none, it is made now, once for all concurrent calls. That
 * happens when the owner had paid at first and was refunded later. Throws ObjectNotFoundError without a whole original.
 */
export async function ensureWatermarkedImage(app: AppContext, result: Result): Promise<string> {
  if (result.watermarkedKey) return result.watermarkedKey;
  const key = `${result.originalKey}.watermarked.jpg`;
  await app.state.copiesInProgress.run(key, async () => {
    const watermarkedBytes = await storeWatermarkedCopy(app, {
      result,
      sourceKey: result.originalKey,
      key,
      format: 'jpeg',
    });
    await app.db.result.updateMany({ where: { id: result.id }, data: { watermarkedKey: key, watermarkedBytes } });
  });
  return key;
}

/** The key of the marked preview, for a picture or a video. */
export async function ensureWatermarkedPoster(app: AppContext, result: Result): Promise<string> {
  if (result.watermarkedPosterKey) return result.watermarkedPosterKey;
  const key = `${result.posterKey}.watermarked.webp`;
  await app.state.copiesInProgress.run(key, async () => {
    const watermarkedPosterBytes = await storeWatermarkedCopy(app, {
      result,
      sourceKey: result.posterKey,
      key,
      format: 'webp',
    });
    const data = { watermarkedPosterKey: key, watermarkedPosterBytes };
    await app.db.result.updateMany({ where: { id: result.id }, data });
  });
  return key;
}

/** The key of the marked thumbnail, for a picture or a video. */
export async function ensureWatermarkedThumbnail(app: AppContext, result: Result): Promise<string> {
  const { thumbnailKey } = result;
  const key = watermarkedThumbnailKey(thumbnailKey);
  if (result.watermarkedThumbnailBytes !== null) return key;
  await app.state.copiesInProgress.run(key, async () => {
    const watermarkedThumbnailBytes = await storeWatermarkedCopy(app, {
      result,
      sourceKey: thumbnailKey,
      key,
      format: 'webp',
    });
    await app.db.result.updateMany({ where: { id: result.id }, data: { watermarkedThumbnailBytes } });
  });
  return key;
}

async function storeWatermarkedCopy(
  app: AppContext,
  { result, sourceKey, key, format }: { result: Result; sourceKey: string; key: string; format: 'jpeg' | 'webp' },
): Promise<number> {
  return app.state.semaphores.imageCopies.run(async () => {
    const picture = await buffer(await openResultFile(app, result, sourceKey));
    const copy = await pictureWork('drawWatermarkedImage', { picture, format });
    await app.storage.put(key, copy, `image/${format}`);
    return copy.length;
  });
}
