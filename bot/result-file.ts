import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { InputFile } from 'grammy';
import type { AppContext } from '#api/app-context.ts';
import type { FinishedGeneration, Result } from '#api/services/own-generation.ts';
import { isPicture, selectImageKey } from '#api/services/results.ts';
import { selectPlaybackKey } from '#api/services/videos.ts';

/** Telegram takes 50 MB from a bot, with everything around the file. */
const UPLOAD_MAX_BYTES = 50 * 1024 * 1024 - 64 * 1024;
const COMPRESSED_BYTES = 48 * 1024 * 1024;
/** Many times what it takes. */
const COMPRESS_TIMEOUT_MS = 5 * 60_000;

/** A file that is fit to be sent. */
export interface ResultFile {
  bytes: number;
  /** The stored file is too large for Telegram; a smaller copy is sent. */
  isCompressed: boolean;
  /** To be uploaded. The smaller copy is made now, unless it was before. */
  input(): Promise<InputFile>;
  /** Removes the copy. */
  dispose(): Promise<void>;
}

/** The file of a result that its owner may have now, as Telegram can take it. */
export async function openResultFile(
  app: AppContext,
  generation: FinishedGeneration,
  result: Result,
): Promise<ResultFile> {
  const key = isPicture(result) ? await selectImageKey(app, result) : await selectPlaybackKey(app, generation);
  const bytes = (await app.storage.findSize(key)) ?? 0;
  const name = nameFile(result);
  if (bytes > UPLOAD_MAX_BYTES && !isPicture(result)) return openCompressed(app, key, name);
  return {
    bytes,
    isCompressed: false,
    input: async () => new InputFile(() => app.storage.open(key), name),
    dispose: async () => {},
  };
}

function openCompressed(app: AppContext, key: string, name: string): ResultFile {
  let copying: ReturnType<typeof compress> | null = null;
  return {
    bytes: COMPRESSED_BYTES,
    isCompressed: true,
    async input() {
      copying ??= compress(app, key);
      return new InputFile((await copying).path, name);
    },
    async dispose() {
      await copying?.then(
        ({ dispose }) => dispose(),
        // It has left nothing, and whoever asked for it has been told.
        () => undefined,
      );
    },
  };
}

async function compress(app: AppContext, key: string): Promise<{ path: string; dispose: () => Promise<void> }> {
  const parent = path.join(app.config.dataDir, 'work');
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(path.join(parent, 'task-'));
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    const [inputPath, outputPath] = [path.join(folder, 'stored.mp4'), path.join(folder, 'small.mp4')];
    await pipeline(await app.storage.open(key), createWriteStream(inputPath));
    await app.videoEncoder.transform({
      ...{ inputPath, outputPath, change: { kind: 'shrink', maxBytes: COMPRESSED_BYTES } },
      signal: AbortSignal.timeout(COMPRESS_TIMEOUT_MS),
    });
    return { path: outputPath, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Latin letters and digits only: the name goes into a header of the form as it is. */
function nameFile(result: Result): string {
  const stem = `podium-${result.generationId.slice(-8)}`;
  return isPicture(result) ? `${stem}-${result.position + 1}.jpg` : `${stem}.mp4`;
}
