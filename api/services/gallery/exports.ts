import { createWriteStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { VideoChange } from '#api/adapters/video-encoder/video-encoder.ts';
import { AppError } from '#api/platform/errors.ts';
import { workIn } from '#api/platform/work-processes/work-process.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { withTemporaryFolder } from '#api/services/core/temporary-folder.ts';
import { openOriginal } from '#api/services/generations/results/lost-results.ts';
import { findName } from '#api/services/generations/results/result-names.ts';
import { getOwnItem, isPicture } from '#api/services/generations/results/results.ts';
import type { Result } from '#prisma/generated/client.ts';
import { nameFile } from '#shared/rules/download-names.ts';
import {
  type ExportFix,
  isFixSuitable,
  LOOP_MIN_SECONDS,
  maxExportBytes,
  planCrop,
  planMargins,
  planPadding,
} from '#shared/rules/marketplaces.ts';
import { NAME_ENDING } from '#shared/rules/outside-text.ts';
import type { PicturePlan } from '#shared/rules/packs.ts';
import { assertMayDownload } from './downloads.ts';
import type * as ExportWork from './export-work.ts';

/** Adapts pictures in processes of their own. One export runs at a time, and a video takes two tasks. */
export const exportWork = workIn<typeof ExportWork>(new URL('./export-work.ts', import.meta.url), { maxTasks: 20 });

export interface ExportedFile {
  path: string;
  bytes: number;
  contentType: string;
  name: string;
}

/**
 * Adapts the original of a result to a marketplace and passes the file to `use`. Removes it afterwards. Only a few
 * exports run at the same time. Throws ITEM_REFUSALS, premium_required, export_fix_unsuitable, result_lost,
 * `unavailable`.
 */
export async function withExportedFile<T>(
  app: AppContext,
  request: { accountId: number; id: string; fix: ExportFix; signal: AbortSignal },
  use: (file: ExportedFile) => Promise<T>,
): Promise<T> {
  const result = await getOwnItem(app.db, request.accountId, request.id);
  assertMayDownload(await getPremiumStatus(app, request.accountId));
  if (!isFixSuitable({ ...result, hasWatermark: false }, request.fix)) throw new AppError('export_fix_unsuitable');
  return withTemporaryFolder(app, async (folder) => {
    const file = await app.state.semaphores.exports.run(async () => {
      request.signal.throwIfAborted();
      const original = path.join(folder, 'original');
      await pipeline(await openOriginal(app, result), createWriteStream(original));
      const made = { ...request, result, original, folder };
      return isPicture(result) ? makePicture(made) : makeVideo(app, made);
    });
    request.signal.throwIfAborted();
    const { size: bytes } = await stat(file.path);
    return use({ ...file, bytes, name: await nameExport(app, result, request.fix, file.contentType) });
  });
}

interface Work {
  result: Result;
  fix: ExportFix;
  original: string;
  folder: string;
  signal: AbortSignal;
}

async function nameExport(app: AppContext, result: Result, fix: ExportFix, contentType: string): Promise<string> {
  const stem = (await findName(app.db, result)).fileName.replace(NAME_ENDING, '');
  return nameFile(`${stem}-${fix.replaceAll('_', '-')}`, contentType);
}

async function makePicture({ result, fix, original, folder }: Work) {
  const file = { path: path.join(folder, 'export.jpg'), contentType: 'image/jpeg' };
  await writeFile(file.path, await drawPicture(original, result, fix));
  return file;
}

async function drawPicture(original: string, result: Result, fix: ExportFix): Promise<Buffer> {
  const plan: PicturePlan = {
    crop: fix === 'crop_3_4' ? planCrop(result) : null,
    pad: fix === 'pad_3_4' ? planMargins(result) : null,
    resize: null,
    maxBytes: fix === 'recompress' ? maxExportBytes(result) : null,
  };
  const jpeg = await exportWork('adapt', { original, plan });
  if (!jpeg) throw new AppError('export_fix_unsuitable');
  return jpeg;
}

async function makeVideo(app: AppContext, { result, fix, original, folder, signal }: Work) {
  const file = { path: path.join(folder, 'export.mp4'), contentType: 'video/mp4' };
  const change = await describeChange(app, original, result, fix);
  await app.videoEncoder.transform({ inputPath: original, outputPath: file.path, change, signal });
  return file;
}

async function describeChange(app: AppContext, original: string, result: Result, fix: ExportFix): Promise<VideoChange> {
  switch (fix) {
    case 'crop_3_4':
      return { kind: 'crop', ...makeEven(planCrop(result)) };
    case 'pad_3_4': {
      const canvas = makeEven(planPadding(result));
      const frame = await app.videoEncoder.readFirstFrame(original);
      return {
        kind: 'pad',
        ...canvas,
        colour: await exportWork('findBorderColour', { picture: frame, borders: canvas.left > 0 ? 'sides' : 'ends' }),
      };
    }
    case 'loop_10s':
      // Only whole repetitions, because a cut in the middle of a motion would be visible.
      return { kind: 'loop', times: Math.ceil(LOOP_MIN_SECONDS / (result.durationSeconds ?? LOOP_MIN_SECONDS)) };
    case 'recompress':
      return { kind: 'shrink', maxBytes: maxExportBytes(result) };
  }
}

/** H.264 in 4:2:0 needs even sizes and positions. */
function makeEven<Plan extends Record<string, number>>(plan: Plan): Plan {
  return Object.fromEntries(Object.entries(plan).map(([name, value]) => [name, Math.floor(value / 2) * 2])) as Plan;
}
