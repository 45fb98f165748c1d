import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { AppContext } from '#api/services/app-context.ts';
import type { RecordedFile } from '#api/services/core/stored-file.ts';
import { withTemporaryFolder } from '#api/services/core/temporary-folder.ts';
import type { PhotoFiles } from '#api/services/photos/photo-files.ts';
import { openPhotoFile } from '#api/services/photos/photos.ts';
import type { Photo, Result } from '#prisma/generated/client.ts';
import { pictureWork } from './pictures.ts';
import { openResultFile } from './result-files.ts';
import { isPicture } from './results.ts';

const TIMEOUT_MS = 60_000;

/**
 * Makes the preview and the thumbnail of a result again from its original, once for all concurrent calls. Throws
 * ObjectNotFoundError without a whole original, and `unavailable` when too many wait.
 */
export function remakePreviews(app: AppContext, result: Result): Promise<void> {
  const { copiesInProgress, semaphores } = app.state;
  const turns = isPicture(result) ? semaphores.imageCopies : semaphores.videoCopies;
  return copiesInProgress.run(result.posterKey, () =>
    turns.run(async () => {
      const { preview, thumbnail } = await (isPicture(result)
        ? shrinkFile(app, { key: result.originalKey, bytes: result.bytes })
        : cutPosters(app, result));
      await app.storage.put(result.posterKey, preview, 'image/webp');
      await app.storage.put(result.thumbnailKey, thumbnail, 'image/webp');
      const data = { posterBytes: preview.length, thumbnailBytes: thumbnail.length };
      await app.db.result.updateMany({ where: { id: result.id }, data });
      app.log.warn({ resultId: result.id, key: result.posterKey }, 'lost previews of a result were made again');
    }),
  );
}

/**
 * Makes the preview and the thumbnail of an uploaded photo again, once for all concurrent calls. Throws
 * ObjectNotFoundError without a whole master, and `unavailable` when too many wait.
 */
export function remakePhotoPreviews(app: AppContext, { id }: Photo, { master, preview, thumbnail }: PhotoFiles) {
  const { copiesInProgress, semaphores } = app.state;
  return copiesInProgress.run(preview.key, () =>
    semaphores.imageCopies.run(async () => {
      const made = await shrinkFile(app, master);
      await app.storage.put(preview.key, made.preview, 'image/webp');
      await app.storage.put(thumbnail.key, made.thumbnail, 'image/webp');
      const data = { previewBytes: made.preview.length, thumbnailBytes: made.thumbnail.length };
      await app.db.photo.updateMany({ where: { id }, data });
      app.log.warn({ photoId: id, key: preview.key }, 'lost previews of a photo were made again');
    }),
  );
}

async function shrinkFile(app: AppContext, file: RecordedFile): Promise<{ preview: Buffer; thumbnail: Buffer }> {
  return pictureWork('readResult', { content: await buffer(await openPhotoFile(app, file)), isFitted: false });
}

function cutPosters(app: AppContext, result: Result): Promise<{ preview: Buffer; thumbnail: Buffer }> {
  return withTemporaryFolder(app, async (folder) => {
    const original = path.join(folder, 'original.mp4');
    await pipeline(await openResultFile(app, result, result.originalKey), createWriteStream(original));
    const { poster, thumbnail } = await app.videoEncoder.makePosters(original, AbortSignal.timeout(TIMEOUT_MS));
    return { preview: poster, thumbnail };
  });
}
