import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { explainWorkFailure, isMachineFault, throwMachineFault } from '#api/adapters/storage/disk-failures.ts';
import { StorageFullError, StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import type { VideoChange } from '#api/adapters/video-encoder/video-encoder.ts';
import { AppError } from '#api/platform/errors.ts';
import { streamZip, type ZipEntry } from '#api/platform/zip-archive.ts';
import { ProcessStopError } from '#api/queue/process-stop-error.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { SCARCE_BYTES, tryStorage } from '#api/services/core/storage-room.ts';
import { withTemporaryFolder } from '#api/services/core/temporary-folder.ts';
import { exportWork } from '#api/services/gallery/exports.ts';
import { openOriginal } from '#api/services/generations/results/lost-results.ts';
import { lockBalance } from '#api/services/stars/ledger.ts';
import type { Pack } from '#prisma/generated/client.ts';
import type { ErrorCode } from '#shared/contract/errors.ts';
import { createUniqueNamer } from '#shared/rules/download-names.ts';
import type { Marketplace } from '#shared/rules/marketplaces.ts';
import {
  type ArrangedFile,
  arrangePack,
  describeShrinking,
  estimateBytes,
  moveToExtra,
  type PicturePlan,
  type VideoPlan,
} from '#shared/rules/packs.ts';
import { describeItems, type PackedResult } from './pack-content.ts';
import { writePackTable } from './pack-table.ts';
import { failPack, makeRoomForPack, removePackFile, sendPackEvent } from './packs.ts';
import { type PackReport, writeReadme } from './readme.ts';

/** How often making a pack is begun. One that crashes the process must not do so for ever. */
const MAX_ATTEMPTS = 5;
/** For so long after its order a fault of the machine costs a pack no attempt. */
const FAULTS_EXCUSED_MS = 30 * 60_000;
/** How often its pages are told of the progress. */
const TOLD_EVERY_MS = 1_000;

/** Why a file lies in `лишнее`, as a person reads it. */
const TOO_HEAVY = 'не сжимается до размера, который принимает маркетплейс';
const NOT_ADAPTED = 'не удалось обработать';

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
    if (await isTriedAgain(app, pack, error, signal)) throw error;
    app.log.error({ err: error, packId }, 'a pack could not be made');
    await failPack(app, pack, describeFailure(error));
  }
}

/** A stop of the process or a fault of the machine says nothing about the pack, so it costs no attempt. */
async function isTriedAgain(
  { db }: AppContext,
  { id, attempts, createdAt }: Pack,
  error: unknown,
  signal: AbortSignal,
): Promise<boolean> {
  const isExcused = isMachineFault(error) && Date.now() - createdAt.getTime() < FAULTS_EXCUSED_MS;
  if (!isExcused && !(signal.reason instanceof ProcessStopError)) {
    return attempts < MAX_ATTEMPTS && !(error instanceof AppError);
  }
  await db.pack.updateMany({ where: { id }, data: { attempts: { decrement: 1 } } });
  return true;
}

function describeFailure(error: unknown): ErrorCode {
  if (error instanceof AppError) return error.code;
  if (error instanceof StorageFullError) return 'storage_full';
  return error instanceof StorageUnavailableError ? 'storage_unavailable' : 'pack_failed';
}

async function storePack(app: AppContext, pack: Pack, folder: string, signal: AbortSignal): Promise<void> {
  const zipPath = path.join(folder, 'pack.zip');
  const extra = await writeZip(app, pack, { folder, zipPath, signal });
  const { size: bytes } = await stat(zipPath);
  const storageKey = `packs/${pack.accountId}/${pack.id}/pack.zip`;
  await app.storage.put(storageKey, { bytes, open: () => createReadStream(zipPath) }, 'application/zip');
  const { isKept, removed } = await app.db.$transaction(async (tx) => {
    await lockBalance(tx, pack.accountId);
    const { count } = await tx.pack.updateMany({
      where: { id: pack.id, status: 'making' },
      data: { status: 'ready', storageKey, bytes, extra, done: pack.resultIds.length, finishedAt: new Date() },
    });
    const removed = await makeRoomForPack(tx, pack.accountId);
    await sendPackEvent(tx, pack);
    return { isKept: count > 0, removed };
  });
  // Its owner has removed it meanwhile.
  if (!isKept) await app.storage.remove(storageKey);
  for (const old of removed) await removePackFile(app, old);
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
  const arranged = arrangePack(items, { marketplace, template: pack.template });
  // Others may have filled the disk since the order.
  await tryStorage(app, SCARCE_BYTES + estimateBytes(arranged));
  const report: PackReport = { pack, items, files: [], lost: [] };
  // Articles may have changed since the order, and what moves to `лишнее` may meet its like there.
  const makeUnique = createUniqueNamer();
  async function* makeEntries(): AsyncGenerator<ZipEntry> {
    let toldAt = performance.now();
    for (const [index, file] of arranged.entries()) {
      signal.throwIfAborted();
      const place = path.join(folder, 'file');
      await mkdir(place);
      const made = await makeFile(app, file, place, signal);
      if (made) {
        const name = makeUnique(made.file.path);
        report.files.push({ ...made.file, path: name });
        const lastModified = file.item.result.createdAt;
        yield { name, lastModified, open: async () => createReadStream(made.content) };
      } else report.lost.push(file.path);
      await rm(place, { recursive: true });
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

/** `content`: the path of the file as it goes into the ZIP. */
interface MadeFile {
  file: ArrangedFile<PackedResult>;
  content: string;
}

/** Null when the original is lost. What cannot be made fit goes along as it is, apart from what the card takes. */
async function makeFile(
  app: AppContext,
  file: ArrangedFile<PackedResult>,
  folder: string,
  signal: AbortSignal,
): Promise<MadeFile | null> {
  const original = path.join(folder, 'original');
  try {
    await pipeline(await openOriginal(app, file.item.result), createWriteStream(original), { signal });
  } catch (error) {
    if (error instanceof AppError && (error.code === 'result_lost' || error.code === 'file_lost')) return null;
    throw error;
  }
  const { picture, video } = file.plan;
  try {
    const made = picture
      ? await adaptPicture(file, picture, { original, folder })
      : video
        ? await adaptVideo(app, file, video, { original, folder, signal })
        : { file, content: original };
    return made ?? { file: moveToExtra(file, TOO_HEAVY), content: original };
  } catch (error) {
    signal.throwIfAborted();
    throwMachineFault(await explainWorkFailure(error, folder));
    app.log.warn({ err: error, resultId: file.item.result.id }, 'a file of a pack could not be adapted');
    return { file: moveToExtra(file, NOT_ADAPTED), content: original };
  }
}

/** Null when it stays larger than the marketplace takes. */
async function adaptPicture(
  file: ArrangedFile<PackedResult>,
  plan: PicturePlan,
  { original, folder }: { original: string; folder: string },
): Promise<MadeFile | null> {
  const jpeg = await exportWork('adapt', { original, plan });
  if (!jpeg) return null;
  const content = path.join(folder, 'adapted.jpg');
  await writeFile(content, jpeg);
  return { file, content };
}

/** Null when it stays larger than the marketplace takes. */
async function adaptVideo(
  app: AppContext,
  file: ArrangedFile<PackedResult>,
  plan: VideoPlan,
  { original, folder, signal }: { original: string; folder: string; signal: AbortSignal },
): Promise<MadeFile | null> {
  let content = original;
  const change = async (name: string, change: VideoChange) => {
    const outputPath = path.join(folder, `${name}.mp4`);
    await app.videoEncoder.transform({ inputPath: content, outputPath, change, signal });
    content = outputPath;
  };
  if (plan.resize) await change('resized', { kind: 'fit', ...plan.resize });
  if (plan.minSeconds !== null) await change('longer', { kind: 'lengthen', minSeconds: plan.minSeconds });
  const { maxBytes } = plan;
  const isTooHeavy = async () => maxBytes !== null && (await stat(content)).size > maxBytes;
  if (maxBytes === null || !(await isTooHeavy())) return { file, content };
  await change('smaller', { kind: 'shrink', maxBytes });
  if (await isTooHeavy()) return null;
  // The plan does not know yet what the other changes make heavier.
  const changes = [...new Set([...file.plan.changes, describeShrinking(maxBytes)])];
  return { file: { ...file, plan: { ...file.plan, changes } }, content };
}
