import { ACCOUNT_EVENTS_CHANNEL, type AccountEvent } from '#api/database/account-events.ts';
import { commitWithOutcomeCheck } from '#api/database/commit-with-outcome-check.ts';
import { type Db, findViolatedConstraint, type Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { isErasedKey } from '#api/services/core/erased-key.ts';
import { LIMITS } from '#api/services/core/limit-table.ts';
import { consumeLimit } from '#api/services/core/limits.ts';
import { acceptGuess } from '#api/services/products/article-guesses.ts';
import { holdStars, lockBalance } from '#api/services/stars/ledger.ts';
import { listRepaidPositions } from '#api/services/stars/returned-stars.ts';
import { type Generation, Prisma } from '#prisma/generated/client.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import type { InputRole } from '#shared/rules/tools.ts';
import { selectExpectedSeconds } from './expected-seconds.ts';

/** A start that the line of an account makes, and not a person. */
export interface BatchedStart {
  batchId: string;
  rowId: string;
  /**
   * Runs in the transaction of the start, which has locked the account and written the generation. What it throws undoes
   * the start.
   */
  take: (tx: Tx, generationId: string) => Promise<void>;
}

export interface NewGeneration {
  /** Its id, from createRowId. */
  id: string;
  accountId: number;
  kind: GenerationKind;
  /** The photos that it is made from, in order. */
  inputs: readonly { role: InputRole; photoId: string }[];
  /** Whether the first photo suggests an article, which the start accepts. Other starts are spared the look. */
  hasGuess: boolean;
  settings: Prisma.InputJsonObject;
  /** Price, in stars. 0 for a re-roll, which gets no ledger row. */
  stars: number;
  /** The generation whose outputs at these positions it makes again. Null for an ordinary one. */
  reroll: { ofId: string; positions: number[] } | null;
  idempotencyKey: string | null;
  requestHash: Uint8Array<ArrayBuffer>;
  engine: string;
  /** Undefined when a person starts it: one of each kind at a time. */
  row?: BatchedStart | undefined;
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
  | { state: 'active_generation'; activeId: string }
  | { state: 'not_enough_stars' };

const PHOTO_CONSTRAINT = 'generation_inputs_photo_id_fkey';

/**
 * Counts the start, writes the generation with its inputs, holds the stars, sends the job and tells the owner's other
 * pages, all or nothing. What is refused for another generation or too few stars is returned and not thrown, so that
 * the attempt stays counted. Throws AppError too_many_requests, photo_not_found, reroll_not_offered, and unauthorized
 * when the account was merged or erased since the request began.
 */
export async function insertGeneration(
  app: Pick<AppContext, 'db' | 'queue'> & { config: Pick<AppContext['config'], 'sessionSecret'> },
  generation: NewGeneration,
): Promise<InsertOutcome> {
  const { id, accountId, kind, stars, reroll } = generation;
  const insert = async (tx: Tx): Promise<InsertOutcome> => {
    // Other starts and settlements of the account wait here, so what is read below stays true until the end.
    const balance = await lockStarter(tx, accountId);
    const { repeated, active } = await findEarlier(tx, generation);
    if (repeated) return { state: 'repeated', generation: repeated };
    await consumeLimit({ db: tx, config: app.config }, LIMITS.start, `${reroll ? 'reroll' : kind}:${accountId}`);
    if (active && !generation.row) return { state: 'active_generation', activeId: active.id };
    if (reroll) await assertNotRepaid(tx, reroll);
    if (balance < stars) return { state: 'not_enough_stars' };
    const [subject] = generation.inputs;
    if (generation.hasGuess && subject) await acceptGuess(tx, accountId, subject.photoId);
    await insertRows(tx, generation);
    await generation.row?.take(tx, id);
    await holdStars(tx, { id, accountId, stars });
    await app.queue.send(tx, generation.job, { generationId: id }, { priority: generation.priority });
    return { state: 'inserted' };
  };
  try {
    return await commitWithOutcomeCheck(
      app.db,
      insert,
      async ({ state }) => state !== 'inserted' || isInserted(app.db, generation),
    );
  } catch (error) {
    // Its owner has deleted the photo since it was read.
    if (findViolatedConstraint(error) === PHOTO_CONSTRAINT) throw new AppError('photo_not_found');
    throw error;
  }
}

/** What tells a repeat of a request. */
export type RequestIdentity = Pick<NewGeneration, 'accountId' | 'kind' | 'idempotencyKey' | 'reroll'>;

/**
 * Matches, in the table `generations`, the one that the same request has started. A re-roll is started once, whatever
 * the key. One that has failed or was cancelled has made nothing and may be repeated.
 */
export function matchRepeated({ accountId, kind, idempotencyKey, reroll }: RequestIdentity): Prisma.Sql {
  return reroll
    ? Prisma.sql`generations.reroll_of_id = ${reroll.ofId}::uuid and generations.status <> 'failed'`
    : Prisma.sql`generations.account_id = ${accountId} and generations.kind = ${kind}::generation_kind
        and generations.idempotency_key = ${idempotencyKey}`;
}

/** The generation that the same request has started, and the active one of the account and the kind that a person started. */
async function findEarlier(
  tx: Tx,
  identity: RequestIdentity,
): Promise<{ repeated: RepeatedGeneration | undefined; active: { id: string } | undefined }> {
  const isRepeated = matchRepeated(identity);
  const earlier = await tx.$queryRaw<(RepeatedGeneration & { isRepeated: boolean | null })[]>`
    select id, request_hash as "requestHash", ${isRepeated} as "isRepeated" from generations
    where (${isRepeated}) or (account_id = ${identity.accountId} and kind = ${identity.kind}::generation_kind
      and status in ('pending', 'processing', 'generating') and batch_id is null)`;
  return {
    repeated: earlier.find((generation) => generation.isRepeated),
    active: earlier.find((generation) => !generation.isRepeated),
  };
}

/**
 * Locks the account and returns its balance. Throws unauthorized when it was merged or erased: its other rows have moved
 * or are gone, and nobody would see this one. A re-roll needs no stars that would be missing.
 */
async function lockStarter(tx: Tx, accountId: number): Promise<number> {
  const [{ balance, emailKey, mergedIntoId }] = await tx.$queryRaw<
    [{ balance: number; emailKey: string | null; mergedIntoId: number | null }]
  >`
    select star_balance as balance, email_key as "emailKey", merged_into_id as "mergedIntoId"
    from accounts where id = ${accountId} for no key update`;
  if (mergedIntoId !== null || isErasedKey(emailKey)) throw new AppError('unauthorized');
  return balance;
}

/** Writes the generation with its inputs, and tells the owner's pages. */
async function insertRows(
  tx: Tx,
  { id, accountId, kind, inputs, settings, stars, reroll, idempotencyKey, requestHash, engine, row }: NewGeneration,
): Promise<void> {
  const estimate = selectExpectedSeconds({ kind, engine, settings });
  const inputRows = inputs.map(
    ({ role, photoId }, position) => Prisma.sql`(${id}::uuid, ${position}::int, ${role}::input_role, ${photoId}::uuid)`,
  );
  const event: AccountEvent = { accountId, event: 'generation', id, kind, batchId: row?.batchId };
  await tx.$executeRaw`
    with generation as (
      insert into generations (id, account_id, kind, product_id, settings, stars, reroll_of_id, positions, batch_id,
                               batch_row_id, idempotency_key, request_hash, engine, expected_seconds, created_at)
      values (${id}::uuid, ${accountId}, ${kind}::generation_kind,
              (select product_id from photos where id = ${inputs[0]?.photoId ?? null}::uuid), ${JSON.stringify(settings)}::jsonb, ${stars},
              ${reroll?.ofId ?? null}::uuid, ${reroll?.positions ?? []}::int[], ${row?.batchId ?? null}::uuid,
              ${row?.rowId ?? null}::uuid, ${idempotencyKey}, ${requestHash},
              ${engine}, ${estimate}, ${new Date()})
    ), inputs as (
      insert into generation_inputs (generation_id, position, role, photo_id) values ${Prisma.join(inputRows)}
    )
    select pg_notify(${ACCOUNT_EVENTS_CHANNEL}, ${JSON.stringify(event)})`;
}

/** Whether the transaction of a start was committed. Waits for the account, which it locks until it has ended. */
async function isInserted(db: Db, { id, accountId }: NewGeneration): Promise<boolean> {
  return db.$transaction(async (tx) => {
    await lockBalance(tx, accountId);
    return (await tx.generation.count({ where: { id } })) > 0;
  });
}

/**
 * Throws reroll_not_offered when the price of one of the outputs has come back: a complaint ends in one of the two.
 * Complaints lock the balance, too, so whoever comes second sees the first.
 */
async function assertNotRepaid(tx: Tx, { ofId, positions }: NonNullable<NewGeneration['reroll']>): Promise<void> {
  const repaid = await listRepaidPositions({ db: tx }, ofId);
  if (positions.some((position) => repaid.has(position))) throw new AppError('reroll_not_offered');
}
