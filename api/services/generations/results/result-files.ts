import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Tx } from '#api/database/database.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { openFile } from '#api/services/core/stored-file.ts';
import type { Generation, Prisma, Result } from '#prisma/generated/client.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { DELETED_KEPT_MS } from '#shared/rules/retention.ts';
import { forgetPhotos } from './forget-photos.ts';

/** A stored file of a generation, whose row is still to be written. */
export type NewResult = Omit<
  Prisma.ResultUncheckedCreateInput,
  'generationId' | 'accountId' | 'kind' | 'startedAt' | 'made' | 'hasDrifted' | 'productId' | 'photoName' | 'number'
>;

/** Much longer than any step takes. A file that hangs the decoder must not block a worker for ever. */
export const VIDEO_STEP_TIMEOUT_MS = 5 * 60_000;

/** The engine reported a file as finished that does not match the order. */
export class UnusableResultError extends Error {
  constructor(generationId: string, cause: unknown) {
    super(`The engine's result for ${generationId} cannot be used`, { cause });
    this.name = 'UnusableResultError';
  }
}

/** The size that this file of a result was stored with. Undefined for one that it does not name yet. */
export function recordedBytes(result: Result, key: string): number | undefined {
  const recorded = new Map([
    [result.originalKey, result.bytes],
    [result.watermarkedKey, result.watermarkedBytes],
    [result.posterKey, result.posterBytes],
    [result.watermarkedPosterKey, result.watermarkedPosterBytes],
    [result.thumbnailKey, result.thumbnailBytes],
    [watermarkedThumbnailKey(result.thumbnailKey), result.watermarkedThumbnailBytes],
  ]);
  return recorded.get(key) ?? undefined;
}

/** Opens a file of a result. Throws ObjectNotFoundError when it is missing or broken. */
export function openResultFile(app: Pick<AppContext, 'storage'>, result: Result, key: string): Promise<Readable> {
  return openFile(app, { key, bytes: recordedBytes(result, key) });
}

/** Storage key of a generation's file. It is the same in every run, so a repeat after a crash overwrites the file. */
export function resultKey(generation: Pick<Generation, 'id' | 'accountId'>, position: number, name: string): string {
  return `results/${generation.accountId}/${generation.id}/${position}/${name}`;
}

/** Key of the thumbnail with the logo. Derived from the thumbnail's key, so that no row has to store it. */
export function watermarkedThumbnailKey(thumbnailKey: string): string {
  const { dir, base } = path.posix.parse(thumbnailKey);
  return `${dir}/watermarked-${base}`;
}

/**
 * Removes files of results that were made but not booked. Files of booked results stay: keys are the same in every run,
 * so another worker may have booked them.
 */
export async function discardResults(
  app: Pick<AppContext, 'db' | 'storage'>,
  generationId: string,
  results: NewResult[],
): Promise<void> {
  const rows = await app.db.result.findMany({ where: { generationId }, select: { position: true } });
  const booked = new Set(rows.map(({ position }) => position));
  await removeResultFiles(
    app,
    results.filter(({ position }) => !booked.has(position)),
  );
}

/** Removes what was written of a generation's outputs that have no row and will have none. */
export async function removeUnbookedFiles(
  app: Pick<AppContext, 'db' | 'storage'>,
  generation: Pick<Generation, 'id' | 'accountId'>,
): Promise<void> {
  const rows = await app.db.result.findMany({ where: { generationId: generation.id }, select: { position: true } });
  const booked = rows.map(({ position }) => resultKey(generation, position, ''));
  for await (const { key } of app.storage.list(`results/${generation.accountId}/${generation.id}/`)) {
    if (!booked.some((folder) => key.startsWith(folder))) await app.storage.remove(key);
  }
}

/**
 * Hides a result as if its owner had deleted it so long ago that nobody can bring it back. Returns false when the row
 * is gone, or when it is not in the asked state any more. `removeHidden` then removes it; the clean-up does when it
 * fails.
 */
export async function hideForGood(
  tx: Pick<Tx, 'result'>,
  resultId: string,
  state: Pick<Prisma.ResultWhereInput, 'deletedAt'> = {},
): Promise<boolean> {
  const deletedAt = new Date(Date.now() - DELETED_KEPT_MS - 1);
  const { count } = await tx.result.updateMany({ where: { ...state, id: resultId }, data: { deletedAt } });
  return count > 0;
}

/**
 * Removes a result that is hidden for good. Never rejects: the clean-up finishes what fails here, and what waits for a
 * running generation.
 */
export async function removeHidden(app: Pick<AppContext, 'db' | 'storage' | 'log'>, result: Result): Promise<void> {
  await removeResult(app, result).catch((error: unknown) =>
    app.log.error({ err: error, resultId: result.id }, 'a hidden result will be removed by the next clean-up'),
  );
}

/**
 * Removes a result for good, with its files and the photos that were picked from it. Returns false and removes nothing
 * while a running generation is made from it, or while its own runs, whose price goes by what was made. Files are removed
 * before the row: a row that stays is tried again, a file without its row never would be.
 */
export async function removeResult(app: Pick<AppContext, 'db' | 'storage'>, result: Result): Promise<boolean> {
  const status = { in: [...ACTIVE_STATUSES] };
  if ((await app.db.generation.count({ where: { id: result.generationId, status } })) > 0) return false;
  const isFree = await app.db.$transaction(async (tx) => {
    const picked = await tx.photo.findMany({ where: { resultId: result.id }, select: { id: true } });
    return forgetPhotos(
      tx,
      picked.map(({ id }) => id),
    );
  });
  if (!isFree) return false;
  await removeResultFiles(app, [result]);
  await app.db.result.deleteMany({ where: { id: result.id } });
  return true;
}

/** Removes every file of the results, booked or not. */
export async function removeResultFiles(app: Pick<AppContext, 'storage'>, results: NewResult[]): Promise<void> {
  for (const result of results) {
    const keys = [
      result.originalKey,
      result.watermarkedKey,
      result.posterKey,
      result.watermarkedPosterKey,
      result.thumbnailKey,
      watermarkedThumbnailKey(result.thumbnailKey),
    ];
    for (const key of keys) if (key) await app.storage.remove(key);
  }
}

/** Returns its size in bytes. */
export async function storeVideoFile(app: AppContext, key: string, file: string): Promise<number> {
  const { size: bytes } = await stat(file);
  await app.storage.put(key, { open: () => createReadStream(file), bytes }, 'video/mp4');
  return bytes;
}
