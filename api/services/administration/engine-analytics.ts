import { isCountedPayment, type PremiumSources } from '#api/services/core/premium-status.ts';
import { Prisma } from '#prisma/generated/client.ts';
import type { EngineFigures } from '#shared/contract/engines.ts';
import { GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { isInPeriod, type Period } from './moscow-days.ts';

/** Costs are stored in millionths of the currency's unit. */
export const MICROS = 1_000_000;

export interface CostSums {
  jobs: number;
  /** All of it. The parts are below. */
  micros: number;
  resubmits: number;
  rerolls: number;
  uncertain: number;
}

/** These sums over rows of `engine_runs`, called `runs`. An interrupted job is uncertain only, so that no parts overlap. */
export const COST_SUMS = Prisma.sql`
  count(*)::int as jobs, coalesce(sum(cost_micros), 0)::float8 as micros,
  coalesce(sum(cost_micros) filter (where runs.status <> 'uncertain' and reason not in ('first', 'reroll')), 0)::float8
    as resubmits,
  coalesce(sum(cost_micros) filter (where runs.status <> 'uncertain' and reason = 'reroll'), 0)::float8 as rerolls,
  coalesce(sum(cost_micros) filter (where runs.status = 'uncertain'), 0)::float8 as uncertain`;

interface Maker {
  engine: string;
  kind: GenerationKind;
}

/** The figures of the orders that were placed in the period, by engine and tool. */
export async function readEngineAnalytics(
  app: PremiumSources,
  period: Period,
): Promise<{ engines: EngineFigures[]; starPriceRub: number | null }> {
  const starPriceRub = await readStarPrice(app, period);
  const orders = await readOrders(app, period);
  const failures = await readFailures(app, period);
  const stars = await readStars(app, period);
  const costs = await readCosts(app, period);
  // An engine without orders has only made jobs of another one's.
  const engines = orders.map(({ seconds, ...row }): EngineFigures => {
    const isSame = ({ engine, kind }: Maker) => engine === row.engine && kind === row.kind;
    const failed = failures.filter(isSame).map(({ code, count }) => ({ code, count }));
    const spent = stars.find(isSame)?.stars ?? 0;
    const made = costs.filter(isSame);
    return {
      ...row,
      failed: failed.reduce((sum, { count }) => sum + count, 0),
      failures: failed.sort((a, b) => b.count - a.count || a.code.localeCompare(b.code)),
      medianSeconds: seconds?.[0] ?? null,
      p90Seconds: seconds?.[1] ?? null,
      jobs: made.reduce((sum, { jobs }) => sum + jobs, 0),
      costs: made.flatMap(({ currency, micros, resubmits, rerolls, uncertain }) =>
        currency === null
          ? []
          : {
              currency,
              amount: micros / MICROS,
              resubmits: resubmits / MICROS,
              rerolls: rerolls / MICROS,
              uncertain: uncertain / MICROS,
            },
      ),
      stars: spent,
      revenueRub: starPriceRub === null ? null : spent * starPriceRub,
    };
  });
  const placeOf = ({ kind }: Maker) => GENERATION_KINDS.indexOf(kind);
  engines.sort((a, b) => a.engine.localeCompare(b.engine) || placeOf(a) - placeOf(b));
  return { engines, starPriceRub };
}

/** Roubles for one star. Payments in Telegram Stars have no price in roubles and are left out. */
async function readStarPrice(app: PremiumSources, period: Period): Promise<number | null> {
  const [sold] = await app.db.$queryRaw<[{ stars: number; kopecks: number }]>`
    select coalesce(sum(stars), 0)::float8 as stars, coalesce(sum(amount_minor), 0)::float8 as kopecks
    from payments
    where status = 'succeeded' and currency = 'RUB' and ${isCountedPayment(app)} and ${isInPeriod(period, 'paid_at')}`;
  return sold.stars > 0 ? sold.kopecks / 100 / sold.stars : null;
}

interface Orders extends Maker {
  orders: number;
  completed: number;
  cancelled: number;
  /** Median and 90th percentile of the completed ones. Null without any. */
  seconds: [median: number, p90: number] | null;
}

function readOrders({ db }: PremiumSources, period: Period): Promise<Orders[]> {
  return db.$queryRaw`
    select engine, kind, count(*)::int as orders, (count(*) filter (where status = 'completed'))::int as completed,
      (count(*) filter (where status = 'failed' and failure_code = 'cancelled'))::int as cancelled,
      percentile_cont(array[0.5, 0.9]) within group (order by round(extract(epoch from finished_at - created_at))::float8)
        filter (where status = 'completed') as seconds
    from generations where ${isInPeriod(period, 'created_at')} group by engine, kind`;
}

function readFailures({ db }: PremiumSources, period: Period): Promise<(Maker & { code: string; count: number })[]> {
  return db.$queryRaw`
    select engine, kind, failure_code as code, count(*)::int as count
    from generations
    where status = 'failed' and failure_code <> 'cancelled' and ${isInPeriod(period, 'created_at')}
    group by engine, kind, failure_code`;
}

function readStars({ db }: PremiumSources, period: Period): Promise<(Maker & { stars: number })[]> {
  return db.$queryRaw`
    select engine, generations.kind, -sum(delta)::int as stars
    from star_entries join generations on generations.id = generation_id
    where status in ('completed', 'failed') and ${isInPeriod(period, 'generations.created_at')}
    group by engine, generations.kind`;
}

/** An order of the house itself counts on its own day. */
function readCosts(
  { db }: PremiumSources,
  period: Period,
): Promise<(Maker & CostSums & { currency: string | null })[]> {
  return db.$queryRaw`
    select runs.engine, runs.kind, currency, ${COST_SUMS}
    from engine_runs as runs left join generations on generations.id = generation_id
    where ${isInPeriod(period, 'coalesce(generations.created_at, runs.created_at)')}
    group by runs.engine, runs.kind, currency order by currency`;
}
