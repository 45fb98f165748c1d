import path from 'node:path';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import {
  type CatalogueSettings,
  type DescribeWrong,
  ENGINE_NAMES,
  type EngineName,
  type Settings,
} from './settings.ts';

/** The templates for ComfyUI that come with the code. */
const SHIPPED_WORKFLOWS = path.join(import.meta.dirname, '../adapters/generation-engines/comfyui/workflows');

/** The settings without which an engine cannot be called. */
const ENGINE_KEYS = {
  local: [],
  fal: ['FAL_KEY'],
  comfyui: ['COMFYUI_URLS'],
} as const satisfies Record<EngineName, readonly (keyof Settings)[]>;

/** Paid by the run. */
const PRICED_ENGINES: readonly EngineName[] = ['fal'];

/** Finds missing settings of the engines that are chosen. */
export function findEngineProblems(values: Settings, wrong: DescribeWrong): string[] {
  const chosen = new Set([values.ENGINE, ...Object.values(chooseEngines(values))]);
  const missing = ENGINE_NAMES.filter((name) => chosen.has(name)).flatMap((name) =>
    ENGINE_KEYS[name].filter((key) => !values[key]).map((key) => wrong(key, `must be set for the engine ${name}`)),
  );
  const isPriced = PRICED_ENGINES.some((name) => chosen.has(name));
  if (values.NODE_ENV === 'production' && isPriced && values.ENGINE_DAILY_BUDGET === undefined) {
    missing.push(wrong('ENGINE_DAILY_BUDGET', 'must be set in production for an engine that is paid by the run'));
  }
  return missing;
}

/** The engine of new orders, by tool. */
function chooseEngines(values: Settings): Record<GenerationKind, EngineName> {
  return {
    video: values.ENGINE_VIDEO ?? values.ENGINE,
    model_change: values.ENGINE_MODEL_CHANGE ?? values.ENGINE,
    photosession: values.ENGINE_PHOTOSESSION ?? values.ENGINE,
    try_on: values.ENGINE_TRY_ON ?? values.ENGINE,
  };
}

/** What the engines need to work. */
export function readEngines(values: Settings) {
  const budget = values.ENGINE_DAILY_BUDGET;
  return {
    engines: chooseEngines(values),
    /** What an engine may cost a day, in millionths of its provider's currency. Null: no ceiling. */
    engineDailyBudgetMicros: budget === undefined ? null : Math.round(budget * 1e6),
    /** How many orders a day remote engines take for all accounts together that have never paid. Null: no ceiling. */
    engineFreeRuns: values.ENGINE_FREE_RUNS ?? null,
    /** How many rows of batches run at once for an account that has paid. */
    parallelItems: values.PARALLEL_ITEMS,
    fal: readFal(values),
    /** Null without addresses of servers. */
    comfyui: values.COMFYUI_URLS
      ? {
          urls: values.COMFYUI_URLS,
          token: values.COMFYUI_TOKEN,
          workflowsDir: path.resolve(values.ENGINE_WORKFLOWS_DIR ?? SHIPPED_WORKFLOWS),
        }
      : null,
  };
}

/** How fal is called. Null without a key. */
export function readFal(values: CatalogueSettings) {
  if (!values.FAL_KEY) return null;
  return {
    key: values.FAL_KEY,
    queueUrl: values.FAL_QUEUE_URL,
    restUrl: values.FAL_REST_URL,
    /** Null: fal is not asked for notifications, because nobody could tell ours from those of others. */
    webhooks: values.FAL_USER_ID ? { jwksUrl: values.FAL_JWKS_URL, userId: values.FAL_USER_ID } : null,
    /** Undefined: the table that comes with the code. */
    modelsFile: values.ENGINE_MODELS && path.resolve(values.ENGINE_MODELS),
  };
}
