import { sendAccountEvent } from '#api/database/account-events.ts';
import type { Tx } from '#api/database/database.ts';
import { readDatabaseTime } from '#api/database/database-time.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { secondsUntilNextDay } from '#api/services/generations/engine-health/engine-budget.ts';
import { announceBatch, nameEnd } from '#api/services/notices/notices.ts';
import { lockBalance } from '#api/services/stars/ledger.ts';
import type { Batch, Prisma } from '#prisma/generated/client.ts';
import {
  endedByOutage,
  OUTAGE_PAUSE_MS,
  OUTAGE_RETRIES,
  type OutageFailure,
  type PauseCode,
} from '#shared/rules/batches.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { isRerollNext, listCountedRows, priceOfRow, stateOf } from './batch-view.ts';
import { refreshLines } from './lines.ts';

type SettleApp = Pick<AppContext, 'db' | 'queue' | 'telegram'>;

/** Limits that begin anew with the day. */
const LIMITS_OF_DAY: readonly PauseCode[] = [
  'engine_budget_reached',
  'engine_free_runs_reached',
  'engine_share_reached',
  'engine_refusals_reached',
];
/** What its owner has to do something about. Stars are a case of their own. */
const FOR_OWNER: readonly PauseCode[] = [
  'by_owner',
  'not_enough_stars',
  'price_changed',
  'consent_required',
  'transfer_consent_required',
  'email_not_verified',
  'settings_unavailable',
];

const PAUSE_OF_FAILURE: Readonly<Record<OutageFailure, PauseCode>> = {
  engine_maintenance: 'engine_maintenance',
  engine_overloaded: 'engine_overloaded',
  engine_budget_reached: 'engine_budget_reached',
  engine_free_runs_reached: 'engine_free_runs_reached',
  engine_share_reached: 'engine_share_reached',
  engine_refusals_reached: 'engine_refusals_reached',
  consent_withdrawn: 'transfer_consent_required',
  storage_failed: 'storage_unavailable',
  timed_out: 'timed_out',
};

/**
 * Brings the batches of an account to where their rows and its stars are: rows that an outage has ended wait again and
 * pause their batch, paused batches go on when their reason has passed, and a batch of which nothing waits or runs comes
 * to rest, which is announced. Those of an account whose owner wants it deleted stop. Changes nothing where nothing has
 * changed.
 */
export async function settleBatches(app: SettleApp, accountId: number): Promise<void> {
  const unfinished: Prisma.BatchWhereInput = { accountId, status: { in: ['running', 'paused'] } };
  if ((await app.db.batch.count({ where: unfinished })) === 0) return;
  await app.db.$transaction(async (tx) => {
    const balance = await lockBalance(tx, accountId);
    const now = await readDatabaseTime(tx);
    const { deletionAskedAt } = await tx.account.findUniqueOrThrow({
      where: { id: accountId },
      select: { deletionAskedAt: true },
    });
    if (deletionAskedAt) await stopAll(tx, accountId);
    let hasChanged = deletionAskedAt !== null;
    for (const batch of await tx.batch.findMany({ where: unfinished, orderBy: { createdAt: 'asc' } })) {
      if (await settleBatch(app, tx, batch, { balance, now })) {
        hasChanged = true;
        await sendAccountEvent(tx, { accountId, event: 'batch', id: batch.id });
      }
    }
    if (hasChanged) await refreshLines(tx, accountId);
  });
}

/** Returns whether something has changed. */
async function settleBatch(
  app: SettleApp,
  tx: Tx,
  batch: Batch,
  { balance, now }: { balance: number; now: Date },
): Promise<boolean> {
  // Nothing may be left to wait for.
  const hasLateResults = await takeLateResults(tx, batch.id);
  if (hasLateResults && (await restIfDone(app, tx, batch))) return true;
  const interrupted = await takeBackInterrupted(tx, batch.id);
  if (interrupted && batch.status === 'running') {
    await pauseWithin(app, tx, batch, PAUSE_OF_FAILURE[interrupted]);
    return true;
  }
  if (batch.status === 'paused' && (await mayGoOn(tx, batch, { balance, now }))) {
    await tx.batch.update({ where: { id: batch.id }, data: { status: 'running', pauseCode: null, resumesAt: null } });
    return true;
  }
  return (await restIfDone(app, tx, batch)) || interrupted !== null || hasLateResults;
}

/**
 * A row that waits because its attempt timed out is done when the result comes late, which is free of charge. Returns
 * whether there was one.
 */
async function takeLateResults(tx: Tx, batchId: string): Promise<boolean> {
  const { count } = await tx.batchRow.updateMany({
    where: { batchId, stage: 'waiting', retriesLeft: { lt: OUTAGE_RETRIES }, generation: { status: 'completed' } },
    data: { stage: 'started', isReroll: false },
  });
  return count > 0;
}

/** Rows whose attempt has ended because of an outage wait again. Returns the last such failure, or null. */
async function takeBackInterrupted(tx: Tx, batchId: string): Promise<OutageFailure | null> {
  const ended = await tx.batchRow.findMany({
    where: { batchId, stage: 'started', retriesLeft: { gt: 0 }, generation: { status: 'failed' } },
    select: { id: true, generation: { select: { failureCode: true, rerollOfId: true } } },
  });
  let last: OutageFailure | null = null;
  for (const { id, generation } of ended) {
    const code = generation?.failureCode ?? null;
    if (!endedByOutage(code)) continue;
    last = code;
    const isReroll = generation?.rerollOfId != null;
    await tx.batchRow.update({ where: { id }, data: { stage: 'waiting', isReroll, retriesLeft: { decrement: 1 } } });
  }
  return last;
}

async function mayGoOn(tx: Tx, batch: Batch, { balance, now }: { balance: number; now: Date }): Promise<boolean> {
  if (batch.resumesAt) return batch.resumesAt <= now;
  if (batch.pauseCode !== 'not_enough_stars' || !batch.continuesAfterPurchase) return false;
  const next = await tx.batchRow.findFirst({
    where: { batchId: batch.id, stage: 'waiting' },
    orderBy: { position: 'asc' },
    include: { generation: true },
  });
  return next !== null && balance >= priceOfRow(batch, next);
}

/** A batch of which nothing waits or runs is open again. Its owner is told once a run. */
async function restIfDone(app: SettleApp, tx: Tx, { id, accountId, runs }: Batch): Promise<boolean> {
  const waiting = await tx.batchRow.count({ where: { batchId: id, stage: 'waiting' } });
  const running = await tx.generation.count({ where: { batchId: id, status: { in: [...ACTIVE_STATUSES] } } });
  if (waiting + running > 0) return false;
  await tx.batch.update({ where: { id }, data: { status: 'open', pauseCode: null, resumesAt: null } });
  await announceBatch(app, tx, { batchId: id, accountId, occasion: nameEnd(runs) });
  return true;
}

/** Pauses a running batch in the caller's transaction, which has locked the account. */
export async function pauseWithin(
  app: SettleApp,
  tx: Tx,
  batch: Batch,
  code: PauseCode,
  seconds?: number,
): Promise<void> {
  const { id, accountId, runs } = batch;
  const now = await readDatabaseTime(tx);
  const resumesAt = await findResume(tx, code, now, seconds);
  await tx.batch.update({ where: { id }, data: { status: 'paused', pauseCode: code, resumesAt } });
  if (code === 'not_enough_stars') await announceBatch(app, tx, { batchId: id, accountId, occasion: `stars:${runs}` });
}

/** When a pause ends by itself. `seconds`: how long to wait, where that is known. Null when its owner has to act. */
async function findResume(tx: Tx, code: PauseCode, now: Date, seconds: number | undefined): Promise<Date | null> {
  if (FOR_OWNER.includes(code)) return null;
  if (seconds !== undefined) return new Date(now.getTime() + seconds * 1000);
  if (LIMITS_OF_DAY.includes(code)) return new Date(now.getTime() + (await secondsUntilNextDay(tx)) * 1000);
  return new Date(now.getTime() + OUTAGE_PAUSE_MS);
}

/**
 * Rows that wait are stopped, also those that an outage has just ended. One whose earlier results are there keeps them.
 */
export async function stopWaiting(tx: Tx, batchId: string): Promise<void> {
  await takeBackInterrupted(tx, batchId);
  await tx.$executeRaw`
    update batch_rows set is_reroll = false, stage = (case when exists (
      select from generations where id = batch_rows.generation_id and status = 'completed'
    ) then 'started' else 'stopped' end)::batch_row_stage
    where batch_id = ${batchId}::uuid and stage = 'waiting'`;
}

/** Stops what waits in every batch of an account, for example because its owner wants it deleted. */
export async function stopBatches(app: SettleApp, accountId: number): Promise<void> {
  await app.db.$transaction(async (tx) => {
    await lockBalance(tx, accountId);
    await stopAll(tx, accountId);
    await refreshLines(tx, accountId);
  });
  await settleBatches(app, accountId);
}

/** Paused batches run until what is being made has ended. */
async function stopAll(tx: Tx, accountId: number): Promise<void> {
  const unfinished = await tx.batch.findMany({ where: { accountId, status: { in: ['running', 'paused'] } } });
  for (const { id } of unfinished) {
    await tx.batch.update({ where: { id }, data: { status: 'running', pauseCode: null, resumesAt: null } });
    await stopWaiting(tx, id);
    await sendAccountEvent(tx, { accountId, event: 'batch', id });
  }
}

/** The rows of a batch in one of these states, in order, with what they cost now. */
export async function listRowsIn(tx: Tx, batch: Batch, states: readonly ReturnType<typeof stateOf>[]) {
  const rows = await listCountedRows(tx, [batch.id]);
  return rows
    .filter((row) => states.includes(stateOf(row)))
    .map((row) => ({ ...row, isReroll: isRerollNext(row), stars: priceOfRow(batch, row) }));
}
