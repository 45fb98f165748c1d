import type { Readable } from 'node:stream';
import { ObjectNotFoundError } from '#api/adapters/storage/object-storage.ts';
import { sendAccountEvent } from '#api/database/account-events.ts';
import type { Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { Semaphore } from '#api/platform/semaphore.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { assertHoldsOurFiles } from '#api/services/core/storage-sample.ts';
import { lockBalance, returnForLoss } from '#api/services/stars/ledger.ts';
import { listRepaid, listStarsSpent, nameOutput } from '#api/services/stars/returned-stars.ts';
import type { Generation, Result } from '#prisma/generated/client.ts';
import type { ResultLoss } from '#shared/contract/generation-outcomes.ts';
import { GENERATION_KINDS, isFinal } from '#shared/rules/generation-lifecycle.ts';
import { shareOf } from '#shared/rules/tools.ts';
import { getOwnGeneration } from './find-generation.ts';
import { remakePreviews } from './previews.ts';
import { listRerolledPositions } from './rerolls.ts';
import { openResultFile, recordedBytes, watermarkedThumbnailKey } from './result-files.ts';

/** Lost results that one run of the clean-up looks for. */
const REVIEWED_AT_ONCE = 5_000;
const LOOKUPS_AT_ONCE = 8;

type Sources = Pick<AppContext, 'db' | 'log' | 'state' | 'storage'>;
type StoredOriginal = Pick<Result, 'id' | 'generationId' | 'originalKey' | 'bytes' | 'lostAt'>;

/**
 * Does something with the files of a result. When its original is missing, it is written down that the result is lost,
 * and when it is back, that it is not. A missing copy with the logo is forgotten, a missing preview is made again, and
 * `use` runs again. Throws AppError result_lost, file_lost, and what `use` throws.
 */
export async function withResultFiles<R extends Result, T>(
  app: AppContext,
  result: R,
  use: (result: R) => Promise<T>,
): Promise<T> {
  if (result.lostAt) await reviewResult(app, result);
  const missing = new Set<string>();
  for (let known = result; ; ) {
    try {
      return await use(known);
    } catch (error) {
      if (!(error instanceof ObjectNotFoundError)) throw error;
      if (await reviewResult(app, known)) throw new AppError('result_lost');
      if (missing.has(error.key)) throw new AppError('file_lost');
      missing.add(error.key);
      const isPreview = error.key === known.posterKey || error.key === known.thumbnailKey;
      if (isPreview) await remakePreviews(app, known);
      else await forgetCopy(app, known, error.key);
      const stored = await app.db.result.findUnique({ where: { id: known.id } });
      if (!stored) throw new AppError('file_lost');
      known = { ...known, ...stored };
    }
  }
}

/** Forgets the copy with the logo that has this key and is missing or broken, unless another call has made it anew. */
async function forgetCopy({ db, storage }: Sources, result: Result, key: string): Promise<void> {
  const stored = await storage.findSize(key);
  if (stored !== null && stored === (recordedBytes(result, key) ?? stored)) return;
  const { id } = result;
  if (key === result.watermarkedKey) {
    const data = { watermarkedKey: null, watermarkedBytes: null };
    await db.result.updateMany({ where: { id, watermarkedKey: key }, data });
  } else if (key === result.watermarkedPosterKey) {
    const data = { watermarkedPosterKey: null, watermarkedPosterBytes: null };
    await db.result.updateMany({ where: { id, watermarkedPosterKey: key }, data });
  } else if (key === watermarkedThumbnailKey(result.thumbnailKey)) {
    await db.result.updateMany({ where: { id }, data: { watermarkedThumbnailBytes: null } });
  }
}

/**
 * Throws AppError result_lost when it was written down that the result is lost, and its file has not come back. Looks
 * for no other files. Throws StorageUnavailableError.
 */
export async function assertNotKnownLost(app: Sources, result: StoredOriginal): Promise<void> {
  if (result.lostAt && (await reviewResult(app, result))) throw new AppError('result_lost');
}

/** Opens the original of a result. Throws AppError result_lost when it is missing or broken. */
export function openOriginal(app: AppContext, result: Result): Promise<Readable> {
  return withResultFiles(app, result, (known) => openResultFile(app, known, known.originalKey));
}

/**
 * Looks for the original of a result and writes down whether it is lost: missing, or of another size than the one that
 * was stored. Returns whether it is lost. Writes no loss down while most of a sample of files is missing. Throws
 * StorageUnavailableError.
 */
export async function reviewResult(app: Sources, result: StoredOriginal): Promise<boolean> {
  const isLost = !(await isStored(app, result));
  if (isLost === (result.lostAt !== null)) return isLost;
  if (isLost) {
    await assertHoldsOurFiles(app);
    // The storage may have come back in between.
    if (await isStored(app, result)) return false;
  }
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

/**
 * Looks for the files of lost results again, so that those whose files are back are shown again. A run looks for some
 * of them, chosen at random, so each gets its turn. Throws StorageUnavailableError.
 */
export async function reviewLostResults(app: Sources): Promise<void> {
  const lost = await app.db.$queryRaw<StoredOriginal[]>`
    select id, generation_id as "generationId", original_key as "originalKey", bytes, lost_at as "lostAt"
    from results where lost_at is not null order by random() limit ${REVIEWED_AT_ONCE}`;
  await reviewResults(app, lost);
}

/** Reviews several at a time. Returns in their order whether they are lost. */
export function reviewResults(app: Sources, results: readonly StoredOriginal[]): Promise<boolean[]> {
  const lookups = new Semaphore({ permits: LOOKUPS_AT_ONCE, maxWaiting: Number.POSITIVE_INFINITY });
  return Promise.all(results.map((result) => lookups.run(() => reviewResult(app, result))));
}

async function isStored(
  { storage }: Pick<AppContext, 'storage'>,
  { originalKey, bytes }: StoredOriginal,
): Promise<boolean> {
  return (await storage.findSize(originalKey)) === bytes;
}

/**
 * Returns the stars of all lost results of a generation, each once: its share of the price, and never more than the
 * generation has cost. Before that it looks for the files twice, and returns nothing while most of a sample of files
 * is missing. Returns all stars that have ever come back for them. Throws generation_not_found, generation_forbidden,
 * result_not_lost, loss_generation_runs, loss_costs_nothing, StorageUnavailableError.
 */
export async function returnLostStars(app: Sources, accountId: number, generationId: string): Promise<number> {
  const { results } = await getOwnGeneration(app.db, { accountId, kinds: GENERATION_KINDS, id: generationId });
  const reviewed = await reviewResults(app, results);
  const missing = results.filter((_, index) => reviewed[index]);
  if (missing.length > 0) await assertHoldsOurFiles(app);
  const lost: Result[] = [];
  for (const result of missing) if (!(await isStored(app, result))) lost.push(result);
  if (lost.length === 0) throw new AppError('result_not_lost');
  const { stars, moved } = await app.db.$transaction(async (tx) => {
    await lockBalance(tx, accountId);
    // The account may have been merged into another one meanwhile, or a result deleted.
    const generation = await getOwnGeneration(tx, { accountId, kinds: GENERATION_KINDS, id: generationId });
    // Its end may still return a part of the price.
    if (!isFinal(generation.status)) throw new AppError('loss_generation_runs');
    const positions = generation.results.flatMap(({ id, position }) =>
      lost.some((one) => one.id === id) ? [{ resultId: id, position }] : [],
    );
    if (positions.length === 0) throw new AppError('result_not_lost');
    const paid = (await listPaid(tx, [generationId])).get(generationId) ?? generation;
    const rerolled = (await listRerolledPositions(tx, [generationId])).get(generationId);
    let moved = 0;
    for (const output of positions) {
      if (rerolled?.has(output.position)) continue;
      const share = shareOf(paid.kind, paid.stars);
      moved += await returnForLoss(tx, { ...output, accountId, generationId: paid.id, share });
    }
    await sendAccountEvent(tx, { accountId, event: 'generation', id: generationId, kind: generation.kind });
    const repaid = await listRepaid({ db: tx }, [paid.id]);
    const stars = positions
      .map(({ position }) => repaid.get(nameOutput({ generationId: paid.id, position })))
      .reduce((sum, one) => sum + (one?.isForLoss ? one.stars : 0), 0);
    return { stars, moved };
  });
  if (stars === 0) throw new AppError('loss_costs_nothing');
  // A repeat gets the same answer but moves nothing, and the log counts the stars that moved.
  if (moved > 0) {
    const facts = { action: 'lost_stars_returned', accountId, generationId, stars: moved };
    app.log.warn(facts, 'stars of lost results returned');
  }
  return stars;
}

/** What was paid for results, by generation id. A free re-roll belongs to the price of the one that it makes again. */
async function listPaid(db: Pick<Tx, 'generation'>, ids: readonly string[]): Promise<Map<string, Generation>> {
  const generations = await db.generation.findMany({ where: { id: { in: [...ids] } }, include: { rerollOf: true } });
  return new Map(generations.map((generation) => [generation.id, generation.rerollOf ?? generation]));
}

/**
 * What the owners of lost results get or have got for them, by result id. Results with their files are left out. Four
 * statements for any number of lost results, none without them.
 */
export async function describeLosses(
  { db }: { db: Tx | AppContext['db'] },
  results: readonly Pick<Result, 'id' | 'generationId' | 'position' | 'lostAt'>[],
): Promise<Map<string, ResultLoss>> {
  const lost = results.filter(({ lostAt }) => lostAt !== null);
  if (lost.length === 0) return new Map();
  const generationIds = lost.map(({ generationId }) => generationId);
  const paidFor = await listPaid(db, generationIds);
  const paidIds = [...paidFor.values()].map(({ id }) => id);
  const repaid = await listRepaid({ db }, paidIds);
  const rerolled = await listRerolledPositions(db, generationIds);
  const spent = await listStarsSpent({ db }, paidIds);
  const losses = new Map<string, ResultLoss>();
  // Several lost frames of a session share what it has cost.
  const left = new Map(spent);
  for (const { id, generationId, position } of lost) {
    const paid = paidFor.get(generationId);
    if (!paid) continue;
    const repayment = repaid.get(nameOutput({ generationId: paid.id, position }));
    const isReplaced = repayment !== undefined || rerolled.get(generationId)?.has(position);
    const unpaid = isReplaced ? 0 : Math.max(0, Math.min(left.get(paid.id) ?? 0, shareOf(paid.kind, paid.stars)));
    left.set(paid.id, (left.get(paid.id) ?? 0) - unpaid);
    losses.set(id, {
      stars: repayment?.isForLoss ? repayment.stars : unpaid,
      isReturned: repayment?.isForLoss ?? false,
    });
  }
  return losses;
}

/** The part of a result's view that says that its file is lost. Empty while the file is there. */
export function presentLoss(
  losses: ReadonlyMap<string, ResultLoss>,
  { id }: Pick<Result, 'id'>,
): { loss?: ResultLoss } {
  const loss = losses.get(id);
  return loss ? { loss } : {};
}
