import path from 'node:path';
import type { AppContext } from '#api/services/app-context.ts';
import type { Generation } from '#prisma/generated/client.ts';
import type { NewResult } from './outcome.ts';

/** The engine called a file finished that is not what was ordered. */
export class UnusableResultError extends Error {
  constructor(generationId: string, cause: unknown) {
    super(`The engine's result for ${generationId} cannot be used`, { cause });
    this.name = 'UnusableResultError';
  }
}

/** Key of a generation's file: the same on every run, so that a repeat after a crash overwrites itself. */
export function resultKey(generation: Pick<Generation, 'id' | 'accountId'>, position: number, name: string): string {
  return `results/${generation.accountId}/${generation.id}/${position}/${name}`;
}

/** Key of the thumbnail with the logo. It follows from the thumbnail's own, so that no row has to hold it. */
export function watermarkedThumbnailKey(thumbnailKey: string): string {
  const { dir, base } = path.posix.parse(thumbnailKey);
  return `${dir}/watermarked-${base}`;
}

/**
 * Removes the files of results that were made and not booked. Those of a booked place stay: keys do not change from run
 * to run, so they may be those that another worker has booked.
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

/** Removes every file of results, whether they are booked or not. */
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
