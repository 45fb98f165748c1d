import type {
  EngineFailure,
  EngineFailureCode,
  GenerationEngine,
  PricedWork,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { findViolatedConstraint, type Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { findPhotosTravel } from '#api/services/core/tool-abilities.ts';
import type { EngineOutage, EngineOutageCause, Generation, Prisma } from '#prisma/generated/client.ts';
import { OUTAGE_CAUSES } from '#shared/contract/engines.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import type { ToolObstacle, ToolOffer } from '#shared/contract/tools.ts';
import {
  ACTIVE_STATUSES,
  GENERATION_KINDS,
  type GenerationFailureCode,
  type GenerationKind,
} from '#shared/rules/generation-lifecycle.ts';
import { DEFAULT_VIDEO_SECONDS, type VideoSeconds } from '#shared/rules/prices.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { findCeiling, secondsUntilNextDay } from './engine-budget.ts';
import { wasProbed } from './engine-runs.ts';
import { announceClosed, announceOpened } from './outage-mails.ts';

/**
 * Orders of so many accounts that fail within this time, with no success in between, close a tool. Those of fewer may
 * be odd orders of one person, so the house tries the tool itself. As many are let through in a pause of a closed tool.
 */
const ACCOUNTS_TO_CLOSE = 3;
const FAILURE_WINDOW_MS = 10 * 60_000;
/** An order that fails within the window was submitted at most so long before it. */
const SUBMIT_WINDOW_MS = 3 * 60 * 60_000;
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
/** Ceilings of one account. They say when it goes on. */
const OWN_CEILINGS: readonly EngineObstacle[] = ['engine_refusals_reached', 'engine_share_reached'];

type EngineName = Pick<GenerationEngine, 'name' | 'photosTravel'>;
type PricedEngine = EngineName & Pick<GenerationEngine, 'abilities' | 'outputsOfOrder' | 'priceOf'>;

interface AskedWork {
  kind: GenerationKind;
  /** Absent: the shortest video. */
  videoSeconds?: VideoSeconds | undefined;
  /** Who asks, and whether they have paid. Null asks for nobody in particular. */
  account: { id: number; isPremium: boolean } | null;
  /** How many outputs are made. Absent: all that the tool makes. */
  outputs?: number | undefined;
}

/** Why the engine takes no such order now. Null when it does. */
export async function findObstacle(
  app: Pick<AppContext, 'db' | 'config'>,
  engine: PricedEngine,
  asked: AskedWork,
): Promise<EngineObstacle | null> {
  if (engine.photosTravel === 'nowhere') return null;
  const { kind, account } = asked;
  for (const outage of await listOpenOutages(app, engine, kind)) {
    const isClosed = outage.retryAt > new Date() || (account && (await waitsForPause(app, outage, account.id)));
    if (isClosed) return REFUSALS[outage.cause];
  }
  // The whole order, or it would start and be refused when its jobs are submitted.
  return findCeiling(app.db, app.config, {
    engine: engine.name,
    micros: priceOrder(engine, asked),
    account: account && { id: account.id, isUnpaid: !account.isPremium },
  });
}

/** What the jobs of an order cost together, in millionths of the currency's unit. */
export function priceOrder(
  engine: Pick<PricedEngine, 'abilities' | 'outputsOfOrder' | 'priceOf'>,
  asked: Pick<AskedWork, 'kind' | 'videoSeconds' | 'outputs'>,
): number {
  const price = engine.priceOf(describeWork(engine, asked))?.micros ?? 0;
  const jobs = engine.outputsOfOrder === 'together' ? 1 : (asked.outputs ?? TOOLS[asked.kind].outputs.count);
  return price * jobs;
}

function describeWork(
  { abilities }: Pick<PricedEngine, 'abilities'>,
  { kind, videoSeconds }: Pick<AskedWork, 'kind' | 'videoSeconds'>,
): PricedWork {
  if (kind !== 'video') return { kind };
  return { kind, durationSeconds: videoSeconds ?? abilities.video?.seconds[0] ?? DEFAULT_VIDEO_SECONDS };
}

/** Which tools this account can start now. Null asks for nobody in particular. */
export async function describeOffer(
  app: Pick<AppContext, 'db' | 'config' | 'engines' | 'payments'>,
  accountId: number | null,
): Promise<ToolOffer> {
  const { engines } = app;
  const account = accountId === null ? null : { id: accountId, ...(await getPremiumStatus(app, accountId)) };
  const tools: ToolOffer['tools'] = [];
  for (const kind of GENERATION_KINDS) {
    const engine = engines.of(kind);
    const code = engine ? await findObstacle(app, engine, { kind, account }) : ('tool_not_offered' as const);
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
 * Throws what keeps the engine from taking this order as an AppError. Returns the tool's open outages. When there are
 * some, the order is started only after takeTrial.
 */
export async function assertEngineReady(
  app: Pick<AppContext, 'db' | 'config'>,
  engine: PricedEngine,
  asked: AskedWork,
): Promise<EngineOutage[]> {
  const obstacle = await findObstacle(app, engine, asked);
  if (obstacle) {
    const isOwn = OWN_CEILINGS.includes(obstacle);
    throw new AppError(obstacle, isOwn ? { retryAfter: await secondsUntilNextDay(app.db) } : {});
  }
  return engine.photosTravel === 'nowhere' ? [] : listOpenOutages(app, engine, asked.kind);
}

/**
 * Lets this order through although the engine fails, and refuses the others for another pause. Throws an AppError when
 * the pause of an outage has not passed or somebody else was let through. `orderId`: the generation that is to be started.
 * See returnTrial for when it is not.
 */
export async function takeTrial(app: WithDb, outages: readonly EngineOutage[], orderId: string): Promise<void> {
  await app.db.$transaction(async (tx) => {
    for (const { id, cause } of outages) {
      const now = new Date();
      const trial = await tx.engineOutage.updateMany({
        where: { id, closedAt: null, retryAt: { lte: now } },
        data: { retryAt: new Date(now.getTime() + trialPauseMs(cause)), trialGenerationId: orderId },
      });
      if (trial.count === 0) throw new AppError(REFUSALS[cause]);
    }
  });
}

/** The order was not started after all, or has ended without a result. If it was let through, the next one is now. */
export async function returnTrial(db: Pick<Tx, 'engineOutage'>, orderId: string): Promise<void> {
  await db.engineOutage.updateMany({
    where: { trialGenerationId: orderId, closedAt: null },
    data: { retryAt: new Date() },
  });
}

/**
 * An order has ended without a result. If it was let through during an outage, somebody else's is let through now: this
 * one may be odd, or its owner wants to keep the tool closed. After those of several accounts the tool waits.
 */
export async function passTrialOn(tx: Tx, { id }: Pick<Generation, 'id'>): Promise<void> {
  const outages = await tx.engineOutage.findMany({ where: { trialGenerationId: id, closedAt: null } });
  for (const outage of outages) {
    const where = trialsOf(outage);
    const accounts = await tx.generation.findMany({ where, distinct: ['accountId'], select: { accountId: true } });
    if (accounts.length >= ACCOUNTS_TO_CLOSE) return;
  }
  await returnTrial(tx, id);
}

/** Whether an order of the account was let through and has not shown that the engine works. It waits for a pause then. */
async function waitsForPause({ db }: WithDb, outage: EngineOutage, accountId: number): Promise<boolean> {
  return (await db.generation.count({ where: { ...trialsOf(outage), accountId } })) > 0;
}

/** Orders that were let through during an outage and are under way, or have ended within a pause without a result. */
function trialsOf({ engine, kind, cause, openedAt }: EngineOutage): Prisma.GenerationWhereInput {
  const finishedAt = { gte: new Date(Date.now() - trialPauseMs(cause)) };
  return {
    engine,
    ...(kind ? { kind } : {}),
    createdAt: { gte: openedAt },
    OR: [{ status: { in: [...ACTIVE_STATUSES] } }, { status: 'failed', finishedAt }],
  };
}

function listOpenOutages(app: WithDb, { name }: EngineName, kind: GenerationKind): Promise<EngineOutage[]> {
  const where = { engine: name, closedAt: null, OR: [{ kind }, { kind: null }] };
  return app.db.engineOutage.findMany({ where, orderBy: { id: 'asc' } });
}

function trialPauseMs(cause: EngineOutageCause): number {
  return OUTAGE_CAUSES[cause].trialMinutes * 60_000;
}

/**
 * Opens an outage if the provider wants money, or if this failure is one too many. What looks like a wrong setting may
 * be this one order, such as words that a firewall on the way refuses.
 */
export async function noteFailure(
  app: Pick<AppContext, 'db' | 'log' | 'queue'>,
  engine: EngineName,
  kind: GenerationKind,
  { code, detail }: Pick<EngineFailure, 'code' | 'detail'>,
): Promise<void> {
  if (engine.photosTravel === 'nowhere') return;
  if (code === 'engine_unfunded') await openOutage(app, { engine, kind: null, cause: 'unfunded', detail });
  else if (code === 'engine_misconfigured' || ENGINE_FAULTS.includes(code)) {
    const cause = code === 'engine_misconfigured' ? 'misconfigured' : 'failing';
    await closeOrTry(app, engine, kind, { cause, detail });
  }
}

/**
 * Closes the tool when orders of several accounts have failed. Otherwise, and while it is closed, the house tries it with
 * a photo of its own.
 */
async function closeOrTry(
  app: Pick<AppContext, 'db' | 'log' | 'queue'>,
  engine: EngineName,
  kind: GenerationKind,
  trouble: Pick<EngineOutage, 'cause' | 'detail'>,
): Promise<void> {
  const isClosed = (await listOpenOutages(app, engine, kind)).length > 0;
  if (!isClosed && (await countFailingAccounts(app, engine, kind)) >= ACCOUNTS_TO_CLOSE) {
    await openOutage(app, { engine, kind, ...trouble });
  } else if (!(await wasProbed(app.db, engine, kind))) {
    const payload = { engine: engine.name, kind };
    await app.db.$transaction((tx) => app.queue.send(tx, 'probe-engine', payload));
  }
}

/** Accounts whose orders failed at the engine lately, with none made since. */
async function countFailingAccounts(
  { db }: WithDb,
  { name: engine }: EngineName,
  kind: GenerationKind,
): Promise<number> {
  const now = Date.now();
  // The indexes are by the submit and by the start.
  const createdAt = { gte: new Date(now - SUBMIT_WINDOW_MS) };
  const success = await db.engineRun.findFirst({
    where: { engine, kind, createdAt, status: 'succeeded', finishedAt: { gte: new Date(now - FAILURE_WINDOW_MS) } },
    orderBy: { finishedAt: 'desc' },
    select: { finishedAt: true },
  });
  const since = success?.finishedAt ?? new Date(now - FAILURE_WINDOW_MS);
  const faults: string[] = [...ENGINE_FAULTS, 'engine_misconfigured' satisfies EngineFailureCode];
  // An engine that hangs reports no failure. Such orders are found by their end.
  const accounts = await db.$queryRaw<unknown[]>`
    select generation.account_id from engine_runs as run join generations as generation on generation.id = run.generation_id
    where run.engine = ${engine} and run.kind = ${kind}::generation_kind and run.created_at >= ${createdAt.gte}
      and run.failure_code = any(${faults}) and run.finished_at > ${since}
    union
    select account_id from generations
    where engine = ${engine} and kind = ${kind}::generation_kind and status = 'failed'
      and created_at >= ${createdAt.gte} and finished_at > ${since}
      and failure_code = ${'timed_out' satisfies GenerationFailureCode}
    limit ${ACCOUNTS_TO_CLOSE}`;
  return accounts.length;
}

/** An order was given up. The engine hangs or cannot be asked, so it has reported no failure. */
export async function noteOverdue(
  app: Pick<AppContext, 'db' | 'log' | 'queue'>,
  engine: EngineName,
  kind: GenerationKind,
): Promise<void> {
  if (engine.photosTravel === 'nowhere') return;
  await closeOrTry(app, engine, kind, { cause: 'failing', detail: 'orders were given up after half an hour' });
}

/**
 * The house's own order has failed after one of somebody else. `failure`: why. One about the photo or its rules tells
 * nothing about the engine.
 */
export async function noteFailedProbe(
  app: Pick<AppContext, 'db' | 'log' | 'queue'>,
  engine: EngineName,
  kind: GenerationKind,
  { code, detail }: Pick<EngineFailure, 'code' | 'detail'>,
): Promise<void> {
  if (code === 'engine_unfunded') await openOutage(app, { engine, kind: null, cause: 'unfunded', detail });
  else if (code === 'engine_misconfigured') await openOutage(app, { engine, kind, cause: 'misconfigured', detail });
  else if (ENGINE_FAULTS.includes(code)) await openOutage(app, { engine, kind, cause: 'failing', detail });
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
