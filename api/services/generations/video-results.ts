import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { EngineOutput } from '#api/adapters/generation-engines/generation-engine.ts';
import { explainWorkFailure, throwMachineFault } from '#api/adapters/storage/disk-failures.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getPremiumStatus } from '#api/services/ground/premium-status.ts';
import { withTemporaryFolder } from '#api/services/ground/temporary-folder.ts';
import type { Generation, Result } from '#prisma/generated/client.ts';
import { fitVideo, needsFitting } from './fit-results.ts';
import type { NewResult } from './outcome.ts';
import { pictureWork } from './pictures.ts';
import { openStoredFile, resultKey, type StoredOriginal, UnusableResultError } from './result-files.ts';

/** Much longer than any step takes. A file that hangs the decoder must not block a worker for ever. */
const STEP_TIMEOUT_MS = 5 * 60_000;

/**
 * Stores a video of an engine with its poster and thumbnail. Adds the copy with the logo when the owner has not paid.
 * Writes files only; the caller books the row. Throws UnusableResultError.
 */
export async function storeVideoResult(
  app: AppContext,
  generation: Generation,
  output: EngineOutput,
  title: string,
): Promise<NewResult> {
  if (output.contentType !== 'video/mp4') throw new UnusableResultError(generation.id, output.contentType);
  return withTemporaryFolder(app, async (folder) => {
    const { file: original, facts } = await readVideo(app, generation, output, path.join(folder, 'original.mp4'));
    const firstFrame = await app.videoEncoder.readFirstFrame(original, AbortSignal.timeout(STEP_TIMEOUT_MS));
    const { poster, thumbnail } = await pictureWork('makePosters', firstFrame);
    const keys = {
      originalKey: resultKey(generation, 0, 'original.mp4'),
      posterKey: resultKey(generation, 0, 'poster.webp'),
      thumbnailKey: resultKey(generation, 0, 'thumbnail.webp'),
    };
    const { isPremium } = await getPremiumStatus(app, generation.accountId);
    const watermarkedKey = isPremium ? null : await storeWatermarkedCopy(app, generation, original, folder);
    await app.storage.put(keys.posterKey, poster, 'image/webp');
    await app.storage.put(keys.thumbnailKey, thumbnail, 'image/webp');
    await storeVideoFile(app, keys.originalKey, original);
    return {
      ...keys,
      position: 0,
      title,
      watermarkedKey,
      contentType: output.contentType,
      bytes: facts.bytes,
      width: facts.width,
      height: facts.height,
      durationSeconds: facts.durationSeconds,
    };
  });
}

/** The video as the file to store. */
async function readVideo(app: AppContext, generation: Generation, output: EngineOutput, file: string) {
  await pipeline(await output.open(), createWriteStream(file));
  try {
    const facts = await app.videoEncoder.probe(file, AbortSignal.timeout(STEP_TIMEOUT_MS));
    if (!needsFitting(app, generation)) return { file, facts };
    return await fitVideo(app, generation, { file, facts }, AbortSignal.timeout(STEP_TIMEOUT_MS));
  } catch (error) {
    // A busy server or a full disk says nothing about the file. Another one would have to be paid for.
    if (error instanceof DOMException && error.name === 'TimeoutError') throw error;
    throwMachineFault(await explainWorkFailure(error, path.dirname(file)));
    throw new UnusableResultError(generation.id, error);
  }
}

async function storeVideoFile(app: AppContext, key: string, file: string): Promise<void> {
  const { size: bytes } = await stat(file);
  await app.storage.put(key, { open: () => createReadStream(file), bytes }, 'video/mp4');
}

function watermarkedKeyOf(generation: Pick<Generation, 'id' | 'accountId'>): string {
  return resultKey(generation, 0, 'watermarked.mp4');
}

async function storeWatermarkedCopy(
  app: AppContext,
  generation: Pick<Generation, 'id' | 'accountId'>,
  original: string,
  folder: string,
): Promise<string> {
  const copy = path.join(folder, 'watermarked.mp4');
  await app.videoEncoder.addWatermark({
    inputPath: original,
    outputPath: copy,
    signal: AbortSignal.timeout(STEP_TIMEOUT_MS),
  });
  const key = watermarkedKeyOf(generation);
  await storeVideoFile(app, key, copy);
  return key;
}

type VideoFiles = StoredOriginal & Pick<Result, 'id' | 'watermarkedKey'>;

/**
 * The key of the copy with the logo. If there is none, it is made now, once for all concurrent calls. That happens when
 * the owner had paid at first and was refunded later. Throws ObjectNotFoundError without a whole original.
 */
export async function ensureWatermarkedCopy(
  app: AppContext,
  generation: Pick<Generation, 'id' | 'accountId'> & { results: VideoFiles[] },
): Promise<string> {
  const result = generation.results[0];
  if (!result) throw new Error(`Generation ${generation.id} has no result`);
  if (result.watermarkedKey) return result.watermarkedKey;
  const key = watermarkedKeyOf(generation);
  const { copiesInProgress, semaphores } = app.state;
  await copiesInProgress.run(key, () => semaphores.videoCopies.run(() => makeMissingCopy(app, generation, result)));
  return key;
}

function makeMissingCopy(
  app: AppContext,
  generation: Pick<Generation, 'id' | 'accountId'>,
  result: VideoFiles,
): Promise<void> {
  return withTemporaryFolder(app, async (folder) => {
    const original = path.join(folder, 'original.mp4');
    await pipeline(await openStoredFile(app, result, result.originalKey), createWriteStream(original));
    const watermarkedKey = await storeWatermarkedCopy(app, generation, original, folder);
    await app.db.result.update({ where: { id: result.id }, data: { watermarkedKey } });
  });
}
