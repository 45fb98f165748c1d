import { findViolatedConstraint } from '#api/db.ts';
import { AppError } from '#api/errors.ts';
import { NUDGE_CHANNEL } from '#api/nudges.ts';
import type { PreparedInsert } from '#api/queue.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { writeOnce } from '#api/services/ground/certain-writes.ts';
import type { Limit } from '#api/services/ground/limit-table.ts';
import { prepareConsume, refuseConsumed, toConsumeCte } from '#api/services/ground/limits.ts';
import { lockBalance } from '#api/services/stars/ledger.ts';
import { listRepaidPositions } from '#api/services/stars/returned-stars.ts';
import type { Prisma } from '#prisma/generated/client.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import type { InputRole } from '#shared/rules/tools.ts';
import { findExpectedSeconds } from './expected-seconds.ts';

export interface HeldGeneration {
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
  requestHash: Uint8Array;
  engine: string;
  /** The job that makes it. */
  job: 'run-generation' | 'follow-generation';
  /** Priority of the job. Higher runs earlier. */
  priority: number;
}

export type HoldOutcome =
  | { state: 'inserted'; generationId: string }
  | { state: 'not_enough_stars' }
  /** Another generation of the kind is active, the idempotency key is taken, or the re-roll was started before. */
  | { state: 'conflict' };

/** Starts of one tool by an account. At least 60 a minute are allowed. */
export const START_LIMIT: Limit = { name: 'start', max: 120, seconds: 60 };

const RIVAL_CONSTRAINTS = [
  'generations_one_active_key',
  'generations_account_id_kind_idempotency_key_key',
  'generations_one_reroll_key',
];

const PHOTO_CONSTRAINT = 'generation_inputs_photo_id_fkey';

/**
 * Counts the start, holds the stars, writes the generation with its inputs, ledger row and job, and nudges the owner's
 * other pages, all or nothing. It is one statement, because this is the busiest write of the service. The balance
 * cannot be overdrawn: the update waits for a concurrent one and then checks the balance again. A re-roll first waits
 * for decisions about stars of its account. Throws AppError too_many_requests, photo_not_found, reroll_not_offered.
 */
export async function holdAndInsertGeneration(
  app: Pick<AppContext, 'db' | 'queue'> & { config: Pick<AppContext['config'], 'sessionSecret'> },
  row: HeldGeneration,
): Promise<HoldOutcome> {
  const generationId = row.id;
  const job = await app.queue.prepareInsert(row.job, { generationId }, { priority: row.priority });
  const counted = `${row.reroll ? 'reroll' : row.kind}:${row.accountId}`;
  const expectedSeconds = await findExpectedSeconds(app.db, row);
  const statement = buildHoldStatement(row, job, prepareConsume(app, START_LIMIT, counted), expectedSeconds);
  const insert = async (): Promise<HoldOutcome> => {
    const [result] = await (row.reroll
      ? sendReroll(app, row.accountId, row.reroll, statement)
      : app.db.$queryRawUnsafe<HeldRow[]>(statement.text, ...statement.values));
    if (result?.sent === 1) return { state: 'inserted', generationId };
    return result?.counted === 1 ? { state: 'not_enough_stars' } : await refuseConsumed(app, START_LIMIT, counted);
  };
  const find = async (): Promise<HoldOutcome | null> => {
    const inserted = await app.db.generation.findUnique({ where: { id: generationId }, select: { id: true } });
    return inserted && { state: 'inserted', generationId };
  };
  try {
    return await writeOnce(insert, find);
  } catch (error) {
    const violated = findViolatedConstraint(error) ?? '';
    if (RIVAL_CONSTRAINTS.includes(violated)) return { state: 'conflict' };
    // Its owner has deleted the photo since it was read.
    if (violated === PHOTO_CONSTRAINT) throw new AppError('photo_not_found');
    throw error;
  }
}

/**
 * Sends the statement of a re-roll unless the price of one of its outputs has come back: a complaint ends in one of the
 * two. The lock makes whoever comes second see the first. Throws AppError reroll_not_offered.
 */
function sendReroll(
  { db }: Pick<AppContext, 'db'>,
  accountId: number,
  { ofId, positions }: NonNullable<HeldGeneration['reroll']>,
  { text, values }: Statement,
): Promise<HeldRow[]> {
  return db.$transaction(async (tx) => {
    await lockBalance(tx, accountId);
    const repaid = await listRepaidPositions({ db: tx }, ofId);
    if (positions.some((position) => repaid.has(position))) throw new AppError('reroll_not_offered');
    return tx.$queryRawUnsafe<HeldRow[]>(text, ...values);
  });
}

interface Statement {
  text: string;
  values: unknown[];
}

/** The answer of the statement. */
interface HeldRow {
  /** The number of jobs: 1, or 0 when there were too few stars or too many starts. */
  sent: number;
  /** 0 when there were too many starts. */
  counted: number;
}

/** The statement with its parameters. */
export function buildHoldStatement(
  row: HeldGeneration,
  job: PreparedInsert,
  count: ReturnType<typeof prepareConsume>,
  expectedSeconds: number | null,
): Statement {
  const text = `
    WITH ${toConsumeCte(15)}, held AS (
      UPDATE accounts SET star_balance = star_balance - $2::int
      WHERE id = $1::int AND star_balance >= $2::int AND EXISTS (SELECT FROM counted)
      RETURNING id
    ), inserted AS (
      INSERT INTO generations (id, account_id, kind, settings, stars, idempotency_key, request_hash, engine,
        expected_seconds, reroll_of_id, positions)
      SELECT $3::uuid, held.id, $4::generation_kind, $6::jsonb, $2::int, $7::text, $8::bytea, $9::text,
        $14::int, $12::uuid, $13::int[] FROM held
      RETURNING id, account_id, kind
    ), supplied AS (
      INSERT INTO generation_inputs (generation_id, position, role, photo_id)
      SELECT inserted.id, input.position, input.role, input.photo_id
      FROM inserted, jsonb_to_recordset($5::jsonb) AS input (position int, role input_role, photo_id uuid)
    ), entered AS (
      INSERT INTO star_entries (account_id, kind, delta, cause_key, generation_id)
      SELECT account_id, 'hold', -$2::int, 'hold:' || id, id FROM inserted WHERE $2::int > 0
    ), ${job.toCtes("(SELECT CASE WHEN EXISTS (SELECT FROM inserted) THEN $10::text ELSE '[]' END)")}
    SELECT (SELECT count(*) FROM ins)::int AS sent, (SELECT count(*) FROM notified)::int AS woken,
      (SELECT count(*) FROM counted)::int AS counted,
      (SELECT count(*) FROM (
        SELECT
          pg_notify($11, json_build_object('accountId', account_id, 'event', 'generation', 'id', id, 'kind', kind)::text),
          pg_notify($11, json_build_object('accountId', account_id, 'event', 'balance')::text)
        FROM inserted
      ) AS nudges)::int AS nudged`;
  return {
    text,
    values: [
      row.accountId,
      row.stars,
      row.id,
      row.kind,
      JSON.stringify(row.inputs.map(({ role, photoId }, position) => ({ position, role, photo_id: photoId }))),
      JSON.stringify(row.settings),
      row.idempotencyKey,
      row.requestHash,
      row.engine,
      job.jobsJson,
      NUDGE_CHANNEL,
      row.reroll?.ofId ?? null,
      row.reroll?.positions ?? [],
      expectedSeconds,
      ...count,
    ],
  };
}
