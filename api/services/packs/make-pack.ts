import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StorageFullError, StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import type { VideoChange } from '#api/adapters/video-encoder/video-encoder.ts';
import { AppError } from '#api/platform/errors.ts';
import { workIn } from '#api/platform/work-processes/work-process.ts';
import { streamZip, type ZipEntry } from '#api/platform/zip-archive.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { withTemporaryFolder } from '#api/services/core/temporary-folder.ts';
import type * as ExportWork from '#api/services/gallery/export-work.ts';
import { openOriginal } from '#api/services/generations/results/lost-results.ts';
import type { Pack } from '#prisma/generated/client.ts';
import type { ErrorCode } from '#shared/contract/errors.ts';
import type { Marketplace } from '#shared/rules/marketplaces.ts';
import {
  type ArrangedFile,
  arrangePack,
  EXTRA_FOLDER,
  type FilePlan,
  type PicturePlan,
  type VideoPlan,
} from '#shared/rules/packs.ts';
import { describeItems, type PackedResult } from './pack-content.ts';
import { writePackTable } from './pack-table.ts';
import { sendPackEvent } from './packs.ts';
import { type PackReport, writeReadme } from './readme.ts';

/** How often making a pack is begun. One that crashes the process must not do so for ever. */
const MAX_ATTEMPTS = 5;
/** How often its pages are told of the progress. */
const TOLD_EVERY_MS = 1_000;

const run = workIn<typeof ExportWork>(new URL('../gallery/export-work.ts', import.meta.url), { maxTasks: 20 });

/** Makes the pack that was ordered. Safe to run again after a crash. Rejects when it should be tried again. */
export async function makePack(app: AppContext, packId: string, signal: AbortSignal): Promise<void> {
  const [pack] = await app.db.pack.updateManyAndReturn({
    where: { id: packId, status: 'making' },
    data: { attempts: { increment: 1 }, done: 0 },
  });
  // Made or given up before, or removed.
  if (!pack) return;
  try {
    // Ended by a crash every time.
    if (pack.attempts > MAX_ATTEMPTS) throw new Error('making the pack was interrupted too often');
    await withTemporaryFolder(app, (folder) => storePack(app, pack, folder, signal));
  } catch (error) {
    if (signal.aborted) {
      // A stop of the process says nothing about the pack.
      await app.db.pack.updateMany({ where: { id: packId }, data: { attempts: { decrement: 1 } } });
      throw error;
    }
    if (pack.attempts < MAX_ATTEMPTS && !(error instanceof AppError)) throw error;
    app.log.error({ err: error, packId }, 'a pack could not be made');
    await failPack(app, pack, describeFailure(error));
  }
}

function describeFailure(error: unknown): ErrorCode {
  if (error instanceof AppError) return error.code;
  if (error instanceof StorageFullError) return 'storage_full';
  return error instanceof StorageUnavailableError ? 'storage_unavailable' : 'pack_failed';
}

async function failPack({ db }: AppContext, pack: Pack, failureCode: ErrorCode): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.pack.updateMany({
      where: { id: pack.id, status: 'making' },
      data: { status: 'failed', failureCode, finishedAt: new Date() },
    });
    await sendPackEvent(tx, pack);
  });
}

async function storePack(app: AppContext, pack: Pack, folder: string, signal: AbortSignal): Promise<void> {
  const zipPath = path.join(folder, 'pack.zip');
  const extra = await writeZip(app, pack, { folder, zipPath, signal });
  const { size: bytes } = await stat(zipPath);
  const storageKey = `packs/${pack.accountId}/${pack.id}/pack.zip`;
  await app.storage.put(storageKey, { bytes, open: () => createReadStream(zipPath) }, 'application/zip');
  const isKept = await app.db.$transaction(async (tx) => {
    const { count } = await tx.pack.updateMany({
      where: { id: pack.id, status: 'making' },
      data: { status: 'ready', storageKey, bytes, extra, done: pack.resultIds.length, finishedAt: new Date() },
    });
    await sendPackEvent(tx, pack);
    return count > 0;
  });
  // Its owner has removed it meanwhile.
  if (!isKept) await app.storage.remove(storageKey);
}

interface ZipWork {
  folder: string;
  zipPath: string;
  signal: AbortSignal;
}

/** Returns how many files lie in `лишнее`. Throws result_lost when no file is left. */
async function writeZip(app: AppContext, pack: Pack, { folder, zipPath, signal }: ZipWork): Promise<number> {
  const marketplace = pack.marketplace as Marketplace;
  const found = await app.db.result.findMany({ where: { id: { in: pack.resultIds }, deletedAt: null } });
  const byId = new Map(found.map((result) => [result.id, result]));
  const results = pack.resultIds.flatMap((id) => byId.get(id) ?? []);
  const items = await describeItems(app.db, results);
  const report: PackReport = { pack, items, files: [], lost: [] };
  async function* makeEntries(): AsyncGenerator<ZipEntry> {
    let toldAt = performance.now();
    for (const [index, file] of arrangePack(items, { marketplace, template: pack.template }).entries()) {
      signal.throwIfAborted();
      const made = await makeFile(app, file, folder, signal);
      if (made) {
        report.files.push(made.file);
        yield {
          name: made.file.path,
          lastModified: file.item.result.createdAt,
          open: async () => createReadStream(made.content),
        };
        await rm(made.content, { force: true });
      } else report.lost.push(file.path);
      if (performance.now() - toldAt < TOLD_EVERY_MS) continue;
      toldAt = performance.now();
      await noteProgress(app, pack, index + 1);
    }
    if (report.files.length === 0) throw new AppError('result_lost');
    yield textFile('results.csv', await writePackTable(app.db, report));
    yield textFile('readme.txt', writeReadme(report));
  }
  await pipeline(streamZip(makeEntries()), createWriteStream(zipPath), { signal });
  return report.files.filter(({ extra }) => extra !== null).length;
}

function textFile(name: string, text: string): ZipEntry {
  return { name, lastModified: new Date(), open: async () => Readable.from([Buffer.from(text)]) };
}

async function noteProgress({ db }: AppContext, pack: Pack, done: number): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.pack.updateMany({ where: { id: pack.id, status: 'making' }, data: { done } });
    await sendPackEvent(tx, pack);
  });
}

/** `content`: the path of the file as it goes into the ZIP. Null when the original is lost. */
async function makeFile(
  app: AppContext,
  file: ArrangedFile<PackedResult>,
  folder: string,
  signal: AbortSignal,
): Promise<{ file: ArrangedFile<PackedResult>; content: string } | null> {
  const original = path.join(folder, 'original');
  try {
    await pipeline(await openOriginal(app, file.item.result), createWriteStream(original), { signal });
  } catch (error) {
    if (error instanceof AppError && (error.code === 'result_lost' || error.code === 'file_lost')) return null;
    throw error;
  }
  const { picture, video } = file.plan;
  if (picture) return adaptPicture(file, picture, { original, folder });
  if (video) return adaptVideo(app, file, video, { original, folder, signal });
  return { file, content: original };
}

async function adaptPicture(
  file: ArrangedFile<PackedResult>,
  plan: PicturePlan,
  { original, folder }: { original: string; folder: string },
) {
  const jpeg = await run('adapt', { original, plan });
  // It goes along as it is, apart from what the card takes.
  if (!jpeg)
    return { file: moveToExtra(file, 'не сжимается до размера, который принимает маркетплейс'), content: original };
  const content = path.join(folder, 'adapted.jpg');
  await writeFile(content, jpeg);
  await rm(original, { force: true });
  return { file, content };
}

async function adaptVideo(
  app: AppContext,
  file: ArrangedFile<PackedResult>,
  plan: VideoPlan,
  { original, folder, signal }: { original: string; folder: string; signal: AbortSignal },
) {
  let content = original;
  const change = async (name: string, change: VideoChange) => {
    const outputPath = path.join(folder, `${name}.mp4`);
    await app.videoEncoder.transform({ inputPath: content, outputPath, change, signal });
    await rm(content, { force: true });
    content = outputPath;
  };
  if (plan.resize) await change('resized', { kind: 'fit', ...plan.resize });
  if (plan.minSeconds !== null) await change('longer', { kind: 'lengthen', minSeconds: plan.minSeconds });
  const { maxBytes } = plan;
  if (maxBytes !== null && (await stat(content)).size > maxBytes) await change('smaller', { kind: 'shrink', maxBytes });
  return { file, content };
}

function moveToExtra(file: ArrangedFile<PackedResult>, problem: string): ArrangedFile<PackedResult> {
  const plan: FilePlan = { ...file.plan, changes: [], problems: [...file.plan.problems, problem] };
  const isExtra = file.extra !== null;
  return { ...file, plan, path: isExtra ? file.path : `${EXTRA_FOLDER}/${file.path}`, extra: problem };
}
