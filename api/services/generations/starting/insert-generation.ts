import { sendAccountEvent } from '#api/database/account-events.ts';
import { commitWithOutcomeCheck } from '#api/database/commit-with-outcome-check.ts';
import { findViolatedConstraint, type Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { LIMITS } from '#api/services/core/limit-table.ts';
import { consumeLimit } from '#api/services/core/limits.ts';
import { holdStars, lockBalance } from '#api/services/stars/ledger.ts';
import { listRepaidPositions } from '#api/services/stars/returned-stars.ts';
import type { Generation, Prisma } from '#prisma/generated/client.ts';
import { ACTIVE_STATUSES, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import type { InputRole } from '#shared/rules/tools.ts';
import { findExpectedSeconds } from './expected-seconds.ts';

export interface NewGeneration {
  /** Its id, from createRowId. */
  id: string;
  accountId: number;
  kind: GenerationKind;
  /** The photos that it is made from, in order. */
  inputs: readonly { role: InputRole; photoId: string }[];
  settings: Prisma.InputJsonObject;
  /** Price, in stars. 0 for a re-roll, which gets no ledger row. */
  stars: number;
  /** The generation whose outputs at these positions it makes again. Null for an ordinary one. */
  reroll: { ofId: string; positions: number[] } | null;
  idempotencyKey: string | null;
  requestHash: Uint8Array<ArrayBuffer>;
  engine: string;
  /** The job that makes it. */
  job: 'run-generation' | 'follow-generation';
  /** Priority of the job. Higher runs earlier. */
  priority: number;
}

export type RepeatedGeneration = Pick<Generation, 'id' | 'requestHash'>;

export type InsertOutcome =
  | { state: 'inserted' }
  /** The same request has started this one before. */
  | { state: 'repeated'; generation: RepeatedGeneration }
  | { state: 'not_enough_stars' };

const PHOTO_CONSTRAINT = 'generation_inputs_photo_id_fkey';

/**
 * Counts the start, writes the generation with its inputs, holds the stars, sends the job and tells the owner's other
 * pages, all or nothing. Throws AppError too_many_requests, active_generation (with the id of the running one),
 * photo_not_found, reroll_not_offered.
 */
export async function insertGeneration(
  app: Pick<AppContext, 'db' | 'queue'> & { config: Pick<AppContext['config'], 'sessionSecret'> },
  generation: NewGeneration,
): Promise<InsertOutcome> {
  const { id, accountId, kind, inputs, settings, stars, reroll, idempotencyKey, requestHash, engine } = generation;
  const expectedSeconds = await findExpectedSeconds(app.db, generation);
  const insert = async (tx: Tx): Promise<InsertOutcome> => {
    // Other starts and settlements of the account wait here, so what is read below stays true until the end.
    const balance = await lockBalance(tx, accountId);
    const repeated = await findRepeated({ db: tx }, generation);
    if (repeated) return { state: 'repeated', generation: repeated };
    await consumeLimit({ db: tx, config: app.config }, LIMITS.start, `${reroll ? 'reroll' : kind}:${accountId}`);
    await assertNoActiveGeneration(tx, { accountId, kind });
    if (reroll) await assertNotRepaid(tx, reroll);
    // Returned and not thrown, so that the attempt stays counted.
    if (balance < stars) return { state: 'not_enough_stars' };
    await tx.generation.create({
      data: {
        ...{ id, accountId, kind, settings, stars, idempotencyKey, requestHash, engine, expectedSeconds },
        rerollOfId: reroll?.ofId ?? null,
        positions: reroll?.positions ?? [],
      },
      select: { id: true },
    });
    await tx.generationInput.createMany({
      data: inputs.map((input, position) => ({ ...input, position, generationId: id })),
    });
    await holdStars(tx, { id, accountId, stars });
    await app.queue.send(tx, generation.job, { generationId: id }, { priority: generation.priority });
    await sendAccountEvent(tx, { accountId, event: 'generation', id, kind });
    return { state: 'inserted' };
  };
  try {
    return await commitWithOutcomeCheck(app.db, insert);
  } catch (error) {
    // Its owner has deleted the photo since it was read.
    if (findViolatedConstraint(error) === PHOTO_CONSTRAINT) throw new AppError('photo_not_found');
    throw error;
  }
}

/**
 * A generation that the same request has started. A re-roll is started once, whatever the key. One that has failed or
 * was cancelled has made nothing and may be repeated.
 */
export async function findRepeated(
  { db }: { db: Pick<Tx, 'generation'> },
  { accountId, kind, idempotencyKey, reroll }: Pick<NewGeneration, 'accountId' | 'kind' | 'idempotencyKey' | 'reroll'>,
): Promise<RepeatedGeneration | null> {
  const select = { id: true, requestHash: true } as const;
  if (reroll) {
    return db.generation.findFirst({ where: { rerollOfId: reroll.ofId, status: { not: 'failed' } }, select });
  }
  if (idempotencyKey === null) return null;
  return db.generation.findUnique({
    where: { accountId_kind_idempotencyKey: { accountId, kind, idempotencyKey } },
    select,
  });
}

/** Throws active_generation while another generation of the kind is active. */
export async function assertNoActiveGeneration(
  db: Pick<Tx, 'generation'>,
  { accountId, kind }: Pick<NewGeneration, 'accountId' | 'kind'>,
): Promise<void> {
  const active = await db.generation.findFirst({
    where: { accountId, kind, status: { in: [...ACTIVE_STATUSES] } },
    select: { id: true },
  });
  if (active) throw new AppError('active_generation', { generationId: active.id });
}

/**
 * Throws reroll_not_offered when the price of one of the outputs has come back: a complaint ends in one of the two.
 * Complaints lock the balance, too, so whoever comes second sees the first.
 */
async function assertNotRepaid(tx: Tx, { ofId, positions }: NonNullable<NewGeneration['reroll']>): Promise<void> {
  const repaid = await listRepaidPositions({ db: tx }, ofId);
  if (positions.some((position) => repaid.has(position))) throw new AppError('reroll_not_offered');
}
