import type {
  EngineFailure,
  EngineFailureCode,
  EngineJob,
  GenerationEngine,
  GenerationOrder,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { findViolatedConstraint, type Tx } from '#api/database/database.ts';
import { readDatabaseTime } from '#api/database/database-time.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import type { EngineRun, EngineRunReason, Generation } from '#prisma/generated/client.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { type Ceiling, findCeiling, LIVE_STATUSES, lockSpending, mayFailTooOften } from './engine-budget.ts';

const ONE_LIVE_RUN = 'engine_runs_one_live_key';
/** How often a process that hands an order in is seen at it, and how long it may be out of sight on a busy machine. */
const SEEN_INTERVAL_MS = 5_000;
const SEEN_PATIENCE_MS = 30_000;

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
export async function listAttempts(app: WithDb, generationId: string): Promise<Map<number, Attempts>> {
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
  /** So many jobs of the account are under way that it could fail too often. */
  | { state: 'later' }
  | { state: Ceiling };

/** The house tries a tool of an engine itself at most so often. */
const PROBE_INTERVAL_MS = 60 * 60_000;

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
  const price = engine.priceOf(order);
  const isCounted = engine.photosTravel !== 'nowhere';
  const isUnpaid = isCounted && !(await getPremiumStatus(app, task.accountId)).isPremium;
  const account = { id: task.accountId, isUnpaid };
  const position = order.positions[0] ?? 0;
  try {
    return await app.db.$transaction(async (tx) => {
      if (isCounted && (price !== null || app.config.engineFreeRuns !== null)) await lockSpending(tx);
      if (isCounted && (await hasMovedOn(tx, task.id, position, attempts))) return { state: 'taken' };
      if (isCounted) {
        const work = { engine: engine.name, micros: price?.micros ?? 0, account, orderId: task.id };
        const ceiling = await findCeiling(tx, app.config, work);
        if (ceiling) return { state: ceiling };
        if (work.micros > 0 && (await mayFailTooOften(tx, task))) return { state: 'later' };
      }
      const run = await tx.engineRun.create({
        data: {
          // The newest run counts, whichever process began it and whatever that one's clock said.
          createdAt: await readDatabaseTime(tx),
          id: order.runId,
          generationId: task.id,
          engine: engine.name,
          kind: task.kind,
          position,
          reason,
          model: engine.describeModel(order),
          isUnpaid,
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
 * Writes an order of the house itself down, which shows whether the engine works. Null when there was one of this tool
 * within the hour, or when the budget of the day does not pay for it.
 */
export function beginProbe(
  app: Pick<AppContext, 'db' | 'config'>,
  engine: GenerationEngine,
  order: GenerationOrder,
): Promise<EngineRun | null> {
  const price = engine.priceOf(order);
  return app.db.$transaction(async (tx) => {
    await lockSpending(tx);
    if (await wasProbed(tx, engine, order.kind)) return null;
    const work = { engine: engine.name, micros: price?.micros ?? 0, account: null };
    if (await findCeiling(tx, app.config, work)) return null;
    return tx.engineRun.create({
      data: {
        createdAt: await readDatabaseTime(tx),
        id: order.runId,
        generationId: null,
        engine: engine.name,
        kind: order.kind,
        position: 0,
        reason: 'first',
        model: engine.describeModel(order),
        ...(price ? { costMicros: price.micros, currency: price.currency } : {}),
      },
    });
  });
}

/** Whether the house has tried this tool within the hour. */
export async function wasProbed(
  db: Pick<Tx, 'engineRun'>,
  { name }: Pick<GenerationEngine, 'name'>,
  kind: GenerationKind,
): Promise<boolean> {
  const since = new Date(Date.now() - PROBE_INTERVAL_MS);
  return (await db.engineRun.count({ where: { ...probesOf(name, kind), createdAt: { gte: since } } })) > 0;
}

/** The order of the house that has not ended. A process that began it has died. */
export function findLiveProbe(
  { db }: WithDb,
  { name }: Pick<GenerationEngine, 'name'>,
  kind: GenerationKind,
): Promise<EngineRun | null> {
  return db.engineRun.findFirst({ where: { ...probesOf(name, kind), status: { in: [...LIVE_STATUSES] } } });
}

function probesOf(engine: string, kind: GenerationKind) {
  return { generationId: null, engine, kind };
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

/**
 * Runs a submit and shows every few seconds that its process lives, so that another one need not wait as long as a
 * submit may take to know that it was interrupted.
 */
export async function submitSeen<T>(
  app: Pick<AppContext, 'db' | 'log'>,
  { id }: Pick<EngineRun, 'id'>,
  submit: () => Promise<T>,
): Promise<T> {
  const show = () =>
    app.db.$executeRaw`update engine_runs set seen_at = now() where id = ${id}::uuid and status = 'submitting'`.catch(
      (error: unknown) => app.log.warn({ err: error, runId: id }, 'a submit cannot show that it goes on'),
    );
  const timer = setInterval(show, SEEN_INTERVAL_MS);
  try {
    return await submit();
  } finally {
    clearInterval(timer);
  }
}

/** Whether nobody hands this run's order in any more. */
export async function isSubmitInterrupted(
  app: WithDb,
  { submitTimeoutMs }: GenerationEngine,
  { createdAt, seenAt }: EngineRun,
): Promise<boolean> {
  const now = (await readDatabaseTime(app.db)).getTime();
  return now - createdAt.getTime() >= submitTimeoutMs || now - (seenAt ?? createdAt).getTime() >= SEEN_PATIENCE_MS;
}

/** Nothing was started at the engine, so the run has never been. */
export async function forgetRun(app: WithDb, { id }: Pick<EngineRun, 'id'>): Promise<void> {
  await app.db.engineRun.deleteMany({ where: { id, status: 'submitting' } });
}

/** The engine has taken the order. */
export async function recordSubmitted(app: WithDb, { id }: Pick<EngineRun, 'id'>, job: EngineJob): Promise<void> {
  await app.db.engineRun.updateMany({
    where: { id, status: 'submitting' },
    data: { status: 'submitted', jobId: job.id, jobDetails: { ...job.details }, submittedAt: new Date() },
  });
}

/** The submit was interrupted: its job may exist and is counted as paid. */
export async function recordUncertain(app: WithDb, { id }: Pick<EngineRun, 'id'>): Promise<void> {
  await endRun(app, id, { status: 'uncertain', failureCode: 'submit_interrupted' });
}

/** Returns false when it had ended already. */
export async function recordSucceeded(app: WithDb, { id }: EngineRun): Promise<boolean> {
  return endRun(app, id, { status: 'succeeded' });
}

/** Returns false when it had ended already. */
export async function recordFailed(
  app: WithDb,
  { id }: Pick<EngineRun, 'id'>,
  { code, shouldRetry, isCharged }: EngineFailure,
): Promise<boolean> {
  return endRun(app, id, { status: 'failed', failureCode: code, shouldRetry, ...(isCharged ? {} : { costMicros: 0 }) });
}

/** `isStopped`: the provider does not finish it. Otherwise it runs on and is charged. */
export async function recordCancelled(
  app: WithDb,
  { id }: EngineRun,
  { isStopped }: { isStopped: boolean },
): Promise<void> {
  await endRun(app, id, { status: 'cancelled', ...(isStopped ? { costMicros: 0 } : {}) });
}

async function endRun(
  app: WithDb,
  id: string,
  data: Partial<Pick<EngineRun, 'status' | 'failureCode' | 'shouldRetry' | 'costMicros'>>,
): Promise<boolean> {
  const { count } = await app.db.engineRun.updateMany({
    where: { id, status: { in: [...LIVE_STATUSES] } },
    data: { ...data, finishedAt: new Date() },
  });
  return count > 0;
}
