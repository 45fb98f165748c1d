import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { CropBox, GarmentChecker } from '#api/adapters/garment-check/garment-checker.ts';
import { readDiskError } from '#api/adapters/storage/disk-failures.ts';
import { isStorageFailure } from '#api/adapters/storage/object-storage.ts';
import { sendAccountEvent } from '#api/database/account-events.ts';
import { readDatabaseTime } from '#api/database/database-time.ts';
import { abortAfter } from '#api/platform/with-timeout.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { openFile } from '#api/services/core/stored-file.ts';
import { withTemporaryFolder } from '#api/services/core/temporary-folder.ts';
import { announceDrift } from '#api/services/generations/results/garment-checks.ts';
import { type InputPhoto, listInputs } from '#api/services/generations/results/inputs.ts';
import { pictureWork } from '#api/services/generations/results/pictures.ts';
import { isPicture } from '#api/services/generations/results/results.ts';
import { findSourceFiles, type PhotoFiles } from '#api/services/photos/photo-files.ts';
import { openPhotoMaster } from '#api/services/photos/photos.ts';
import type { GarmentCheck, Generation, Prisma, Result } from '#prisma/generated/client.ts';

/** How often a comparison is begun. One that crashes the process must not do so for ever. */
const MAX_ATTEMPTS = 3;
/** How long after the result was made a storage that is away costs no attempt. */
const OUTAGE_LASTS_MS = 30 * 60_000;
/** Far longer than a comparison takes. */
const TIMEOUT_MS = 2 * 60_000;
/** The compared frames of a video, as shares of its length. */
const FRAME_SHARES = [0.1, 0.5, 0.9];

type Order = Result & { generation: Generation };
type Finding = Omit<Prisma.GarmentCheckUncheckedUpdateManyInput, 'resultId'> & Pick<GarmentCheck, 'verdict'>;

/**
 * Compares the garment of a result with that of its photo and records what was found, once. Safe to run again after a
 * crash. Rejects when it should be tried again.
 */
export async function checkGarment(app: AppContext, resultId: string, signal: AbortSignal): Promise<void> {
  const begun = await app.db.garmentCheck.updateManyAndReturn({
    where: { resultId, verdict: 'pending' },
    data: { attempts: { increment: 1 } },
    select: { attempts: true, createdAt: true, result: { include: { generation: true } } },
  });
  const [check] = begun;
  // Compared before, or the result is gone.
  if (!check) return;
  const log = app.log.child({ generationId: check.result.generationId, resultId });
  let finding: Finding;
  try {
    finding = await find(app, check, signal);
  } catch (error) {
    const isFree = signal.aborted || (await isShortOutage(app, check.createdAt, error));
    if (isFree) await returnAttempt(app, resultId);
    if (isFree || check.attempts < MAX_ATTEMPTS) throw error;
    log.error({ err: error }, 'a garment could not be compared');
    finding = cannotSay('check_failed');
  }
  if (!(await record(app, check.result, finding))) return;
  const { verdict, drifts, reason, colourDifference, printSimilarity } = finding;
  log.info(
    { action: 'garment_checked', verdict, drifts, reason, colourDifference, printSimilarity },
    'garment checked',
  );
}

async function isShortOutage({ db }: AppContext, createdAt: Date, error: unknown): Promise<boolean> {
  if (!isStorageFailure(readDiskError(error))) return false;
  return (await readDatabaseTime(db)).getTime() - createdAt.getTime() < OUTAGE_LASTS_MS;
}

/** What says nothing about the comparison costs no attempt. */
async function returnAttempt({ db }: AppContext, resultId: string): Promise<void> {
  await db.garmentCheck.updateMany({ where: { resultId }, data: { attempts: { decrement: 1 } } });
}

function cannotSay(reason: string): Finding {
  return { verdict: 'not_comparable', reason };
}

async function find(
  app: AppContext,
  { attempts, result }: { attempts: number; result: Order },
  signal: AbortSignal,
): Promise<Finding> {
  const { garmentChecker } = app;
  // Ended by a crash every time.
  if (attempts > MAX_ATTEMPTS) throw new Error('the comparison was interrupted too often');
  if (!garmentChecker) return cannotSay('check_off');
  if (result.deletedAt) return cannotSay('result_deleted');
  const photo = (await listInputs(app.db, result.generationId)).find(({ role }) => role === 'subject');
  const source = photo && (await findSourceFiles(app.db, photo));
  if (!source || (await app.storage.findSize(source.master.key)) === null) return cannotSay('photo_gone');
  return compare(app, garmentChecker, { photo, source, result }, abortAfter(TIMEOUT_MS, signal));
}

/** Originals are compared. The logo would be taken for a print. */
async function compare(
  app: AppContext,
  checker: GarmentChecker,
  { photo, source: files, result }: { photo: InputPhoto; source: PhotoFiles; result: Order },
  signal: AbortSignal,
): Promise<Finding> {
  const source = await buffer(await openPhotoMaster(app, photo));
  const { pictures, seconds } = await readPictures(app, result, signal);
  const { thresholds } = app.config.garmentCheck;
  const found = await checker.check({ source, results: pictures, thresholds }, signal);
  const { verdict, drifts, reason, colourDifference, printSimilarity, featureMatches, crops, resultIndex } = found;
  const picture = pictures[resultIndex];
  if (!picture) throw new Error(`there is no picture ${resultIndex}`);
  return {
    verdict,
    drifts,
    reason,
    colourDifference,
    printSimilarity,
    featureMatches,
    frameSeconds: seconds[resultIndex] ?? null,
    ...(verdict === 'drifted' && crops
      ? {
          // Without the logo, as every crop is stored. readGarmentCrop adds it where the owner may not see more.
          sourceCrop: toBytes(await cutCrop(await buffer(await openFile(app, files.preview)), crops.source)),
          resultCrop: toBytes(await cutCrop(picture, crops.result)),
        }
      : {}),
  };
}

/** Cuts a part out of a picture, as a small WebP. */
function cutCrop(picture: Buffer, box: CropBox): Promise<Buffer> {
  return pictureWork('cutCrop', { picture, box });
}

function toBytes(content: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(content);
}

/** The picture, or some frames of the video and where they stand in it. */
async function readPictures(
  app: AppContext,
  result: Order,
  signal: AbortSignal,
): Promise<{ pictures: Buffer[]; seconds: number[] }> {
  if (isPicture(result))
    return {
      pictures: [await buffer(await openFile(app, { key: result.originalKey, bytes: result.bytes }))],
      seconds: [],
    };
  const seconds = FRAME_SHARES.map((share) => share * (result.durationSeconds ?? 0));
  const pictures = await withTemporaryFolder(app, async (folder) => {
    const file = path.join(folder, 'original.mp4');
    await pipeline(await openFile(app, { key: result.originalKey, bytes: result.bytes }), createWriteStream(file));
    return app.videoEncoder.readFrames(file, seconds, signal);
  });
  return { pictures, seconds };
}

/** Returns false when another run has recorded a finding, or the result is gone. */
function record(app: AppContext, { id: resultId, generationId }: Order, finding: Finding): Promise<boolean> {
  return app.db.$transaction(async (tx) => {
    // The end of the generation waits, or has been recorded. See announceDrift.
    await tx.$executeRaw`select from generations where id = ${generationId}::uuid for no key update`;
    // Its owner may have removed the photo meanwhile.
    const hasPhoto = (await tx.generationInput.count({ where: { generationId, role: 'subject' } })) > 0;
    const { count } = await tx.garmentCheck.updateMany({
      where: { resultId, verdict: 'pending' },
      data: { ...finding, ...(hasPhoto ? {} : { sourceCrop: null }), checkedAt: new Date() },
    });
    if (count === 0) return false;
    if (finding.verdict === 'drifted') await tx.result.update({ where: { id: resultId }, data: { hasDrifted: true } });
    const generation = await tx.generation.findUniqueOrThrow({ where: { id: generationId } });
    const { id, accountId, kind, status } = generation;
    await sendAccountEvent(tx, { accountId, event: 'generation', id, kind });
    if (status === 'completed' && generation.batchId === null) await announceDrift(app, tx, generation);
    return true;
  });
}
