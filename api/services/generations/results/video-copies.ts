import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { isMachineFault } from '#api/adapters/storage/disk-failures.ts';
import { ObjectNotFoundError } from '#api/adapters/storage/object-storage.ts';
import { sendAccountEvent } from '#api/database/account-events.ts';
import type { Tx } from '#api/database/database.ts';
import { readDatabaseTime } from '#api/database/database-time.ts';
import { AppError } from '#api/platform/errors.ts';
import { abortAfter } from '#api/platform/with-timeout.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { measureFile } from '#api/services/core/stored-file.ts';
import { withTemporaryFolder } from '#api/services/core/temporary-folder.ts';
import type { Generation, Result, VideoCopyOrder } from '#prisma/generated/client.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { openResultFile, storeVideoFile, VIDEO_STEP_TIMEOUT_MS } from './result-files.ts';

/** How often making a copy is begun. One that crashes the process must not do so for ever. */
const MAX_ATTEMPTS = 3;
/** Longer than all attempts take. The job of an older order is lost, so that it may be ordered again. */
const ORDER_LASTS_SECONDS = 30 * 60;
/** For so long a failure is told. Whoever asks later orders the copy again. */
const FAILURE_LASTS_SECONDS = 60;
/** For so long a caller waits that cannot do without the file. */
const AWAITED_MS = 5 * 60_000;
const RETRY_SECONDS = { min: 1, max: 30 };
/** After a fault of the machine a copy is begun again as long as that run, and the pause before it, end within its order. */
const LAST_RETRY_SECONDS = ORDER_LASTS_SECONDS - VIDEO_STEP_TIMEOUT_MS / 1000 - RETRY_SECONDS.max;

/**
 * The key of the copy with the logo of a video. Orders the copy if there is none, once for all who ask. Throws
 * video_preparing while it is made, video_copy_failed for a while after it was given up, and ObjectNotFoundError without
 * a whole original.
 */
export async function getVideoCopy(app: AppContext, result: Result): Promise<string> {
  return result.watermarkedKey ?? orderVideoCopy(app, result);
}

/** Forgets that copies of this generation were given up, so that whoever asks next orders them again. */
export async function dropFailedCopy(tx: Pick<Tx, 'videoCopyOrder'>, generationId: string): Promise<void> {
  await tx.videoCopyOrder.deleteMany({ where: { result: { generationId }, failedAt: { not: null } } });
}

/** Whether the owner of a completed generation has to wait for the copy of its video. */
export async function isVideoCopyMissing(
  app: AppContext,
  { id, accountId, kind }: Pick<Generation, 'id' | 'accountId' | 'kind'>,
): Promise<boolean> {
  if (TOOLS[kind].outputs.type !== 'video' || (await getPremiumStatus(app, accountId)).isPremium) return false;
  return (await app.db.result.count({ where: { generationId: id, watermarkedKey: null } })) > 0;
}

async function orderVideoCopy(app: AppContext, result: Result): Promise<never> {
  const { id: resultId, originalKey, bytes } = result;
  const now = await readDatabaseTime(app.db);
  const standing = await app.db.videoCopyOrder.findUnique({ where: { resultId } });
  if (standing && !isOver(standing, now)) throw describeOrder(standing, now);
  await measureFile(app, { key: originalKey, bytes });
  await app.db.$transaction(async (tx) => {
    // Of several calls only one inserts or renews the row, and that one sends the job.
    const ordered = await tx.$executeRaw`
      insert into video_copy_orders (result_id) values (${resultId}::uuid)
      on conflict (result_id) do update set ordered_at = now(), attempts = 0, failed_at = null
      where video_copy_orders.failed_at <= now() - make_interval(secs => ${FAILURE_LASTS_SECONDS})
        or video_copy_orders.ordered_at <= now() - make_interval(secs => ${ORDER_LASTS_SECONDS})`;
    if (ordered > 0) await app.queue.send(tx, 'make-video-copy', { resultId });
  });
  throw new AppError('video_preparing', { retryAfter: RETRY_SECONDS.min });
}

function isOver({ orderedAt, failedAt }: VideoCopyOrder, now: Date): boolean {
  const secondsSince = (time: Date) => (now.getTime() - time.getTime()) / 1000;
  if (failedAt && secondsSince(failedAt) >= FAILURE_LASTS_SECONDS) return true;
  return secondsSince(orderedAt) >= ORDER_LASTS_SECONDS;
}

/** The longer it has taken, the more seldom it is worth asking. */
function describeOrder({ orderedAt, failedAt }: VideoCopyOrder, now: Date): AppError {
  if (failedAt) return new AppError('video_copy_failed', { retryAfter: FAILURE_LASTS_SECONDS });
  const waitedSeconds = (now.getTime() - orderedAt.getTime()) / 1000;
  const retryAfter = Math.min(RETRY_SECONDS.max, Math.max(RETRY_SECONDS.min, Math.round(waitedSeconds / 4)));
  return new AppError('video_preparing', { retryAfter });
}

/**
 * Waits until the copy is there, for work that needs the file. Throws what getVideoCopy throws, and video_preparing only
 * when no worker makes it, and ObjectNotFoundError when the result is removed meanwhile.
 */
export async function awaitVideoCopy(app: AppContext, known: Result): Promise<string> {
  const until = performance.now() + AWAITED_MS;
  for (let result = known; ; ) {
    try {
      return await getVideoCopy(app, result);
    } catch (error) {
      if (!isPreparing(error) || performance.now() > until) throw error;
      await wait((error.extra.retryAfter ?? RETRY_SECONDS.min) * 1000);
      const next = await app.db.result.findUnique({ where: { id: known.id } });
      if (!next) throw new ObjectNotFoundError(known.originalKey);
      result = next;
    }
  }
}

/** Whether the copy is being made, so that a later try gets it. */
export function isPreparing(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'video_preparing';
}

/**
 * Makes the copy that was ordered, and tells the pages of its owner. Safe to run again after a crash. Rejects when it
 * should be tried again.
 */
export async function makeVideoCopy(app: AppContext, resultId: string, signal: AbortSignal): Promise<void> {
  const [order] = await app.db.videoCopyOrder.updateManyAndReturn({
    where: { resultId, failedAt: null },
    data: { attempts: { increment: 1 } },
    select: { resultId: true, attempts: true, orderedAt: true, result: true },
  });
  // Made or given up before, or the result is gone.
  if (!order) return;
  const { attempts, result } = order;
  try {
    // Ended by a crash every time.
    if (attempts > MAX_ATTEMPTS) throw new Error('making the copy was interrupted too often');
    await makeCopy(app, result, abortAfter(VIDEO_STEP_TIMEOUT_MS, signal));
  } catch (error) {
    if (await isTriedAgain(app, order, error, signal)) throw error;
    const { generationId } = result;
    app.log.error({ err: error, resultId, generationId }, 'the copy of a video with the logo could not be made');
    await app.db.$transaction(async (tx) => {
      await tx.videoCopyOrder.updateMany({ where: { resultId }, data: { failedAt: await readDatabaseTime(tx) } });
      await sendEventToOwner(tx, result);
    });
  }
}

/** A stop of the process or a fault of the machine says nothing about the video, so it costs no attempt. */
async function isTriedAgain(
  { db }: AppContext,
  { resultId, attempts, orderedAt }: Pick<VideoCopyOrder, 'resultId' | 'attempts' | 'orderedAt'>,
  error: unknown,
  signal: AbortSignal,
): Promise<boolean> {
  if (!signal.aborted && !isMachineFault(error)) return attempts < MAX_ATTEMPTS;
  await db.videoCopyOrder.updateMany({ where: { resultId }, data: { attempts: { decrement: 1 } } });
  if (signal.aborted) return true;
  const now = await readDatabaseTime(db);
  return (now.getTime() - orderedAt.getTime()) / 1000 < LAST_RETRY_SECONDS;
}

async function makeCopy(app: AppContext, result: Result, signal: AbortSignal): Promise<void> {
  // Beside the original, so that it goes with the generation's files. The same in every run.
  const watermarkedKey = `${path.posix.dirname(result.originalKey)}/watermarked.mp4`;
  const watermarkedBytes = await withTemporaryFolder(app, async (folder) => {
    const [inputPath, outputPath] = [path.join(folder, 'original.mp4'), path.join(folder, 'watermarked.mp4')];
    await pipeline(await openResultFile(app, result, result.originalKey), createWriteStream(inputPath), { signal });
    await app.videoEncoder.addWatermark({ inputPath, outputPath, signal });
    return storeVideoFile(app, watermarkedKey, outputPath);
  });
  const isBooked = await app.db.$transaction(async (tx) => {
    const { count } = await tx.result.updateMany({
      where: { id: result.id },
      data: { watermarkedKey, watermarkedBytes },
    });
    await tx.videoCopyOrder.deleteMany({ where: { resultId: result.id } });
    await sendEventToOwner(tx, result);
    return count > 0;
  });
  // Its owner has deleted the video meanwhile.
  if (!isBooked) await app.storage.remove(watermarkedKey);
}

function sendEventToOwner(
  tx: Parameters<typeof sendAccountEvent>[0],
  { accountId, generationId, kind }: Result,
): Promise<void> {
  return sendAccountEvent(tx, { accountId, event: 'generation', id: generationId, kind });
}
