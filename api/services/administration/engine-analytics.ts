import type { PremiumSources } from '#api/services/ground/premium-status.ts';
import { Prisma } from '#prisma/generated/client.ts';
import type { EngineFigures } from '#shared/contract/engines.ts';
import { matchPaid, matchPeriod, type Period } from './analytics-counts.ts';

/** Costs are stored in millionths of the currency's unit. */
export const MICROS = 1_000_000;

/**
 * Sums of rows of `engine_runs`, in millionths. A job that was submitted again and then interrupted counts as uncertain
 * only, so that the parts do not overlap.
 */
export const SELECT_COSTS = Prisma.sql`
  count(*)::int as jobs,
  coalesce(sum(cost_micros), 0)::float8 as micros,
  coalesce(sum(cost_micros) filter (where status <> 'uncertain' and reason not in ('first', 'reroll')), 0)::float8
    as resubmits,
  coalesce(sum(cost_micros) filter (where status <> 'uncertain' and reason = 'reroll'), 0)::float8 as rerolls,
  coalesce(sum(cost_micros) filter (where status = 'uncertain'), 0)::float8 as uncertain`;

export interface CostSums {
  jobs: number;
  /** In millionths, as the parts below. */
  micros: number;
  resubmits: number;
  rerolls: number;
  uncertain: number;
}

type Key = Pick<EngineFigures, 'engine' | 'kind'>;
interface Outcomes extends Key {
  orders: number;
  completed: number;
  cancelled: number;
  failed: number;
  medianSeconds: number | null;
  p90Seconds: number | null;
}

/** The figures of the orders that were placed in the period, by engine and tool. */
export async function readEngineAnalytics(
  app: PremiumSources,
  period: Period,
): Promise<{ engines: EngineFigures[]; starPriceRub: number | null }> {
  const ordered = matchPeriod(period, 'generations.created_at');
  // One after another, because they share the one connection of the embedded database anyway.
  const outcomes = await listOutcomes(app, ordered);
  const failures = await app.db.$queryRaw<(Key & { code: string; count: number })[]>`
    select engine, kind::text as kind, failure_code as code, count(*)::int as count from generations
    where ${ordered} and status = 'failed' and failure_code <> 'cancelled'
    group by engine, kind, failure_code order by count desc, code`;
  const costs = await app.db.$queryRaw<(Key & CostSums & { currency: string | null })[]>`
    select engine_runs.engine, engine_runs.kind::text as kind, currency, ${SELECT_COSTS}
    from (
      select runs.* from engine_runs runs join generations on generations.id = runs.generation_id where ${ordered}
    ) as engine_runs
    group by engine_runs.engine, engine_runs.kind, currency order by currency`;
  const stars = await app.db.$queryRaw<(Key & { stars: number })[]>`
    select generations.engine, generations.kind::text as kind, -sum(star_entries.delta)::int as stars
    from generations join star_entries on star_entries.generation_id = generations.id
    where ${ordered} and generations.status in ('completed', 'failed')
    group by generations.engine, generations.kind`;
  const starPriceRub = await readStarPrice(app, period);
  const engines = outcomes.map((row): EngineFigures => {
    const isSame = ({ engine, kind }: Key) => engine === row.engine && kind === row.kind;
    const ownCosts = costs.filter(isSame);
    const spent = stars.find(isSame)?.stars ?? 0;
    return {
      ...row,
      failures: failures.filter(isSame).map(({ code, count }) => ({ code, count })),
      jobs: ownCosts.reduce((sum, { jobs }) => sum + jobs, 0),
      costs: ownCosts.flatMap(({ currency, ...sums }) => (currency === null ? [] : [toCost(currency, sums)])),
      stars: spent,
      revenueRub: starPriceRub === null ? null : spent * starPriceRub,
    };
  });
  return { engines, starPriceRub };
}

function listOutcomes(app: PremiumSources, ordered: Prisma.Sql): Promise<Outcomes[]> {
  const wait = (share: number) => Prisma.sql`
    percentile_cont(${share}::float8) within group (order by extract(epoch from finished_at - created_at))
      filter (where status = 'completed')::float8`;
  return app.db.$queryRaw<Outcomes[]>`
    select engine, kind::text as kind, count(*)::int as orders,
      count(*) filter (where status = 'completed')::int as completed,
      count(*) filter (where status = 'failed' and failure_code = 'cancelled')::int as cancelled,
      count(*) filter (where status = 'failed' and failure_code <> 'cancelled')::int as failed,
      ${wait(0.5)} as "medianSeconds", ${wait(0.9)} as "p90Seconds"
    from generations where ${ordered}
    group by engine, generations.kind order by engine, generations.kind`;
}

function toCost(currency: string, sums: CostSums): EngineFigures['costs'][number] {
  const [amount = 0, resubmits = 0, rerolls = 0, uncertain = 0] = [
    ...[sums.micros, sums.resubmits, sums.rerolls, sums.uncertain],
  ].map((micros) => micros / MICROS);
  return { currency, amount, resubmits, rerolls, uncertain };
}

/** Roubles for one star. Payments in Telegram Stars have no price in roubles and are left out. */
async function readStarPrice(app: PremiumSources, period: Period): Promise<number | null> {
  const [sold] = await app.db.$queryRaw<{ stars: number; minor: number }[]>`
    select coalesce(sum(stars), 0)::float8 as stars, coalesce(sum(amount_minor), 0)::float8 as minor from payments
    where payments.currency = 'RUB' and ${matchPaid(app, period)}`;
  return sold && sold.stars > 0 ? sold.minor / 100 / sold.stars : null;
}
