import { buffer } from 'node:stream/consumers';
import type { EngineOutput } from '#api/adapters/generation-engines/generation-engine.ts';
import { throwMachineFault } from '#api/adapters/storage/disk-failures.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { pictureWork } from '#api/services/generations/results/pictures.ts';
import {
  type NewResult,
  resultKey,
  UnusableResultError,
  watermarkedThumbnailKey,
} from '#api/services/generations/results/result-files.ts';
import type { Generation } from '#prisma/generated/client.ts';
import { needsFitting } from './fit-results.ts';
import type { OutputStore } from './generation-tool.ts';

/** How the tools that make pictures store them. */
export const imageStore: OutputStore = { warmUp: () => pictureWork.warmUp(), keep: storeImageResult };

/**
 * Stores a picture of an engine with its preview and thumbnail. Adds the copies with the logo when the owner has not
 * paid. Writes files only; the caller books the row. Throws UnusableResultError.
 */
async function storeImageResult(app: AppContext, generation: Generation, output: EngineOutput): Promise<NewResult> {
  const { position } = output;
  const { jpeg, width, height, preview, thumbnail } = await readPicture(app, generation, output);
  const keep = async (name: string, content: Buffer, contentType: 'image/jpeg' | 'image/webp') => {
    const key = resultKey(generation, position, name);
    await app.storage.put(key, content, contentType);
    return key;
  };
  const thumbnailKey = await keep('thumbnail.webp', thumbnail, 'image/webp');
  const { isPremium } = await getPremiumStatus(app, generation.accountId);
  const marked = isPremium ? null : await mark(thumbnail, 'webp');
  if (marked) await app.storage.put(watermarkedThumbnailKey(thumbnailKey), marked, 'image/webp');
  const copy = isPremium ? null : await mark(jpeg, 'jpeg');
  const markedPreview = isPremium ? null : await mark(preview, 'webp');
  return {
    watermarkedKey: copy && (await keep('watermarked.jpg', copy, 'image/jpeg')),
    watermarkedBytes: copy?.length ?? null,
    watermarkedPosterKey: markedPreview && (await keep('watermarked-preview.webp', markedPreview, 'image/webp')),
    watermarkedPosterBytes: markedPreview?.length ?? null,
    posterKey: await keep('preview.webp', preview, 'image/webp'),
    posterBytes: preview.length,
    thumbnailKey,
    thumbnailBytes: thumbnail.length,
    watermarkedThumbnailBytes: marked?.length ?? null,
    originalKey: await keep('original.jpg', jpeg, 'image/jpeg'),
    position,
    contentType: 'image/jpeg',
    bytes: jpeg.length,
    width,
    height,
  };
}

function mark(picture: Buffer, format: 'jpeg' | 'webp'): Promise<Buffer> {
  return pictureWork('drawWatermarkedImage', { picture, format });
}

async function readPicture(app: AppContext, generation: Generation, output: EngineOutput) {
  if (!output.contentType.startsWith('image/')) throw new UnusableResultError(generation.id, output.contentType);
  const content = await buffer(await output.open());
  try {
    return await pictureWork('readResult', { content, isFitted: needsFitting(app, generation) });
  } catch (error) {
    // Another picture would have to be paid for.
    throwMachineFault(error);
    throw new UnusableResultError(generation.id, error);
  }
}
