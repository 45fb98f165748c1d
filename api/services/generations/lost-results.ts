import type { Readable } from 'node:stream';
import { ObjectNotFoundError, StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import type { Tx } from '#api/db.ts';
import { AppError } from '#api/errors.ts';
import { sendNudge } from '#api/nudges.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { lockBalance, returnForLoss } from '#api/services/stars/ledger.ts';
import { listReturnedForLosses, listStarsSpent } from '#api/services/stars/returned-stars.ts';
import type { Generation, Result } from '#prisma/generated/client.ts';
import type { ResultLoss } from '#shared/contract/generations.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { shareOf } from '#shared/rules/tools.ts';
import { getOwnGeneration } from './find-generation.ts';

/** How many files of others are looked for before a loss is believed. */
const SAMPLE_SIZE = 5;

type Storage = Pick<AppContext, 'storage'>;
type Sources = Pick<AppContext, 'db' | 'log' | 'storage'>;
type StoredOriginal = Pick<Result, 'id' | 'originalKey' | 'bytes' | 'lostAt'>;

/**
 * Does something with the files of a result. When one of them is missing, it is written down that the result is lost.
 * Missing copies with the logo are only forgotten, and `use` runs again and makes them anew. Throws AppError result_lost,
 * and what `use` throws.
 */
export async function withResultFiles<R extends Result, T>(
  app: Sources,
  result: R,
  use: (result: R) => Promise<T>,
): Promise<T> {
  try {
    return await use(result);
  } catch (error) {
    if (!(error instanceof ObjectNotFoundError)) throw error;
    if (await reviewResult(app, result)) throw new AppError('result_lost');
    const copies = { watermarkedKey: null, watermarkedPosterKey: null };
    await app.db.result.update({ where: { id: result.id }, data: copies });
    return await use({ ...result, ...copies }).catch((repeated: unknown) => {
      throw repeated instanceof ObjectNotFoundError ? new AppError('result_lost') : repeated;
    });
  }
}

/** Opens the original of a result. Throws AppError result_lost when it is missing or broken. */
export function openOriginal(app: Sources, result: Result): Promise<Readable> {
  return withResultFiles(app, result, async (known) => {
    if (!(await isStored(app, known))) throw new ObjectNotFoundError(known.originalKey);
    return app.storage.open(known.originalKey);
  });
}

/**
 * Looks for the original of a result and writes down whether it is lost: missing, or of another size than the one that
 * was stored. Returns that. Throws StorageUnavailableError.
 */
export async function reviewResult(app: Sources, result: StoredOriginal): Promise<boolean> {
  const isLost = !(await isStored(app, result));
  if (isLost === (result.lostAt !== null)) return isLost;
  const { count } = await app.db.result.updateMany({
    where: { id: result.id, lostAt: isLost ? null : { not: null } },
    data: { lostAt: isLost ? new Date() : null },
  });
  if (count === 1) {
    const log = app.log.child({ resultId: result.id, key: result.originalKey });
    if (isLost) log.error({ action: 'result_lost' }, 'the file of a result is lost');
    else log.info({ action: 'result_found' }, 'the lost file of a result is back');
  }
  return isLost;
}

/** Size of a stored file in bytes. Throws ObjectNotFoundError, for withResultFiles. */
export async function getFileSize({ storage }: Storage, key: string): Promise<number> {
  const bytes = await storage.findSize(key);
  if (bytes === null) throw new ObjectNotFoundError(key);
  return bytes;
}

async function isStored({ storage }: Storage, { originalKey, bytes }: StoredOriginal): Promise<boolean> {
  return (await storage.findSize(originalKey)) === bytes;
}

/**
 * Returns the stars of all lost results of a generation, each once: its share of the price, and never more than the
 * generation has cost. Before that it looks for the files twice, with a proof in between that the storage works and is
 * the right one. Returns all stars that have ever come back for them. Throws generation_not_found, generation_forbidden,
 * result_not_lost, loss_costs_nothing, StorageFullError, StorageUnavailableError.
 */
export async function returnLostStars(app: Sources, accountId: number, generationId: string): Promise<number> {
  const { results } = await getOwnGeneration(app.db, { accountId, kinds: GENERATION_KINDS, id: generationId });
  const missing: Result[] = [];
  for (const result of results) if (await reviewResult(app, result)) missing.push(result);
  if (missing.length > 0) await assertRightStorage(app, generationId);
  const lost: Result[] = [];
  for (const result of missing) if (!(await isStored(app, result))) lost.push(result);
  if (lost.length === 0) throw new AppError('result_not_lost');
  const returned = await app.db.$transaction(async (tx) => {
    await lockBalance(tx, accountId);
    // The account may have been merged into another one meanwhile.
    const { kind } = await getOwnGeneration(tx, { accountId, kinds: GENERATION_KINDS, id: generationId });
    const resultIds = lost.map(({ id }) => id);
    const repaid = await listRepaid(tx, resultIds);
    const paid = await findPaid(tx, generationId);
    for (const resultId of resultIds.filter((id) => !repaid.includes(id))) {
      const share = shareOf(paid.kind, paid.stars);
      await returnForLoss(tx, { resultId, accountId, generationId: paid.id, share });
    }
    await sendNudge(tx, { accountId, event: 'generation', id: generationId, kind });
    return listReturnedForLosses({ db: tx }, resultIds);
  });
  const stars = [...returned.values()].reduce((sum, one) => sum + one, 0);
  if (stars === 0) throw new AppError('loss_costs_nothing');
  app.log.warn({ action: 'lost_stars_returned', accountId, generationId, stars }, 'stars of lost results returned');
  return stars;
}

/**
 * An empty disk in the place of ours has lost every file. Then none of them is, and the disk is in the wrong place.
 * Throws StorageFullError, StorageUnavailableError.
 */
async function assertRightStorage({ db, storage }: Sources, generationId: string): Promise<void> {
  await storage.check();
  const newest = { orderBy: { id: 'desc' }, take: SAMPLE_SIZE } as const;
  const others = await db.result.findMany({
    where: { generationId: { not: generationId }, deletedAt: null, lostAt: null },
    ...newest,
    select: { originalKey: true },
  });
  const photos = await db.photo.findMany({ ...newest, select: { masterKey: true } });
  const keys = [...others.map(({ originalKey }) => originalKey), ...photos.map(({ masterKey }) => masterKey)];
  for (const key of keys) if ((await storage.findSize(key)) !== null) return;
  if (keys.length > 0) throw new StorageUnavailableError(new Error('none of the newest files is in the storage'));
}

/** What was paid for the results of a generation. A free re-roll belongs to the price of the one that it makes again. */
async function findPaid(db: Pick<Tx, 'generation'>, id: string): Promise<Generation> {
  const generation = await db.generation.findUniqueOrThrow({ where: { id }, include: { rerollOf: true } });
  return generation.rerollOf ?? generation;
}

/** What the owners of lost results get or have got for them, by result id. Results with their files are left out. */
export async function describeLosses(
  { db }: { db: Tx | AppContext['db'] },
  results: readonly Pick<Result, 'id' | 'generationId' | 'lostAt'>[],
): Promise<Map<string, ResultLoss>> {
  const lost = results.filter(({ lostAt }) => lostAt !== null);
  if (lost.length === 0) return new Map();
  const resultIds = lost.map(({ id }) => id);
  const returned = await listReturnedForLosses({ db }, resultIds);
  const repaid = await listRepaid(db, resultIds);
  const losses = new Map<string, ResultLoss>();
  for (const { id, generationId } of lost) {
    const stars = returned.get(id);
    if (stars !== undefined) losses.set(id, { stars, isReturned: true });
    else {
      const paid = await findPaid(db, generationId);
      const left = repaid.includes(id) ? 0 : ((await listStarsSpent({ db }, [paid.id])).get(paid.id) ?? 0);
      losses.set(id, { stars: Math.max(0, Math.min(left, shareOf(paid.kind, paid.stars))), isReturned: false });
    }
  }
  return losses;
}

/** Which of these results were given back their price already, because of a complaint or a loss. */
export async function listRepaid(
  db: Pick<Tx, 'resultReport' | 'starEntry'>,
  resultIds: readonly string[],
): Promise<string[]> {
  const reports = await db.resultReport.findMany({
    where: { resultId: { in: [...resultIds] }, decision: 'stars_returned' },
    select: { resultId: true },
  });
  const losses = await listReturnedForLosses({ db }, resultIds);
  return [...reports.flatMap(({ resultId }) => resultId ?? []), ...losses.keys()];
}
