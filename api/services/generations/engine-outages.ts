import type {
  EngineFailure,
  EngineFailureCode,
  GenerationEngine,
  PricedWork,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { findViolatedConstraint, type Tx } from '#api/db.ts';
import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getPremiumStatus } from '#api/services/ground/premium-status.ts';
import { findPhotosTravel } from '#api/services/ground/tool-abilities.ts';
import type { EngineOutage, EngineOutageCause } from '#prisma/generated/client.ts';
import { OUTAGE_CAUSES } from '#shared/contract/engines.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import type { ToolObstacle, ToolOffer } from '#shared/contract/tools.ts';
import {
  GENERATION_KINDS,
  type GenerationFailureCode,
  type GenerationKind,
} from '#shared/rules/generation-lifecycle.ts';
import { DEFAULT_VIDEO_SECONDS, type VideoSeconds } from '#shared/rules/prices.ts';
import { countUnpaidToday, sumSpentToday } from './engine-runs.ts';
import { announceClosed, announceOpened } from './outage-mails.ts';

/** So many failures of a tool in a row, of at least two orders, open its circuit breaker. */
const FAILURES_TO_OPEN = 5;
const FAILURE_WINDOW_MS = 15 * 60_000;
/** So do so many orders in a row that were given up: each has waited for half an hour. */
const OVERDUE_TO_OPEN = 2;
const OVERDUE_WINDOW_MS = 60 * 60_000;
/** So do so many orders in a row whose input the engine rejects. One alone may be odd. */
const REJECTED_TO_OPEN = 2;
const REJECTED_WINDOW_MS = 24 * 60 * 60_000;
/** Faults of the engine, not of a photo or a text. */
const ENGINE_FAULTS: readonly EngineFailureCode[] = [
  'engine_error',
  'engine_overloaded',
  'engine_timed_out',
  'job_lost',
];

const REFUSALS = {
  unfunded: 'engine_maintenance',
  misconfigured: 'engine_maintenance',
  failing: 'engine_failing',
} as const satisfies Record<EngineOutageCause, EngineObstacle>;
/** Why an engine takes no orders of a tool now. */
export type EngineObstacle = Exclude<ToolObstacle['code'], 'tool_not_offered'>;

type EngineName = Pick<GenerationEngine, 'name' | 'photosTravel'>;
type PricedEngine = EngineName & Pick<GenerationEngine, 'abilities' | 'priceOf'>;

interface AskedWork {
  kind: GenerationKind;
  /** Absent: the shortest video. */
  videoSeconds?: VideoSeconds | undefined;
  /** Whether the asking account has paid. Null asks for nobody in particular. */
  isPremium: boolean | null;
}

/** Why the engine takes no such order now. Null when it does. */
export async function findObstacle(
  app: Pick<AppContext, 'db' | 'config'>,
  engine: PricedEngine,
  asked: AskedWork,
): Promise<EngineObstacle | null> {
  if (engine.photosTravel === 'nowhere') return null;
  const { kind, isPremium } = asked;
  const outage = (await listOpenOutages(app, engine, kind)).find(({ retryAt }) => retryAt > new Date());
  if (outage) return REFUSALS[outage.cause];
  const { engineDailyBudgetMicros: budget, engineFreeRuns } = app.config;
  if (budget !== null) {
    const price = engine.priceOf(describeWork(engine, asked))?.micros ?? 0;
    const spent = await sumSpentToday(app.db, engine.name);
    // Otherwise the rest of a budget would let orders start that are refused when they are submitted.
    if (spent >= budget || spent + price > budget) return 'engine_budget_reached';
  }
  if (isPremium === false && engineFreeRuns !== null && (await countUnpaidToday(app.db)) >= engineFreeRuns) {
    return 'engine_free_runs_reached';
  }
  return null;
}

function describeWork({ abilities }: PricedEngine, { kind, videoSeconds }: AskedWork): PricedWork {
  if (kind !== 'video') return { kind };
  return { kind, durationSeconds: videoSeconds ?? abilities.video?.seconds[0] ?? DEFAULT_VIDEO_SECONDS };
}

/** Which tools this account can start now. Null asks for nobody in particular. */
export async function describeOffer(
  app: Pick<AppContext, 'db' | 'config' | 'engines' | 'payments'>,
  accountId: number | null,
): Promise<ToolOffer> {
  const { engines } = app;
  const isPremium = accountId === null ? null : (await getPremiumStatus(app, accountId)).isPremium;
  const tools: ToolOffer['tools'] = [];
  for (const kind of GENERATION_KINDS) {
    const engine = engines.of(kind);
    const code = engine ? await findObstacle(app, engine, { kind, isPremium }) : ('tool_not_offered' as const);
    tools.push({
      kind,
      isOffered: engine !== null,
      obstacle: code && { code, message: ERRORS[code].message },
      photosTravel: engine?.photosTravel ?? 'nowhere',
      isDemonstration: engine?.isDemonstration ?? false,
    });
  }
  return { tools, photosTravel: findPhotosTravel(engines) };
}

/**
 * Throws the obstacle as an AppError. During an outage whose pause has passed, it lets exactly one order through and
 * refuses the others for another pause. `assertPossible`: throws when the order would be refused for another reason, so
 * that it does not use up the trial.
 */
export async function assertEngineReady(
  app: Pick<AppContext, 'db' | 'config'>,
  engine: PricedEngine,
  asked: AskedWork,
  assertPossible: () => Promise<void>,
): Promise<void> {
  const obstacle = await findObstacle(app, engine, asked);
  if (obstacle) throw new AppError(obstacle);
  if (engine.photosTravel === 'nowhere') return;
  const outages = await listOpenOutages(app, engine, asked.kind);
  if (outages.length > 0) await assertPossible();
  for (const outage of outages) {
    const now = new Date();
    const trial = await app.db.engineOutage.updateMany({
      where: { id: outage.id, closedAt: null, retryAt: { lte: now } },
      data: { retryAt: new Date(now.getTime() + trialPauseMs(outage.cause)) },
    });
    if (trial.count === 0) throw new AppError(REFUSALS[outage.cause]);
  }
}

function listOpenOutages(
  app: Pick<AppContext, 'db'>,
  { name }: EngineName,
  kind: GenerationKind,
): Promise<EngineOutage[]> {
  return app.db.engineOutage.findMany({ where: { engine: name, closedAt: null, OR: [{ kind }, { kind: null }] } });
}

function trialPauseMs(cause: EngineOutageCause): number {
  return OUTAGE_CAUSES[cause].trialMinutes * 60_000;
}

/** Opens an outage if this failure is the operator's business, or one too many. */
export async function noteFailure(
  app: Pick<AppContext, 'db' | 'log' | 'queue'>,
  engine: EngineName,
  kind: GenerationKind,
  { code, detail, mayBeInput }: Pick<EngineFailure, 'code' | 'detail' | 'mayBeInput'>,
): Promise<void> {
  if (engine.photosTravel === 'nowhere') return;
  if (code === 'engine_unfunded') await openOutage(app, { engine, kind: null, cause: 'unfunded', detail });
  else if (code === 'engine_misconfigured') {
    if (mayBeInput && !(await isRejecting(app, engine, kind))) return;
    await openOutage(app, { engine, kind, cause: 'misconfigured', detail });
  } else if (ENGINE_FAULTS.includes(code) && (await isFailing(app, engine, kind))) {
    await openOutage(app, { engine, kind, cause: 'failing', detail });
  }
}

async function isFailing(app: Pick<AppContext, 'db'>, { name }: EngineName, kind: GenerationKind): Promise<boolean> {
  const runs = await app.db.engineRun.findMany({
    where: {
      ...{ engine: name, kind, status: { in: ['succeeded', 'failed'] } },
      createdAt: { gte: new Date(Date.now() - 2 * FAILURE_WINDOW_MS) },
      finishedAt: { gte: new Date(Date.now() - FAILURE_WINDOW_MS) },
    },
    orderBy: { finishedAt: 'desc' },
    take: FAILURES_TO_OPEN,
    select: { generationId: true, failureCode: true },
  });
  const faults = runs.filter(({ failureCode }) => ENGINE_FAULTS.includes(failureCode as EngineFailureCode));
  return faults.length === FAILURES_TO_OPEN && new Set(faults.map(({ generationId }) => generationId)).size > 1;
}

/** Whether several orders were rejected since the last one that was made. */
async function isRejecting(app: Pick<AppContext, 'db'>, { name }: EngineName, kind: GenerationKind): Promise<boolean> {
  const day = new Date(Date.now() - REJECTED_WINDOW_MS);
  const success = await app.db.engineRun.findFirst({
    where: { engine: name, kind, status: 'succeeded', finishedAt: { gte: day } },
    orderBy: { finishedAt: 'desc' },
    select: { finishedAt: true },
  });
  const orders = await app.db.engineRun.findMany({
    where: {
      ...{ engine: name, kind, failureCode: 'engine_misconfigured' satisfies EngineFailureCode },
      // The index of the books is by the submit.
      createdAt: { gte: day },
      finishedAt: { gt: success?.finishedAt ?? day },
    },
    distinct: ['generationId'],
    select: { generationId: true },
  });
  return orders.length >= REJECTED_TO_OPEN;
}

/** An order was given up. The engine hangs or cannot be asked, so it has reported no failure. */
export async function noteOverdue(
  app: Pick<AppContext, 'db' | 'log' | 'queue'>,
  engine: EngineName,
  kind: GenerationKind,
): Promise<void> {
  if (engine.photosTravel === 'nowhere') return;
  const latest = await app.db.generation.findMany({
    where: {
      ...{ engine: engine.name, kind, finishedAt: { gte: new Date(Date.now() - OVERDUE_WINDOW_MS) } },
      OR: [{ status: 'completed' }, { failureCode: 'timed_out' satisfies GenerationFailureCode }],
    },
    orderBy: { finishedAt: 'desc' },
    take: OVERDUE_TO_OPEN,
    select: { status: true },
  });
  if (latest.length < OVERDUE_TO_OPEN || latest.some(({ status }) => status === 'completed')) return;
  await openOutage(app, { engine, kind, cause: 'failing', detail: 'orders were given up after half an hour' });
}

async function openOutage(
  app: Pick<AppContext, 'db' | 'log' | 'queue'>,
  { engine, kind, cause, detail }: { engine: EngineName; detail: string } & Pick<EngineOutage, 'kind' | 'cause'>,
): Promise<void> {
  try {
    const retryAt = new Date(Date.now() + trialPauseMs(cause));
    await app.db.$transaction(async (tx) => {
      const outage = await tx.engineOutage.create({ data: { engine: engine.name, kind, cause, detail, retryAt } });
      await announceOpened(app, tx, outage);
    });
    app.log.error({ action: 'engine_outage_opened', engine: engine.name, kind, cause, detail }, 'engine outage');
  } catch (error) {
    // It is open already.
    if (!findViolatedConstraint(error)?.startsWith('engine_outages_one_open_')) throw error;
  }
}

/**
 * The engine has made something: what kept this tool closed is over. `submittedAt`: of the job. One from before the
 * outage proves nothing.
 */
export async function noteSuccess(
  app: Pick<AppContext, 'db' | 'log' | 'queue'>,
  engine: EngineName,
  kind: GenerationKind,
  submittedAt: Date,
): Promise<void> {
  if (engine.photosTravel === 'nowhere') return;
  const open = (await listOpenOutages(app, engine, kind)).filter(({ openedAt }) => openedAt <= submittedAt);
  if (open.length === 0) return;
  const closed = await app.db.$transaction(async (tx) => {
    const ended = await tx.engineOutage.updateManyAndReturn({
      where: { id: { in: open.map(({ id }) => id) }, closedAt: null },
      data: { closedAt: new Date() },
    });
    for (const outage of ended) await announceClosed(app, tx, outage);
    return ended;
  });
  for (const { cause } of closed) {
    app.log.info({ action: 'engine_outage_closed', engine: engine.name, kind, cause }, 'engine works again');
  }
}

/**
 * Lets one order through now, to see whether the engine works again. `isNew`: false when one was let through anyway.
 * Throws AppError outage_not_found when there is no such outage or it has ended.
 */
export async function requestTrial(tx: Tx, id: string): Promise<{ outage: EngineOutage; isNew: boolean }> {
  const outage = await tx.engineOutage.findFirst({ where: { id, closedAt: null } });
  if (!outage) throw new AppError('outage_not_found');
  const now = new Date();
  if (outage.retryAt <= now) return { outage, isNew: false };
  // Asks for the very time that was read. Of requests that overlap only one finds it, whatever their clocks say.
  const { count } = await tx.engineOutage.updateMany({
    where: { id, closedAt: null, retryAt: outage.retryAt },
    data: { retryAt: now },
  });
  return { outage, isNew: count > 0 };
}
