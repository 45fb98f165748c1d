import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { EngineOutput } from '#api/adapters/generation-engines/generation-engine.ts';
import { explainWorkFailure, throwMachineFault } from '#api/adapters/storage/disk-failures.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { withTemporaryFolder } from '#api/services/core/temporary-folder.ts';
import {
  type NewResult,
  resultKey,
  storeVideoFile,
  UnusableResultError,
  VIDEO_STEP_TIMEOUT_MS,
} from '#api/services/generations/results/result-files.ts';
import type { Generation } from '#prisma/generated/client.ts';
import { fitVideo, needsFitting } from './fit-results.ts';
import type { OutputStore } from './generation-tool.ts';

/** How the tools that make videos store them. */
export const videoStore: OutputStore = {
  warmUp: ({ videoEncoder }) => videoEncoder.warmUp?.(),
  keep: storeVideoResult,
};

/**
 * Stores a video of an engine with its poster and thumbnail. The copy with the logo is made when somebody first wants to
 * see it. Writes files only; the caller books the row. Throws UnusableResultError.
 */
async function storeVideoResult(app: AppContext, generation: Generation, output: EngineOutput): Promise<NewResult> {
  if (output.contentType !== 'video/mp4') throw new UnusableResultError(generation.id, output.contentType);
  return withTemporaryFolder(app, async (folder) => {
    const { file: original, facts } = await readVideo(app, generation, output, path.join(folder, 'original.mp4'));
    const timeout = AbortSignal.timeout(VIDEO_STEP_TIMEOUT_MS);
    const { poster, thumbnail } = await app.videoEncoder.makePosters(original, timeout);
    const keys = {
      originalKey: resultKey(generation, 0, 'original.mp4'),
      posterKey: resultKey(generation, 0, 'poster.webp'),
      thumbnailKey: resultKey(generation, 0, 'thumbnail.webp'),
    };
    await app.storage.put(keys.posterKey, poster, 'image/webp');
    await app.storage.put(keys.thumbnailKey, thumbnail, 'image/webp');
    await storeVideoFile(app, keys.originalKey, original);
    return {
      ...keys,
      posterBytes: poster.length,
      thumbnailBytes: thumbnail.length,
      position: 0,
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
    const facts = await app.videoEncoder.probe(file, AbortSignal.timeout(VIDEO_STEP_TIMEOUT_MS));
    if (!needsFitting(app, generation)) return { file, facts };
    return await fitVideo(app, generation, { file, facts }, AbortSignal.timeout(VIDEO_STEP_TIMEOUT_MS));
  } catch (error) {
    // A busy server or a full disk says nothing about the file. Another one would have to be paid for.
    if (error instanceof DOMException && error.name === 'TimeoutError') throw error;
    throwMachineFault(await explainWorkFailure(error, path.dirname(file)));
    throw new UnusableResultError(generation.id, error);
  }
}
