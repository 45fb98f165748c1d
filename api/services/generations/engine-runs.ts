import type {
  EngineFailure,
  EngineFailureCode,
  EngineJob,
  GenerationEngine,
  GenerationOrder,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { findViolatedConstraint, type Tx } from '#api/db.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { readDatabaseTime } from '#api/services/ground/database-time.ts';
import { getPremiumStatus } from '#api/services/ground/premium-status.ts';
import type { EngineRun, EngineRunReason, Generation } from '#prisma/generated/client.ts';

const LIVE_STATUSES = ['submitting', 'submitted'] as const;
const ONE_LIVE_RUN = 'engine_runs_one_live_key';

/** What has been tried for one output. */
export interface Attempts {
  /** The newest. */
  latest: EngineRun;
  count: number;
  /** How many of them ended with the process that worked on them. */
  interruptions: number;
  /** How many of them failed and were charged nevertheless. */
  chargedFailures: number;
}

const NONE = { count: 0, interruptions: 0, chargedFailures: 0 };

/** The runs of a generation by position. Positions without any are missing. */
export async function listAttempts(app: Pick<AppContext, 'db'>, generationId: string): Promise<Map<number, Attempts>> {
  const runs = await app.db.engineRun.findMany({
    where: { generationId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const attempts = new Map<number, Attempts>();
  for (const run of runs) {
    const { count, interruptions, chargedFailures } = attempts.get(run.position) ?? NONE;
    const isInterrupted = run.failureCode === ('interrupted' satisfies EngineFailureCode);
    const isChargedFailure = run.status === 'failed' && run.costMicros > 0;
    attempts.set(run.position, {
      latest: run,
      count: count + 1,
      interruptions: interruptions + (isInterrupted ? 1 : 0),
      chargedFailures: chargedFailures + (isChargedFailure ? 1 : 0),
    });
  }
  return attempts;
}

/** The job of a submitted run. */
export function jobOf({ jobId, jobDetails }: Pick<EngineRun, 'jobId' | 'jobDetails'>): EngineJob {
  if (jobId === null) throw new Error('a run that was not submitted has no job');
  return { id: jobId, details: (jobDetails ?? {}) as EngineJob['details'] };
}

type BegunRun =
  | { state: 'begun'; run: EngineRun }
  /** Another worker makes this output, or has just tried to, or the generation gets no more jobs. */
  | { state: 'taken' }
  /** A ceiling of the operator is reached. */
  | { state: 'engine_budget_reached' | 'engine_free_runs_reached' };

/**
 * Writes a run down before its order is submitted, with what it will cost. Its id is the order's `runId`. The ceilings
 * hold however many workers submit at once: they take turns at this engine's lock. `attempts`: how many runs of the
 * output the caller knows.
 */
export async function beginRun(
  app: Pick<AppContext, 'db' | 'config' | 'payments'>,
  engine: GenerationEngine,
  task: Pick<Generation, 'id' | 'accountId' | 'kind'>,
  order: GenerationOrder,
  { reason, attempts }: { reason: EngineRunReason; attempts: number },
): Promise<BegunRun> {
  const { engineDailyBudgetMicros: budget, engineFreeRuns } = app.config;
  const price = engine.priceOf(order);
  const isCounted = engine.photosTravel !== 'nowhere';
  const isUnpaid = isCounted && !(await getPremiumStatus(app, task.accountId)).isPremium;
  const position = order.positions[0] ?? 0;
  try {
    return await app.db.$transaction(async (tx) => {
      if (isCounted && (budget !== null || engineFreeRuns !== null)) await lockSpending(tx);
      if (isCounted && (await hasMovedOn(tx, task.id, position, attempts))) return { state: 'taken' };
      if (price && budget !== null && (await sumSpentToday(tx, engine.name)) + price.micros > budget) {
        return { state: 'engine_budget_reached' };
      }
      if (isUnpaid && engineFreeRuns !== null && (await countUnpaidToday(tx, task.id)) >= engineFreeRuns) {
        return { state: 'engine_free_runs_reached' };
      }
      const run = await tx.engineRun.create({
        data: {
          // The newest run counts, whichever process began it and whatever that one's clock said.
          createdAt: await readDatabaseTime(tx),
          ...{ id: order.runId, generationId: task.id, engine: engine.name, kind: task.kind, position, reason },
          ...{ model: engine.describeModel(order), isUnpaid },
          ...(price ? { costMicros: price.micros, currency: price.currency } : {}),
        },
      });
      return { state: 'begun', run };
    });
  } catch (error) {
    if (findViolatedConstraint(error) === ONE_LIVE_RUN) return { state: 'taken' };
    throw error;
  }
}

/**
 * Whether the generation has ended or its owner wants no more of it, or another worker has tried this output since the
 * caller looked. The caller's reason to submit is then out of date.
 */
async function hasMovedOn(tx: Tx, generationId: string, position: number, attempts: number): Promise<boolean> {
  // Workers that submit the same output take turns at its generation's row.
  const [active] = await tx.$queryRaw<unknown[]>`
    select id from generations
    where id = ${generationId}::uuid and status not in ('completed', 'failed') and cancel_requested_at is null
    for no key update`;
  return !active || (await tx.engineRun.count({ where: { generationId, position } })) !== attempts;
}

/** A lock of its own for the ceilings. Any constant does, as long as nothing else uses it. */
async function lockSpending(tx: Tx): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('engine_spending'))`;
}

/** Millionths of the currency's unit that the jobs of this engine cost since midnight, UTC. */
export async function sumSpentToday(db: Pick<Tx, 'engineRun'>, engine: string): Promise<number> {
  const { _sum } = await db.engineRun.aggregate({
    where: { engine, createdAt: { gte: startOfDay() } },
    _sum: { costMicros: true },
  });
  return _sum.costMicros ?? 0;
}

/** Orders of accounts that had never paid since midnight, UTC. `except`: an order that is not counted. */
export async function countUnpaidToday(db: Pick<Tx, 'engineRun'>, except?: string): Promise<number> {
  const orders = await db.engineRun.groupBy({
    by: ['generationId'],
    where: { isUnpaid: true, createdAt: { gte: startOfDay() }, ...(except ? { generationId: { not: except } } : {}) },
  });
  return orders.length;
}

function startOfDay(): Date {
  const day = new Date();
  day.setUTCHours(0, 0, 0, 0);
  return day;
}

/** Nothing was started at the engine, so the run has never been. */
export async function forgetRun(app: Pick<AppContext, 'db'>, { id }: Pick<EngineRun, 'id'>): Promise<void> {
  await app.db.engineRun.deleteMany({ where: { id, status: 'submitting' } });
}

/** The engine has taken the order. */
export async function recordSubmitted(
  app: Pick<AppContext, 'db'>,
  { id }: Pick<EngineRun, 'id'>,
  job: EngineJob,
): Promise<void> {
  await app.db.engineRun.updateMany({
    where: { id, status: 'submitting' },
    data: { status: 'submitted', jobId: job.id, jobDetails: { ...job.details }, submittedAt: new Date() },
  });
}

/** The submit was interrupted: its job may exist and is counted as paid. */
export async function recordUncertain(app: Pick<AppContext, 'db'>, { id }: Pick<EngineRun, 'id'>): Promise<void> {
  await endRun(app, id, { status: 'uncertain', failureCode: 'submit_interrupted' });
}

export async function recordSucceeded(app: Pick<AppContext, 'db'>, { id }: EngineRun): Promise<void> {
  await endRun(app, id, { status: 'succeeded' });
}

export async function recordFailed(
  app: Pick<AppContext, 'db'>,
  { id }: Pick<EngineRun, 'id'>,
  { code, shouldRetry, isCharged }: EngineFailure,
): Promise<void> {
  await endRun(app, id, { status: 'failed', failureCode: code, shouldRetry, ...(isCharged ? {} : { costMicros: 0 }) });
}

/** `isStopped`: the provider does not finish it. Otherwise it runs on and is charged. */
export async function recordCancelled(
  app: Pick<AppContext, 'db'>,
  { id }: EngineRun,
  { isStopped }: { isStopped: boolean },
): Promise<void> {
  await endRun(app, id, { status: 'cancelled', ...(isStopped ? { costMicros: 0 } : {}) });
}

async function endRun(
  app: Pick<AppContext, 'db'>,
  id: string,
  data: Partial<Pick<EngineRun, 'status' | 'failureCode' | 'shouldRetry' | 'costMicros'>>,
): Promise<void> {
  await app.db.engineRun.updateMany({
    where: { id, status: { in: [...LIVE_STATUSES] } },
    data: { ...data, finishedAt: new Date() },
  });
}
