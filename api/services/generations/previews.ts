import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { AppContext } from '#api/services/app-context.ts';
import { withTemporaryFolder } from '#api/services/ground/temporary-folder.ts';
import type { Result } from '#prisma/generated/client.ts';
import { pictureWork } from './pictures.ts';
import { openStoredFile } from './result-files.ts';
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
      const { preview, thumbnail } = await (isPicture(result) ? shrinkPicture(app, result) : cutPosters(app, result));
      await app.storage.put(result.posterKey, preview, 'image/webp');
      await app.storage.put(result.thumbnailKey, thumbnail, 'image/webp');
      app.log.warn({ resultId: result.id, key: result.posterKey }, 'lost previews of a result were made again');
    }),
  );
}

async function shrinkPicture(app: AppContext, result: Result): Promise<{ preview: Buffer; thumbnail: Buffer }> {
  const content = await buffer(await openStoredFile(app, result, result.originalKey));
  return pictureWork('readResult', { content, isFitted: false });
}

function cutPosters(app: AppContext, result: Result): Promise<{ preview: Buffer; thumbnail: Buffer }> {
  return withTemporaryFolder(app, async (folder) => {
    const original = path.join(folder, 'original.mp4');
    await pipeline(await openStoredFile(app, result, result.originalKey), createWriteStream(original));
    const { poster, thumbnail } = await app.videoEncoder.makePosters(original, AbortSignal.timeout(TIMEOUT_MS));
    return { preview: poster, thumbnail };
  });
}
