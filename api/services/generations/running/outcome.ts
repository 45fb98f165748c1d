import { sendAccountEvent } from '#api/database/account-events.ts';
import type { Tx } from '#api/database/database.ts';
import { readDatabaseTime } from '#api/database/database-time.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { wakeLine } from '#api/services/core/wake-line.ts';
import { noteOverdue, passTrialOn } from '#api/services/generations/engine-health/engine-outages.ts';
import { findReroll } from '#api/services/generations/results/find-generation.ts';
import { announceDrift, orderChecks } from '#api/services/generations/results/garment-checks.ts';
import { listPositions } from '#api/services/generations/results/outputs.ts';
import type { NewResult } from '#api/services/generations/results/result-files.ts';
import { nameNewResults } from '#api/services/generations/results/result-names.ts';
import { copyOrigin } from '#api/services/generations/results/result-origins.ts';
import { announceEnd } from '#api/services/notices/notices.ts';
import { captureHold, lockBalance, releaseHold } from '#api/services/stars/ledger.ts';
import { listRepaidPositions } from '#api/services/stars/returned-stars.ts';
import type { Generation } from '#prisma/generated/client.ts';
import {
  ACTIVE_STATUSES,
  GENERATION_TIMEOUT_MS,
  type GenerationFailureCode,
} from '#shared/rules/generation-lifecycle.ts';
import { refundOf } from '#shared/rules/tools.ts';

type HeldGeneration = Pick<Generation, 'id' | 'accountId' | 'kind' | 'stars'>;
/** A generation whose end is measured. */
type TimedGeneration = HeldGeneration & Pick<Generation, 'engine' | 'createdAt'>;
/** What the end of a generation needs besides its transaction. */
export type EndSources = Pick<AppContext, 'engines' | 'garmentChecker' | 'queue' | 'telegram'>;
type CompletionOutcome = 'completed' | 'completed_free_of_charge' | 'discarded';
/** `failed`: nothing was made. `completed`: the finished frames are the result. */
type EndOutcome = 'failed' | 'completed' | 'had_ended';

/**
 * Books results while others of the same generation are still being made. Returns false when the generation has ended.
 */
export function addResults(
  app: EndSources & WithDb,
  generation: HeldGeneration,
  results: NewResult[],
): Promise<boolean> {
  return app.db.$transaction(async (tx) => {
    const owned = await lockOwner(tx, generation);
    // Locks the row, so that an end of the generation waits and then counts these results.
    const active = await tx.generation.updateMany({
      where: { id: generation.id, status: { in: [...ACTIVE_STATUSES] } },
      data: { status: 'generating' },
    });
    if (active.count === 0) return false;
    await insertResults(app, tx, owned, results);
    await sendEventToOwner(tx, owned);
    return true;
  });
}

/**
 * Marks a generation as completed, books its results and captures its hold in one transaction. For a photo session with
 * few frames a part of the hold is returned. A result after the watchdog's timeout is kept free of charge. A result
 * after a cancellation is discarded, and so is that of a re-roll that timed out and was started again or repaid.
 */
export async function completeGeneration(
  app: EndSources & Pick<AppContext, 'db' | 'metrics'>,
  known: TimedGeneration,
  results: NewResult[],
): Promise<CompletionOutcome> {
  const outcome = await bookCompletion(app, known, results);
  if (outcome !== 'discarded') measureEnd(app, known, outcome);
  return outcome;
}

function bookCompletion(
  app: EndSources & WithDb,
  known: HeldGeneration,
  results: NewResult[],
): Promise<CompletionOutcome> {
  return app.db.$transaction(async (tx) => {
    const generation = await lockOwner(tx, known);
    const completed = {
      status: 'completed',
      finishedAt: new Date(),
      progressShare: 1,
      failureCode: null,
      ...(isOfBatch(generation) ? { seenAt: new Date() } : {}),
    } as const;
    const inTime = await tx.generation.updateMany({
      where: { id: generation.id, status: { in: [...ACTIVE_STATUSES] } },
      data: completed,
    });
    if (inTime.count === 0) {
      if (await wasReplaced(tx, generation)) return 'discarded';
      const late = await tx.generation.updateMany({
        where: { id: generation.id, status: 'failed', failureCode: 'timed_out' satisfies GenerationFailureCode },
        data: completed,
      });
      if (late.count === 0) return 'discarded';
    }
    await insertResults(app, tx, generation, results);
    await announceToOwner(app, tx, generation);
    if (!isOfBatch(generation)) await announceDrift(app, tx, generation);
    await wakeLine(app, tx, generation.accountId);
    const made = await noteMade(tx, generation);
    if (inTime.count === 0) return 'completed_free_of_charge';
    await captureHold(tx, generation, refundOf(generation.kind, made));
    return 'completed';
  });
}

/**
 * Ends an active generation that will have no more results, in one transaction. With no result it fails, and its stars
 * are returned. Finished frames of a photo session stay and are paid as a session of that many frames.
 */
export async function endGeneration(
  app: EndSources & Pick<AppContext, 'db' | 'metrics'>,
  generation: TimedGeneration,
  failureCode: GenerationFailureCode,
): Promise<EndOutcome> {
  const outcome = await app.db.$transaction((tx) => endGenerationWithin(app, tx, generation, failureCode));
  if (outcome !== 'had_ended') measureEnd(app, generation, outcome === 'failed' ? failureCode : outcome);
  return outcome;
}

/** After the transaction, so that an end that was rolled back is not counted. */
function measureEnd(
  { metrics }: Pick<AppContext, 'metrics'>,
  { engine, kind, createdAt }: TimedGeneration,
  outcome: CompletionOutcome | GenerationFailureCode,
): void {
  metrics.generationSeconds.record((Date.now() - createdAt.getTime()) / 1000, { engine, kind, outcome });
}

/** Ends a generation inside the caller's transaction. */
export async function endGenerationWithin(
  app: EndSources,
  tx: Tx,
  known: HeldGeneration,
  failureCode: GenerationFailureCode,
): Promise<EndOutcome> {
  const isOwnWish = failureCode === 'cancelled';
  const generation = await lockOwner(tx, known);
  const ended = await tx.generation.updateMany({
    where: { id: generation.id, status: { in: [...ACTIVE_STATUSES] } },
    // A person who cancels has seen the end.
    data: {
      status: 'failed',
      finishedAt: new Date(),
      failureCode,
      seenAt: isOwnWish || isOfBatch(generation) ? new Date() : null,
    },
  });
  if (ended.count === 0) return 'had_ended';
  await passTrialOn(tx, generation);
  await wakeLine(app, tx, generation.accountId);
  if (isOwnWish) await sendEventToOwner(tx, generation);
  else await announceToOwner(app, tx, generation);
  const made = await noteMade(tx, generation);
  if (made === 0) {
    await releaseHold(tx, generation);
    return 'failed';
  }
  await tx.generation.update({ where: { id: generation.id }, data: { status: 'completed', failureCode: null } });
  if (!isOfBatch(generation)) await announceDrift(app, tx, generation);
  await captureHold(tx, generation, refundOf(generation.kind, made));
  return 'completed';
}

/**
 * Locks the account of a generation, with the balance that holds its stars and the names of its results. The account
 * may have been merged into another one since the generation was read. A merge locks both accounts, so it has either
 * finished or not begun.
 */
async function lockOwner(tx: Tx, known: HeldGeneration): Promise<Generation> {
  await lockBalance(tx, known.accountId);
  const generation = await readOwner(tx, known);
  if (generation.accountId !== known.accountId) await lockBalance(tx, generation.accountId);
  return generation;
}

/** Whether a re-roll that timed out was started again, of which only one is free, or stars came back in its place. */
async function wasReplaced(
  tx: Tx,
  { rerollOfId, positions }: Pick<Generation, 'rerollOfId' | 'positions'>,
): Promise<boolean> {
  if (rerollOfId === null) return false;
  if ((await findReroll(tx, rerollOfId)) !== null) return true;
  const repaid = await listRepaidPositions({ db: tx }, rerollOfId);
  return positions.some((position) => repaid.has(position));
}

async function readOwner(tx: Tx, known: HeldGeneration): Promise<Generation> {
  return tx.generation.findUniqueOrThrow({ where: { id: known.id } });
}

/** Notifies the owner on every channel and makes the open pages reload. */
async function announceToOwner(
  app: Pick<AppContext, 'queue' | 'telegram'>,
  tx: Tx,
  generation: Generation,
): Promise<void> {
  if (!isOfBatch(generation)) await announceEnd(app, tx, generation);
  await sendEventToOwner(tx, generation);
}

/** The end of a batch is announced and not the end of each row, which counts as seen on the page of the batch. */
function isOfBatch({ batchId }: Pick<Generation, 'batchId'>): boolean {
  return batchId !== null;
}

function sendEventToOwner(tx: Tx, { id, accountId, kind, batchId }: Generation): Promise<void> {
  return sendAccountEvent(tx, { accountId, event: 'generation', id, kind, batchId: batchId ?? undefined });
}

async function insertResults(app: EndSources, tx: Tx, generation: Generation, results: NewResult[]): Promise<void> {
  const { id: generationId, accountId, kind } = generation;
  if (results.length === 0) return;
  const origin = { ...copyOrigin(generation), ...(await nameNewResults(tx, generation)) };
  const inserted = await tx.result.createManyAndReturn({
    data: results.map((result) => ({ ...result, ...origin, generationId, accountId, kind })),
    // An earlier run may have booked this result before it was killed.
    skipDuplicates: true,
    select: { id: true },
  });
  await orderChecks(
    app,
    tx,
    generation,
    inserted.map(({ id }) => id),
  );
}

/** Returns the number of outputs that were made, and writes down which are missing. */
async function noteMade(tx: Tx, generation: Generation): Promise<number> {
  const { id } = generation;
  const results = await tx.result.findMany({ where: { generationId: id }, select: { position: true } });
  const made = new Set(results.map(({ position }) => position));
  const missedPositions = listPositions(generation).filter((position) => !made.has(position));
  if (made.size > 0 && missedPositions.length > 0) {
    await tx.generation.update({ where: { id }, data: { missedPositions } });
  }
  return made.size;
}

/**
 * Ends every generation that is older than 30 minutes and returns its stars. A late result is kept nevertheless. The
 * database's clock counts, which has also set the age: one that jumps here must not end what has just begun.
 */
export async function failOverdueGenerations(app: AppContext): Promise<void> {
  const now = await readDatabaseTime(app.db);
  const overdue = await app.db.generation.findMany({
    where: { status: { in: [...ACTIVE_STATUSES] }, createdAt: { lt: new Date(now.getTime() - GENERATION_TIMEOUT_MS) } },
  });
  for (const generation of overdue) {
    const log = app.log.child({ generationId: generation.id });
    try {
      const outcome = await endGeneration(app, generation, 'timed_out');
      if (outcome !== 'had_ended') {
        log.error({ action: 'generation_failed', code: 'timed_out', outcome }, 'generation timed out');
        const engine = app.engines.find(generation.engine);
        if (engine) await noteOverdue(app, engine, generation.kind);
      }
    } catch (error) {
      // Does not hold up the others. The watchdog tries again in a minute.
      log.warn({ err: error }, 'an overdue generation could not be ended');
    }
  }
}
