import * as z from 'zod/mini';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { ASPECT_RATIOS } from '#shared/rules/motion-presets.ts';
import { VIDEO_SECONDS } from '#shared/rules/prices.ts';
import { CHANGES, FRAME_SORTS, MOVERS, PHOTOS_TRAVEL } from '#shared/rules/tool-abilities.ts';
import { analyticsPeriod } from './analytics.ts';
import { defineEndpoint } from './endpoint.ts';

const ENGINE_NAMES: Record<string, string> = { local: 'Встроенный', comfyui: 'ComfyUI' };

export function nameEngine(engine: string): string {
  return ENGINE_NAMES[engine] ?? engine;
}

const OUTAGE_CAUSE_NAMES = ['unfunded', 'misconfigured', 'failing'] as const;
type OutageCause = (typeof OUTAGE_CAUSE_NAMES)[number];

/**
 * Why an engine takes no orders. `remedy`: what the operator does about it. `trialMinutes`: pause before one order is
 * let through to see whether the engine works again.
 */
export const OUTAGE_CAUSES: Record<OutageCause, { name: string; remedy: string; trialMinutes: number }> = {
  unfunded: {
    name: 'Закончились деньги у провайдера',
    remedy: 'Пополните баланс в личном кабинете провайдера.',
    trialMinutes: 10,
  },
  misconfigured: {
    name: 'Движок не принимает настройки',
    remedy: 'Проверьте ключ доступа, таблицу моделей и шаблон этого инструмента.',
    trialMinutes: 10,
  },
  failing: {
    name: 'Задания не получаются одно за другим',
    remedy: 'Посмотрите журнал сервера и проверьте, работает ли сам движок.',
    trialMinutes: 2,
  },
};

export const ENDED_OUTAGES_DAYS = 30;

const engineOutage = z.object({
  id: z.uuid(),
  engine: z.string(),
  /** Null: all tools of the engine. */
  kind: z.nullable(z.enum(GENERATION_KINDS)),
  cause: z.enum(OUTAGE_CAUSE_NAMES),
  detail: z.string(),
  openedAt: z.iso.datetime(),
  /** From then on the next order is a trial. */
  retryAt: z.iso.datetime(),
  closedAt: z.nullable(z.iso.datetime()),
  /** False: new orders go to another engine, so nothing tries this one. */
  hasOrders: z.boolean(),
});
export type AdminOutage = z.infer<typeof engineOutage>;

const engineTool = z.object({
  kind: z.enum(GENERATION_KINDS),
  /** Null: no engine makes it, so the tool is not offered. */
  engine: z.nullable(
    z.object({
      name: z.string(),
      photosTravel: z.enum(PHOTOS_TRAVEL),
      abilities: z.partial(
        z.object({
          mover: z.enum(MOVERS),
          seconds: z.readonly(z.array(z.literal(VIDEO_SECONDS))),
          aspectRatios: z.readonly(z.array(z.enum(ASPECT_RATIOS))),
          change: z.enum(CHANGES),
          frames: z.enum(FRAME_SORTS),
        }),
      ),
    }),
  ),
  /** Why nothing can be started now, in the words that people read. Null when it can. */
  obstacle: z.nullable(z.string()),
});
export type AdminEngineTool = z.infer<typeof engineTool>;

export const engineStates = z.object({
  tools: z.array(engineTool),
  /** Open ones first, then those that ended in the last 30 days, the newest first. */
  outages: z.array(engineOutage),
  /** Engines outside this server. Days begin at midnight, UTC. */
  spentToday: z.array(z.object({ engine: z.string(), amount: z.number(), currency: z.nullable(z.string()) })),
  /** For each engine, in the currency of its provider. Null: no ceiling. */
  dailyBudget: z.nullable(z.number()),
  freeRunsToday: z.int(),
  /** Null: no ceiling. */
  freeRunsPerDay: z.nullable(z.int()),
});
export type EngineStates = z.infer<typeof engineStates>;

export const getEngineStates = defineEndpoint({
  method: 'GET',
  path: '/api/admin/engines',
  summary: 'Which engine makes what, what does not work, and what was spent today',
  access: 'admin',
  answer: engineStates,
});

export const tryEngineAgain = defineEndpoint({
  method: 'POST',
  path: '/api/admin/engine-outages/:id/trial',
  summary: 'Lets one order through now, to see whether the engine works again',
  access: 'admin',
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  errors: ['outage_not_found'],
});

/** Money in the currency of an engine's provider. */
const engineCost = z.object({
  /** ISO 4217. */
  currency: z.string(),
  amount: z.number(),
  /** Parts of the amount. `uncertain`: submits of which nobody knows whether they arrived. */
  resubmits: z.number(),
  rerolls: z.number(),
  uncertain: z.number(),
});

/**
 * What an engine has made of a tool's orders that were placed in the period, and what it cost. Jobs and costs belong to
 * the day of their order, so that costs and revenue are of the same orders.
 */
export const engineFigures = z.object({
  engine: z.string(),
  kind: z.enum(GENERATION_KINDS),
  orders: z.int(),
  completed: z.int(),
  cancelled: z.int(),
  failed: z.int(),
  /** The failed ones by their code, the most frequent first. */
  failures: z.array(z.object({ code: z.string(), count: z.int() })),
  /** Seconds from the order to the result, median and 90th percentile. Null without a result. */
  medianSeconds: z.nullable(z.number()),
  p90Seconds: z.nullable(z.number()),
  jobs: z.int(),
  costs: z.array(engineCost),
  stars: z.int(),
  /** The stars at `starPriceRub`. Null without a price. */
  revenueRub: z.nullable(z.number()),
});
export type EngineFigures = z.infer<typeof engineFigures>;

export const getEngineAnalytics = defineEndpoint({
  method: 'GET',
  path: '/api/analytics/engines',
  summary: 'Orders, times, failures and costs of a period by engine and tool',
  access: 'admin',
  query: analyticsPeriod,
  answer: z.object({
    engines: z.array(engineFigures),
    /** Roubles paid for stars in the period, divided by those stars. Null when none were sold for roubles. */
    starPriceRub: z.nullable(z.number()),
  }),
});
export const downloadEngineAnalytics = defineEndpoint({
  method: 'GET',
  path: '/api/analytics/engines.csv',
  summary: 'The figures by engine and tool as a CSV file',
  access: 'admin',
  query: analyticsPeriod,
});
