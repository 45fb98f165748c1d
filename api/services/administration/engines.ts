import { AppError } from '#api/platform/errors.ts';
import { isUuid } from '#api/platform/uuid.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { recordAudit } from '#api/services/core/audit.ts';
import { countUnpaid, readStartOfDay, sumSpent } from '#api/services/generations/engine-health/engine-budget.ts';
import { findObstacle, requestTrial } from '#api/services/generations/engine-health/engine-outages.ts';
import {
  type AdminEngineTool,
  type AdminOutage,
  ENDED_OUTAGES_DAYS,
  type EngineStates,
} from '#shared/contract/engines.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { MICROS } from './engine-analytics.ts';

const DAY_MS = 86_400_000;
/** More are of no use to a reader. */
const ENDED_OUTAGES_MAX = 100;

type Engines = Pick<AppContext, 'db' | 'config' | 'engines'>;

/** What the operator wants to know of the engines: which makes what, what does not work, what was spent today. */
export async function readEngineStates(app: Engines): Promise<EngineStates> {
  const { engineDailyBudgetMicros: budget, engineFreeRuns } = app.config;
  const today = await readStartOfDay(app.db);
  return {
    tools: await listTools(app),
    outages: await listOutages(app),
    spentToday: await listSpending(app, today),
    dailyBudget: budget === null ? null : budget / MICROS,
    freeRunsToday: await countUnpaid(app.db, today),
    freeRunsPerDay: engineFreeRuns,
  };
}

async function listTools(app: Engines): Promise<AdminEngineTool[]> {
  const tools: AdminEngineTool[] = [];
  for (const kind of GENERATION_KINDS) {
    const engine = app.engines.of(kind);
    const abilities = engine?.abilities[kind] ?? {};
    const obstacle = engine && (await findObstacle(app, engine, { kind, account: null }));
    tools.push({
      kind,
      engine: engine && {
        name: engine.name,
        photosTravel: engine.photosTravel,
        // A tool without variants is only said to be made.
        abilities: abilities === true ? {} : abilities,
      },
      obstacle: obstacle && ERRORS[obstacle].message,
    });
  }
  return tools;
}

async function listOutages({ db, engines }: Engines): Promise<AdminOutage[]> {
  const open = await db.engineOutage.findMany({ where: { closedAt: null }, orderBy: { openedAt: 'desc' } });
  const ended = await db.engineOutage.findMany({
    where: { closedAt: { gte: new Date(Date.now() - ENDED_OUTAGES_DAYS * DAY_MS) } },
    orderBy: { openedAt: 'desc' },
    take: ENDED_OUTAGES_MAX,
  });
  const gets = (engine: string, kind: GenerationKind) => engines.of(kind)?.name === engine;
  return [...open, ...ended].map(({ id, engine, kind, cause, detail, openedAt, retryAt, closedAt }) => ({
    id,
    engine,
    kind,
    cause,
    detail,
    openedAt: openedAt.toISOString(),
    retryAt: retryAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
    hasOrders: kind ? gets(engine, kind) : GENERATION_KINDS.some((one) => gets(engine, one)),
  }));
}

async function listSpending({ db, engines }: Engines, today: Date): Promise<EngineStates['spentToday']> {
  const spent: EngineStates['spentToday'] = [];
  for (const { name, photosTravel } of engines.all) {
    if (photosTravel === 'nowhere') continue;
    const newest = await db.engineRun.findFirst({
      where: { engine: name, currency: { not: null } },
      orderBy: { createdAt: 'desc' },
      select: { currency: true },
    });
    const amount = (await sumSpent(db, today, name)) / MICROS;
    spent.push({ engine: name, amount, currency: newest?.currency ?? null });
  }
  return spent;
}

/** Lets one order through to an engine that takes none. Throws AppError outage_not_found. */
export async function tryEngineAgain({ db }: WithDb, adminId: number, outageId: string): Promise<void> {
  if (!isUuid(outageId)) throw new AppError('outage_not_found');
  await db.$transaction(async (tx) => {
    const { outage, isNew } = await requestTrial(tx, outageId);
    if (!isNew) return;
    const { engine, kind, cause } = outage;
    await recordAudit(tx, {
      adminId,
      accountId: null,
      action: 'engine_trial_requested',
      details: { engine, tool: kind, cause },
    });
  });
}
