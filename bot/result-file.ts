import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { InputFile } from 'grammy';
import type { AppContext } from '#api/services/app-context.ts';
import { measureFile } from '#api/services/core/stored-file.ts';
import type { Result } from '#api/services/generations/results/find-generation.ts';
import { withResultFiles } from '#api/services/generations/results/lost-results.ts';
import { recordedBytes } from '#api/services/generations/results/result-files.ts';
import { findName } from '#api/services/generations/results/result-names.ts';
import { isPicture } from '#api/services/generations/results/results.ts';
import { getVideoCopy } from '#api/services/generations/results/video-copies.ts';
import { ensureWatermarkedImage } from '#api/services/generations/results/watermarked-copies.ts';

/** Telegram accepts 50 MB from a bot, including everything around the file. */
export const UPLOAD_MAX_BYTES = 50 * 1024 * 1024 - 64 * 1024;
const COMPRESSED_BYTES = 48 * 1024 * 1024;
/** Far more than it takes. */
const COMPRESS_TIMEOUT_MS = 5 * 60_000;

export interface ResultFile {
  bytes: number;
  isCompressed: boolean;
  input(): Promise<InputFile>;
}

/** Which file is needed: the original or the copy with the logo. `folder` receives a smaller copy if one is needed. */
export interface Purpose {
  isPremium: boolean;
  folder: string;
}

/**
 * The file of a result in a form that Telegram accepts. Throws AppError result_lost, video_preparing, video_copy_failed.
 */
export async function openResultFile(
  app: AppContext,
  result: Result,
  { isPremium, folder }: Purpose,
): Promise<ResultFile> {
  const { key, bytes } = await withResultFiles(app, result, async (known) => {
    const stored = isPremium ? known.originalKey : await getCopy(app, known);
    return { key: stored, bytes: await measureFile(app, { key: stored, bytes: recordedBytes(known, stored) }) };
  });
  // grammY puts the name unchanged into the form's header. Non-ASCII letters are understood there only in quotes.
  const name = `"${(await findName(app.db, result)).fileName}"`;
  if (bytes <= UPLOAD_MAX_BYTES || isPicture(result)) {
    return { bytes, isCompressed: false, input: async () => new InputFile(() => app.storage.open(key), name) };
  }
  let copying: Promise<string> | null = null;
  return {
    bytes: COMPRESSED_BYTES,
    isCompressed: true,
    async input() {
      copying ??= compress(app, key, folder);
      return new InputFile(await copying, name);
    },
  };
}

function getCopy(app: AppContext, result: Result): Promise<string> {
  return isPicture(result) ? ensureWatermarkedImage(app, result) : getVideoCopy(app, result);
}

async function compress(app: AppContext, key: string, folder: string): Promise<string> {
  const [inputPath, outputPath] = [path.join(folder, 'stored.mp4'), path.join(folder, 'small.mp4')];
  await pipeline(await app.storage.open(key), createWriteStream(inputPath));
  await app.videoEncoder.transform({
    inputPath,
    outputPath,
    change: { kind: 'shrink', maxBytes: COMPRESSED_BYTES },
    signal: AbortSignal.timeout(COMPRESS_TIMEOUT_MS),
  });
  return outputPath;
}
