import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import sharp from 'sharp';
import type { EngineOutput } from '#api/adapters/generation-engines/generation-engine.ts';
import type { AppContext } from '#api/app-context.ts';
import type { Generation } from '#prisma/generated/client.ts';
import type { NewResult } from './generation-outcome.ts';
import { getPremiumStatus } from './payments.ts';
import { withTemporaryFolder } from './temporary-folder.ts';
import { createWorkSlots } from './work-slots.ts';

const POSTER_WIDTH_PX = 720;
const THUMBNAIL_WIDTH_PX = 320;

/** The engine called a file finished that is not a video. */
export class UnusableResultError extends Error {
  constructor(generationId: string, cause: unknown) {
    super(`The engine's result for ${generationId} is not a video that plays`, { cause });
    this.name = 'UnusableResultError';
  }
}

/** Keys of a generation's files: the same on every run, so that a repeat after a crash overwrites itself. */
function resultKey(generation: Generation, name: string): string {
  return `results/${generation.accountId}/${generation.id}/${name}`;
}

/**
 * Keeps an engine's video with its poster and thumbnail, and the copy with the logo when the owner is free: the same
 * for every engine. Writes files only; the caller books the row. Throws UnusableResultError.
 */
export async function storeVideoResult(
  app: AppContext,
  generation: Generation,
  outputs: EngineOutput[],
): Promise<NewResult> {
  const output = outputs[0];
  if (output?.contentType !== 'video/mp4') throw new UnusableResultError(generation.id, output?.contentType);
  return withTemporaryFolder(app, async (folder) => {
    const original = path.join(folder, 'original.mp4');
    await pipeline(await output.open(), createWriteStream(original));
    const facts = await app.videoEncoder.probe(original).catch((error: unknown) => {
      throw new UnusableResultError(generation.id, error);
    });
    const firstFrame = await app.videoEncoder.readFirstFrame(original);
    const [poster, thumbnail] = await Promise.all([
      sharp(firstFrame).resize({ width: POSTER_WIDTH_PX, withoutEnlargement: true }).webp({ quality: 82 }).toBuffer(),
      sharp(firstFrame).resize({ width: THUMBNAIL_WIDTH_PX }).webp({ quality: 78 }).toBuffer(),
    ]);
    const keys = {
      originalKey: resultKey(generation, 'original.mp4'),
      posterKey: resultKey(generation, 'poster.webp'),
      thumbnailKey: resultKey(generation, 'thumbnail.webp'),
    };
    const { isPremium } = await getPremiumStatus(app.db, generation.accountId);
    const watermarkedKey = isPremium ? null : await storeWatermarkedCopy(app, generation, original, folder);
    await app.storage.put(keys.posterKey, poster);
    await app.storage.put(keys.thumbnailKey, thumbnail);
    await app.storage.put(keys.originalKey, createReadStream(original));
    return {
      ...keys,
      watermarkedKey,
      contentType: output.contentType,
      bytes: facts.bytes,
      width: facts.width,
      height: facts.height,
      durationSeconds: facts.durationSeconds,
    };
  });
}

/** Removes the files of results that were not booked. */
export async function removeResultFiles(app: AppContext, results: NewResult[]): Promise<void> {
  for (const { originalKey, watermarkedKey, posterKey, thumbnailKey } of results) {
    for (const key of [originalKey, watermarkedKey, posterKey, thumbnailKey]) if (key) await app.storage.remove(key);
  }
}

async function storeWatermarkedCopy(
  app: AppContext,
  generation: Generation,
  original: string,
  folder: string,
): Promise<string> {
  const copy = path.join(folder, 'watermarked.mp4');
  await app.videoEncoder.addWatermark({ inputPath: original, outputPath: copy });
  const key = resultKey(generation, 'watermarked.mp4');
  await app.storage.put(key, createReadStream(copy));
  return key;
}

const copiesInTheMaking = new Map<string, Promise<string>>();
/** Encoding takes a core: however many copies are missing, the API goes on answering. */
const copySlots = createWorkSlots({ atOnce: 1, maxWaiting: 20 });

/**
 * The key of the copy with the logo. Made now, once for however many ask, when the generation has none: its owner had
 * paid at the time and was refunded since.
 */
export function ensureWatermarkedCopy(
  app: AppContext,
  generation: Generation & { results: { id: string; originalKey: string; watermarkedKey: string | null }[] },
): Promise<string> {
  const result = generation.results[0];
  if (!result) throw new Error(`Generation ${generation.id} has no result`);
  if (result.watermarkedKey) return Promise.resolve(result.watermarkedKey);
  const running = copiesInTheMaking.get(result.id);
  if (running) return running;
  const making = copySlots
    .run(() => makeMissingCopy(app, generation, result))
    .finally(() => copiesInTheMaking.delete(result.id));
  copiesInTheMaking.set(result.id, making);
  return making;
}

function makeMissingCopy(
  app: AppContext,
  generation: Generation,
  result: { id: string; originalKey: string },
): Promise<string> {
  return withTemporaryFolder(app, async (folder) => {
    const original = path.join(folder, 'original.mp4');
    await pipeline(await app.storage.open(result.originalKey), createWriteStream(original));
    const watermarkedKey = await storeWatermarkedCopy(app, generation, original, folder);
    await app.db.result.update({ where: { id: result.id }, data: { watermarkedKey } });
    return watermarkedKey;
  });
}
