import type { PremiumSources } from '#api/services/core/premium-status.ts';
import type { EngineFigures } from '#shared/contract/engines.ts';
import { ACTIVE_STATUSES, GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { isCountedPayment, isInRoubles } from './analytics-counts.ts';
import { type Count, type CountedMetric, findBounds, type Period, sumCounts } from './count-metrics.ts';

/** Costs are stored in millionths of the currency's unit. */
export const MICROS = 1_000_000;

const COST_METRICS = {
  amount: 'jobMicros',
  resubmits: 'resubmitMicros',
  rerolls: 'rerollMicros',
  uncertain: 'uncertainMicros',
} as const satisfies Record<string, CountedMetric>;
const ENGINE_METRICS = [
  ...(['completed', 'failed', 'waited', 'starsSpent', 'jobs'] as const),
  ...Object.values(COST_METRICS),
] satisfies CountedMetric[];

/** A count about an engine and a tool. */
interface EngineCount {
  metric: CountedMetric | 'active';
  engine: string;
  kind: GenerationKind;
  /** The third part of what it is about: a failure's code, seconds or a currency. */
  detail: string;
  amount: number;
}

/** The figures of the orders that were placed in the period, by engine and tool. */
export async function readEngineAnalytics(
  app: PremiumSources,
  period: Period,
): Promise<{ engines: EngineFigures[]; starPriceRub: number | null }> {
  const paid = await sumCounts(app, ['paidStars', 'paidMinor'], period);
  const starPriceRub = findStarPrice(paid.filter((count) => isCountedPayment(app, count) && isInRoubles(count)));
  const ended = await sumCounts(app, ENGINE_METRICS, period);
  const counts = [...ended.map(readAbout), ...(await countActive(app, period))];
  const engines = [...Map.groupBy(counts, ({ engine, kind }) => `${engine}/${kind}`).values()]
    .flatMap(([first, ...others]) => (first ? [describeOrders([first, ...others], starPriceRub)] : []))
    // An engine without orders has only made jobs of another one's.
    .filter(({ orders }) => orders > 0)
    .sort((a, b) => a.engine.localeCompare(b.engine) || placeOf(a) - placeOf(b));
  return { engines, starPriceRub };
}

function readAbout({ metric, about, amount }: Count): EngineCount {
  const [engine = '', kind, detail = ''] = about.split('/');
  return { metric, engine, kind: kind as GenerationKind, detail, amount };
}

/** Orders that have not ended. There are never many of them. */
async function countActive({ db }: PremiumSources, period: Period): Promise<EngineCount[]> {
  const { from, until } = findBounds(period);
  const rows = await db.generation.groupBy({
    by: ['engine', 'kind'],
    where: { status: { in: [...ACTIVE_STATUSES] }, createdAt: { gte: from, lt: until } },
    _count: true,
  });
  return rows.map(({ engine, kind, _count }) => ({ metric: 'active', engine, kind, detail: '', amount: _count }));
}

/** The figures of one engine and tool. */
function describeOrders(counts: [EngineCount, ...EngineCount[]], starPriceRub: number | null): EngineFigures {
  const [{ engine, kind }] = counts;
  const listOf = (metric: EngineCount['metric']) => counts.filter((count) => count.metric === metric);
  const sumOf = (metric: EngineCount['metric']) => addUp(listOf(metric));
  const failures = listOf('failed');
  const cancelled = failures.filter(({ detail }) => detail === 'cancelled');
  const failed = failures.filter(({ detail }) => detail !== 'cancelled' && detail !== '');
  const waits = listOf('waited')
    .map(({ detail, amount }) => ({ seconds: Number(detail), amount }))
    .sort((a, b) => a.seconds - b.seconds);
  const stars = sumOf('starsSpent');
  return {
    engine,
    kind,
    orders: sumOf('completed') + addUp(failures) + sumOf('active'),
    completed: sumOf('completed'),
    cancelled: addUp(cancelled),
    failed: addUp(failed),
    failures: failed
      .map(({ detail: code, amount: count }) => ({ code, count }))
      .sort((a, b) => b.count - a.count || a.code.localeCompare(b.code)),
    medianSeconds: findPercentile(waits, 0.5),
    p90Seconds: findPercentile(waits, 0.9),
    jobs: sumOf('jobs'),
    costs: listCosts(counts),
    stars,
    revenueRub: starPriceRub === null ? null : stars * starPriceRub,
  };
}

/** The costs in each currency. Jobs that cost nothing have none. */
function listCosts(counts: readonly EngineCount[]): EngineFigures['costs'] {
  const currencies = new Set(counts.filter(({ metric }) => metric === 'jobs').map(({ detail }) => detail));
  const sumOf = (currency: string, metric: CountedMetric) =>
    addUp(counts.filter((count) => count.metric === metric && count.detail === currency)) / MICROS;
  return [...currencies]
    .filter((currency) => currency !== '')
    .sort()
    .map((currency) => ({
      currency,
      amount: sumOf(currency, COST_METRICS.amount),
      resubmits: sumOf(currency, COST_METRICS.resubmits),
      rerolls: sumOf(currency, COST_METRICS.rerolls),
      uncertain: sumOf(currency, COST_METRICS.uncertain),
    }));
}

/** A percentile in seconds, as PostgreSQL's percentile_cont computes it. Null without any wait. */
function findPercentile(waits: readonly { seconds: number; amount: number }[], share: number): number | null {
  const count = addUp(waits);
  if (count === 0) return null;
  const place = share * (count - 1);
  const [below, above] = [secondsAt(waits, Math.floor(place)), secondsAt(waits, Math.ceil(place))];
  return below + (above - below) * (place - Math.floor(place));
}

/** The value at a place, from 0, of the sorted waits. */
function secondsAt(waits: readonly { seconds: number; amount: number }[], place: number): number {
  let passed = 0;
  for (const { seconds, amount } of waits) {
    passed += amount;
    if (passed > place) return seconds;
  }
  return Number.NaN;
}

/** Roubles for one star. Payments in Telegram Stars have no price in roubles and are left out. */
function findStarPrice(paid: readonly Count[]): number | null {
  const sumOf = (metric: CountedMetric) => addUp(paid.filter((count) => count.metric === metric));
  const stars = sumOf('paidStars');
  return stars > 0 ? sumOf('paidMinor') / 100 / stars : null;
}

function addUp(counts: readonly { amount: number }[]): number {
  return counts.reduce((sum, { amount }) => sum + amount, 0);
}

function placeOf({ kind }: Pick<EngineFigures, 'kind'>): number {
  return GENERATION_KINDS.indexOf(kind);
}
