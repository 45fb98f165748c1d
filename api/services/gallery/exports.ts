import { createWriteStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import sharp from 'sharp';
import type { VideoChange } from '#api/adapters/video-encoder/video-encoder.ts';
import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { openOriginal } from '#api/services/generations/lost-results.ts';
import { getOwnItem, isPicture } from '#api/services/generations/results.ts';
import { withTemporaryFolder } from '#api/services/ground/temporary-folder.ts';
import type { Result } from '#prisma/generated/client.ts';
import {
  type ExportFix,
  isFixSuitable,
  LOOP_MIN_SECONDS,
  maxExportBytes,
  planCrop,
  planPadding,
} from '#shared/rules/marketplaces.ts';
import { assertMayDownload, nameResult } from './downloads.ts';

const JPEG_QUALITY = 92;
/** Tried in this order until the file is small enough. */
const RECOMPRESS_QUALITIES = [88, 80, 70, 60];
/** Side of the square to which a picture is shrunk before its borders are examined, in pixels. */
const BORDER_GRID = 48;

export interface ExportedFile {
  path: string;
  bytes: number;
  contentType: string;
  name: string;
}

/**
 * Adapts the original of a result to a marketplace and passes the file to `use`. Removes it afterwards. Only a few
 * exports run at the same time. Throws image_not_found, image_forbidden, premium_required, export_fix_unsuitable, result_lost,
 * `unavailable`.
 */
export async function withExportedFile<T>(
  app: AppContext,
  request: { accountId: number; id: string; fix: ExportFix; signal: AbortSignal },
  use: (file: ExportedFile) => Promise<T>,
): Promise<T> {
  const result = await getOwnItem(app.db, request.accountId, request.id);
  await assertMayDownload(app, request.accountId);
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
    return use({ ...file, bytes, name: nameExport(result, request.fix, file.contentType) });
  });
}

interface Work {
  result: Result;
  fix: ExportFix;
  original: string;
  folder: string;
  signal: AbortSignal;
}

function nameExport(result: Result, fix: ExportFix, contentType: string): string {
  const stem = nameResult(result).replace(/\.\w+$/, '');
  return nameResult({ ...result, title: `${stem}-${fix.replaceAll('_', '-')}`, contentType });
}

async function makePicture({ result, fix, original, folder }: Work) {
  const file = { path: path.join(folder, 'export.jpg'), contentType: 'image/jpeg' };
  await writeFile(file.path, await drawPicture(original, result, fix));
  return file;
}

async function drawPicture(original: string, result: Result, fix: ExportFix): Promise<Buffer> {
  const picture = sharp(original).flatten({ background: '#ffffff' });
  if (fix === 'recompress') return recompress(original, maxExportBytes(result));
  if (fix === 'crop_3_4') return picture.extract(planCrop(result)).jpeg({ quality: JPEG_QUALITY }).toBuffer();
  const { width, height, left, top } = planPadding(result);
  const margins = { left, top, right: width - left - result.width, bottom: height - top - result.height };
  return picture
    .extend({ ...margins, background: await findBorderColour(original, left > 0 ? 'sides' : 'ends') })
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
}

/** Throws export_fix_unsuitable when the file is too large even in the lowest quality. */
async function recompress(original: string, maxBytes: number): Promise<Buffer> {
  for (const quality of RECOMPRESS_QUALITIES) {
    const jpeg = await sharp(original).flatten({ background: '#ffffff' }).jpeg({ quality }).toBuffer();
    if (jpeg.length <= maxBytes) return jpeg;
  }
  throw new AppError('export_fix_unsuitable');
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
      return { kind: 'pad', ...canvas, colour: await findBorderColour(frame, canvas.left > 0 ? 'sides' : 'ends') };
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

/**
 * The mean colour, `#rrggbb`, of the two borders next to the margins. Margins in this colour continue a plain
 * background.
 */
async function findBorderColour(picture: string | Buffer, borders: 'sides' | 'ends'): Promise<string> {
  const pixels = await sharp(picture)
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .resize(BORDER_GRID, BORDER_GRID, { fit: 'fill' })
    .raw()
    .toBuffer();
  const sums = [0, 0, 0];
  for (let index = 0; index < BORDER_GRID; index++) {
    for (const edge of [0, BORDER_GRID - 1]) {
      const at = 3 * (borders === 'sides' ? index * BORDER_GRID + edge : edge * BORDER_GRID + index);
      for (const channel of [0, 1, 2]) sums[channel] = (sums[channel] ?? 0) + (pixels[at + channel] ?? 0);
    }
  }
  const mean = (sum: number) => Math.round(sum / (2 * BORDER_GRID)).toString(16);
  return `#${sums.map((sum) => mean(sum).padStart(2, '0')).join('')}`;
}
