import { sendAccountEvent } from '#api/database/account-events.ts';
import type { Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { countPremiumPayments } from '#api/services/core/premium-status.ts';
import { wakeLine } from '#api/services/core/wake-line.ts';
import { startReroll } from '#api/services/generations/starting/start-reroll.ts';
import { lockBalance } from '#api/services/stars/ledger.ts';
import { type BatchRow, type GenerationKind, Prisma } from '#prisma/generated/client.ts';
import type { ErrorCode } from '#shared/contract/errors.ts';
import { PAUSE_CODES, type PauseCode } from '#shared/rules/batches.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { refreshLines } from './lines.ts';
import { readSet, startWithSet } from './row-order.ts';
import { pauseWithin, settleBatches, stopBatches } from './settle.ts';

/** A row whose turn it is. */
interface Claim {
  accountId: number;
  row: BatchRow;
}

/** The row was taken, stopped, or has no room any more since it was claimed. Nothing is wrong. */
class RowNotFreeError extends Error {}

/** Every batch that is not at rest is looked at, and rows start as far as there is room. */
export async function advanceAllLines(app: AppContext, signal: AbortSignal): Promise<void> {
  const accounts = await app.db.batch.findMany({
    where: { status: { in: ['running', 'paused'] } },
    distinct: ['accountId'],
    select: { accountId: true },
  });
  for (const { accountId } of accounts) {
    if (signal.aborted) return;
    try {
      await settleBatches(app, accountId);
    } catch (error) {
      // Does not hold up the others. The next minute tries again.
      app.log.warn({ err: error, accountId }, 'the batches of an account could not be settled');
    }
  }
  await startRows(app, signal);
}

/** The batches of one account are looked at, and rows of all accounts start as far as there is room. */
export async function advanceLine(app: AppContext, accountId: number, signal: AbortSignal): Promise<void> {
  await settleBatches(app, accountId);
  await startRows(app, signal);
}

/** Starts one row after another until there is no room or none waits. */
async function startRows(app: AppContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const kinds = await listKindsWithRoom(app);
    if (kinds.length === 0) return;
    const claim = await claimRow(app, kinds);
    if (claim === null) return;
    if (claim !== 'again') await startRow(app, claim);
  }
}

/**
 * The tools whose engine has few orders waiting. Rows wait here and not at the engine, so that what is started by hand
 * goes first and no row grows old in a queue.
 */
async function listKindsWithRoom({ config, db, engines }: AppContext): Promise<GenerationKind[]> {
  const withRoom: GenerationKind[] = [];
  for (const kind of GENERATION_KINDS) {
    const engine = engines.of(kind);
    const pending = engine ? await db.generation.count({ where: { engine: engine.name, status: 'pending' } }) : 0;
    if (!engine || pending < Math.max(engine.concurrency, config.parallelItems)) withRoom.push(kind);
  }
  return withRoom;
}

/** How many rows of an account run at once, in SQL. `account` is the account's row. */
function countParallelRows(app: Pick<AppContext, 'config' | 'payments'>): Prisma.Sql {
  return Prisma.sql`case when ${countPremiumPayments(app)} > 0 then ${app.config.parallelItems}::int else 1 end`;
}

/**
 * The next row: of the account that was served longest ago and has room, the first waiting row of its oldest running
 * batch. The account counts as served from now on. 'again' when what was found is gone. Reads as much however many rows
 * wait.
 */
export async function claimRow(
  app: Pick<AppContext, 'db' | 'config' | 'payments'>,
  kinds: readonly GenerationKind[],
): Promise<Claim | 'again' | null> {
  return app.db.$transaction(async (tx) => {
    // Claims of several processes would otherwise take the same account, or wait for each other crosswise.
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('batch_line'))`;
    const [head] = await tx.$queryRaw<{ accountId: number; kind: GenerationKind }[]>`
      select head.account_id as "accountId", wanted.kind from unnest(${kinds}::generation_kind[]) as wanted(kind),
        lateral (
          select line.account_id, line.served_at from batch_lines as line
            join accounts as account on account.id = line.account_id
          where line.kind = wanted.kind and line.is_open and (
            select count(*) from generations
            where account_id = line.account_id and status in ('pending', 'processing', 'generating')
          ) < ${countParallelRows(app)}
          order by line.served_at, line.account_id limit 1
        ) as head
      order by head.served_at limit 1`;
    if (!head) return null;
    const { accountId, kind } = head;
    await tx.$executeRaw`update batch_lines set served_at = clock_timestamp() where account_id = ${accountId}`;
    // The states are literals, so that the two indexes of what is in line serve.
    const [next] = await tx.$queryRaw<{ id: string }[]>`
      select waiting.id from batches, lateral (
        select id from batch_rows where batch_id = batches.id and stage = 'waiting' order by position limit 1
      ) as waiting
      where account_id = ${accountId} and kind = ${kind}::generation_kind and status = 'running'
      order by started_at limit 1`;
    const row = next && (await tx.batchRow.findUnique({ where: { id: next.id } }));
    if (row) return { accountId, row };
    await refreshLines(tx, accountId);
    return 'again';
  });
}

/**
 * Starts one row, with its own key for each attempt, so that a repeat starts nothing. What is a limit or an outage pauses
 * its batch and holds nothing; what is wrong with its photo fails the row. A row never stays as it was: it would be the
 * next one again, for ever.
 */
async function startRow(app: AppContext, { accountId, row }: Claim): Promise<void> {
  try {
    await orderRow(app, accountId, row);
  } catch (error) {
    if (error instanceof RowNotFreeError) return;
    if (error instanceof AppError) return explainRefusal(app, { accountId, row }, error);
    // Its batch waits. The lines of others go on, unless the database is the reason: then this fails, too.
    app.log.error({ err: error, accountId, rowId: row.id }, 'a row could not be started');
    await explainRefusal(app, { accountId, row }, new AppError('unavailable'));
  }
}

async function orderRow(app: AppContext, accountId: number, row: BatchRow): Promise<void> {
  let isTaken = false;
  await requestStart(app, accountId, row, async (tx, generationId) => {
    await takeRow(app, tx, accountId, row, generationId);
    isTaken = true;
  });
  // The key was used before, so the answer is an earlier generation.
  if (!isTaken) throw new AppError('idempotency_key_reused');
}

async function requestStart(
  app: AppContext,
  accountId: number,
  row: BatchRow,
  take: (tx: Tx, generationId: string) => Promise<void>,
): Promise<void> {
  const { batchId, id: rowId, photoId, createdAt, attempts } = row;
  const batch = await app.db.batch.findUniqueOrThrow({ where: { id: batchId } });
  const start = { batchId, rowId, take };
  if (row.isReroll && row.generationId) {
    // The last attempt may be a re-roll that an outage has ended.
    const last = await app.db.generation.findUniqueOrThrow({ where: { id: row.generationId } });
    await startReroll(app, accountId, last.rerollOfId ?? last.id, start);
    return;
  }
  if (photoId === null) throw new AppError('photo_not_found');
  const set = readSet(batch.kind, row.settings ?? batch.settings);
  await startWithSet(
    app,
    set,
    { photoId, personPhotoId: batch.personPhotoId },
    {
      account: { id: accountId },
      agreedStars: row.agreedStars,
      // A row that was removed and added again under its id is another one.
      key: `batch-row/${rowId}/${createdAt.getTime()}/${attempts}`,
      row: start,
    },
  );
}

/** Makes the new generation the attempt of the row. Throws RowNotFreeError when the row must not start after all. */
async function takeRow(
  app: Pick<AppContext, 'config' | 'payments'>,
  tx: Tx,
  accountId: number,
  { id, batchId, attempts }: BatchRow,
  generationId: string,
): Promise<void> {
  const taken = await tx.$executeRaw`
    update batch_rows set stage = 'started', generation_id = ${generationId}::uuid, attempts = attempts + 1,
      is_reroll = false, is_taken = null, refusal_code = null
    where id = ${id}::uuid and stage = 'waiting' and attempts = ${attempts}
      and exists (select from batches where id = ${batchId}::uuid and account_id = ${accountId} and status = 'running')
      and (
        select count(*) from generations
        where account_id = ${accountId} and status in ('pending', 'processing', 'generating')
      ) <= (
        select ${countParallelRows(app)}
        from accounts as account where id = ${accountId}
      )`;
  if (taken === 0) throw new RowNotFreeError();
  await refreshLines(tx, accountId);
  await sendAccountEvent(tx, { accountId, event: 'batch', id: batchId });
}

/** Refusals that are about one row. Whatever else is refused would be refused for every row. */
const ABOUT_ROW: readonly ErrorCode[] = [
  'photo_not_found',
  'photo_forbidden',
  'file_lost',
  'idempotency_key_reused',
  'generation_not_found',
  'generation_forbidden',
  'reroll_not_offered',
];

async function explainRefusal(app: AppContext, { accountId, row }: Claim, error: AppError): Promise<void> {
  const { code } = error;
  // `unauthorized`: it was merged or erased, so its rows have another owner already, or are about to go.
  if (code === 'deletion_asked' || code === 'unauthorized') return stopBatches(app, accountId);
  const pauseCode = (PAUSE_CODES as readonly string[]).includes(code) ? (code as PauseCode) : 'settings_unavailable';
  // Settings of this row alone are no reason to keep the others waiting.
  const isAboutRow = ABOUT_ROW.includes(code) || (pauseCode === 'settings_unavailable' && row.settings !== null);
  await app.db.$transaction(async (tx) => {
    await lockBalance(tx, accountId);
    const batch = await tx.batch.findFirst({ where: { id: row.batchId, accountId, status: 'running' } });
    const waiting = { id: row.id, stage: 'waiting', attempts: row.attempts } as const;
    if (!batch || (await tx.batchRow.count({ where: waiting })) === 0) return;
    if (!isAboutRow) await pauseWithin(app, tx, batch, pauseCode, error.extra.retryAfter);
    else if (await hasResults(tx, row))
      await tx.batchRow.updateMany({ where: waiting, data: { stage: 'started', isReroll: false } });
    else
      await tx.batchRow.updateMany({ where: waiting, data: { stage: 'failed', isReroll: false, refusalCode: code } });
    await refreshLines(tx, accountId);
    await wakeLine(app, tx, accountId);
    await sendAccountEvent(tx, { accountId, event: 'batch', id: batch.id });
  });
  app.log.info({ action: 'batch_row_refused', accountId, rowId: row.id, code, isAboutRow }, 'a row was not started');
}

async function hasResults(tx: Tx, { generationId }: BatchRow): Promise<boolean> {
  return generationId !== null && (await tx.generation.count({ where: { id: generationId, status: 'completed' } })) > 0;
}
