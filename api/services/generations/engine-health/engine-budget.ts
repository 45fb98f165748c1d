import type { Tx } from '#api/database/database.ts';
import { readDatabaseTime } from '#api/database/database-time.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { Generation, Prisma } from '#prisma/generated/client.ts';
import { GENERATION_TIMEOUT_MS } from '#shared/rules/generation-lifecycle.ts';

export const LIVE_STATUSES = ['submitting', 'submitted'] as const;
const DAY_MS = 24 * 3_600_000;

/** A ceiling of a day that is reached: one account's own, or one for all. */
export type Ceiling =
  | 'engine_refusals_reached'
  | 'engine_share_reached'
  | 'engine_free_runs_reached'
  | 'engine_budget_reached';

/** The part of the day's budget that one account may use, so that nobody uses up what is others'. */
export const SHARE_OF_BUDGET = { unpaid: 0.05, paid: 0.25 } as const;
/** The part that all accounts that never paid may use together, so that many of them leave some to those that did. */
const UNPAID_PART_OF_BUDGET = 0.5;
/** What an account that never paid may order a day, however few free orders there are: what its first stars buy. */
const FREE_RUNS_AT_LEAST = 2;
/** How many jobs of an account may fail at the provider's expense in a day: its stars come back, the money does not. */
const CHARGED_FAILURES_A_DAY = 3;

/**
 * Which ceiling keeps this work from being begun. The account's own go first. `micros`: what it costs. `account`: null
 * for nobody in particular. `orderId`: the order that it belongs to, which is counted once.
 */
export async function findCeiling(
  db: Books,
  { engineDailyBudgetMicros: budget, engineFreeRuns }: CeilingSettings,
  { engine, micros, account, orderId }: CeilingWork,
): Promise<Ceiling | null> {
  const isAbove = (spent: number, limit: number) => spent >= limit || spent + micros > limit;
  // Once, so that all figures are of the same day.
  const today = await readStartOfDay(db);
  if (account && micros > 0) {
    if ((await countChargedFailures(db, today, account.id)) >= CHARGED_FAILURES_A_DAY) return 'engine_refusals_reached';
    if (budget !== null) {
      const share = budget * SHARE_OF_BUDGET[account.isUnpaid ? 'unpaid' : 'paid'];
      const spent = await sumSpent(db, today, engine, { generation: ordersSince(today, account.id) });
      if (isAbove(spent, share)) return 'engine_share_reached';
    }
  }
  if (account?.isUnpaid && engineFreeRuns !== null) {
    const share = Math.max(FREE_RUNS_AT_LEAST, Math.floor(engineFreeRuns * SHARE_OF_BUDGET.unpaid));
    const own = { accountId: account.id, id: { not: orderId } };
    if ((await countUnpaid(db, today, own)) >= share) return 'engine_share_reached';
    if ((await countUnpaid(db, today, { id: { not: orderId } })) >= engineFreeRuns) return 'engine_free_runs_reached';
  }
  if (account?.isUnpaid && micros > 0 && budget !== null) {
    const spent = await sumSpent(db, today, engine, { isUnpaid: true });
    if (isAbove(spent, budget * UNPAID_PART_OF_BUDGET)) return 'engine_free_runs_reached';
  }
  const isSpent = micros > 0 && budget !== null && isAbove(await sumSpent(db, today, engine), budget);
  return isSpent ? 'engine_budget_reached' : null;
}

/** What is spent and counted today is read from. */
type Books = Pick<Tx, 'engineRun' | '$queryRaw'>;
type CeilingSettings = Pick<AppContext['config'], 'engineDailyBudgetMicros' | 'engineFreeRuns'>;

interface CeilingWork {
  engine: string;
  micros: number;
  account: { id: number; isUnpaid: boolean } | null;
  orderId?: string;
}

function countChargedFailures(db: Books, today: Date, accountId: number): Promise<number> {
  return db.engineRun.count({
    where: {
      generation: ordersSince(today, accountId),
      createdAt: { gte: today },
      status: 'failed',
      costMicros: { gt: 0 },
    },
  });
}

/** The account's orders whose jobs may be of today, so that older ones are not looked through. No order takes a day. */
function ordersSince(today: Date, accountId: number) {
  return { accountId, createdAt: { gte: new Date(today.getTime() - DAY_MS) } };
}

/**
 * Whether the jobs of an account that are under way, if all failed at the provider's expense, would reach the ceiling of
 * a day. Who has had no such failure today need not wait: tools and pictures are made at the same time.
 */
export async function mayFailTooOften(tx: Tx, { accountId }: Pick<Generation, 'accountId'>): Promise<boolean> {
  const now = await readDatabaseTime(tx);
  const failed = await countChargedFailures(tx, startOfDay(now), accountId);
  if (failed === 0) return false;
  // A job that hangs keeps nobody waiting for longer than an order lasts.
  const createdAt = { gte: new Date(now.getTime() - GENERATION_TIMEOUT_MS) };
  const live = { status: { in: [...LIVE_STATUSES] }, costMicros: { gt: 0 }, createdAt, generation: { accountId } };
  return failed + (await tx.engineRun.count({ where: live })) >= CHARGED_FAILURES_A_DAY;
}

/** A lock of its own for the ceilings. Any constant does, as long as nothing else uses it. */
export async function lockSpending(tx: Tx): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('engine_spending'))`;
}

/** Millionths of the currency's unit that the jobs of this engine cost since `today` began: all, or some. */
export async function sumSpent(
  db: Pick<Tx, 'engineRun'>,
  today: Date,
  engine: string,
  some: Prisma.EngineRunWhereInput = {},
): Promise<number> {
  const { _sum } = await db.engineRun.aggregate({
    where: { ...some, engine, createdAt: { gte: today } },
    _sum: { costMicros: true },
  });
  return _sum.costMicros ?? 0;
}

/**
 * Orders of accounts that had never paid since `today` began: all, or some. Those that have failed or were cancelled at
 * no cost do not count. A job of a GPU of one's own that was cancelled does: it has used that up, though not money.
 */
export async function countUnpaid(
  db: Pick<Tx, 'engineRun'>,
  today: Date,
  some: Prisma.GenerationWhereInput = {},
): Promise<number> {
  const endedFree = [{ status: 'failed' as const }, { status: 'cancelled' as const, currency: { not: null } }];
  const orders = await db.engineRun.groupBy({
    by: ['generationId'],
    where: { isUnpaid: true, createdAt: { gte: today }, NOT: { costMicros: 0, OR: endedFree }, generation: some },
  });
  return orders.length;
}

/** Midnight, UTC, by the clock of the database, which has also written when each run began. */
export async function readStartOfDay(db: Pick<Tx, '$queryRaw'>): Promise<Date> {
  return startOfDay(await readDatabaseTime(db));
}

function startOfDay(now: Date): Date {
  const day = new Date(now);
  day.setUTCHours(0, 0, 0, 0);
  return day;
}

/** Until the ceilings of a day begin anew. */
export async function secondsUntilNextDay(db: Pick<Tx, '$queryRaw'>): Promise<number> {
  const now = await readDatabaseTime(db);
  return Math.ceil((startOfDay(now).getTime() + DAY_MS - now.getTime()) / 1000);
}
