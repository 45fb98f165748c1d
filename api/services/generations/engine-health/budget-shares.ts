import type { GenerationEngine } from '#api/adapters/generation-engines/generation-engine.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { SHARE_OF_BUDGET } from './engine-budget.ts';
import { priceOrder } from './engine-outages.ts';

type PricedEngine = Pick<GenerationEngine, 'name' | 'abilities' | 'outputsOfOrder' | 'priceOf'>;

/**
 * What an operator should know of a day's budget of which the share of one account does not pay for the dearest order
 * that the engine gets. Null when it does, and without a budget.
 */
export function warnOfSmallShares(
  { engines, engineDailyBudgetMicros: budget }: Pick<AppContext['config'], 'engines' | 'engineDailyBudgetMicros'>,
  engine: PricedEngine,
): string | null {
  const kinds = GENERATION_KINDS.filter((kind) => engines[kind] === engine.name);
  const orders = kinds.flatMap((kind) =>
    kind === 'video'
      ? (engine.abilities.video?.seconds ?? []).map((videoSeconds) => priceOrder(engine, { kind, videoSeconds }))
      : [priceOrder(engine, { kind })],
  );
  const dearest = Math.max(0, ...orders);
  if (budget === null || dearest <= budget * SHARE_OF_BUDGET.unpaid) return null;
  const { unpaid, paid } = SHARE_OF_BUDGET;
  const needed = (share: number) => Math.ceil(dearest / share / 10_000) / 100;
  const ofUnpaid = `an account that has never paid may use ${100 * unpaid} % of it a day, so it needs ${needed(unpaid)}`;
  const ofPaid =
    dearest > budget * paid
      ? `, and one that has paid may use ${100 * paid} %, for which ${needed(paid)} is needed`
      : '';
  return `ENGINE_DAILY_BUDGET is ${budget / 1e6}, and the dearest order of ${engine.name} costs ${dearest / 1e6}: ${ofUnpaid}${ofPaid}`;
}
