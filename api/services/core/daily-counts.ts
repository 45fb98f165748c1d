import type { AppContext } from '#api/services/app-context.ts';
import { Prisma } from '#prisma/generated/client.ts';

/** Days in Moscow time, YYYY-MM-DD, both included. An absent side has no limit. */
export interface Period {
  startDate?: string | undefined;
  endDate?: string | undefined;
}

export type CountedMetric =
  | 'registrations'
  | 'videos'
  | 'events'
  | 'completed'
  | 'failed'
  | 'waited'
  | 'starsSpent'
  | 'jobs'
  | 'jobMicros'
  | 'resubmitMicros'
  | 'rerollMicros'
  | 'uncertainMicros'
  | 'pendingPayments'
  | 'payments'
  | 'paidStars'
  | 'paidMinor'
  | 'refunds'
  | 'refundedStars'
  | 'refundedMinor';

export interface Count {
  metric: CountedMetric;
  /** What it is about, the parts divided by slashes. */
  about: string;
  amount: number;
}

const DAY_MS = 86_400_000;
/** Moscow's offset from UTC. It has been constant since before the service began. */
const MOSCOW_OFFSET_MS = 3 * 3_600_000;
/** Both the database and Date can handle these days. */
const FIRST_DAY = '1970-01-01';
const LAST_DAY = '9998-12-31';

/** What is counted is about, for payments and refunds. */
const ABOUT_PAYMENT = Prisma.sql`provider || '/' || currency || case when is_test then '/test' else '' end`;

/**
 * The rows that the metrics are counted from: metric, moment, what it is about, amount. `isIn`: the condition that this
 * column is in the period.
 */
type Source = (isIn: (column: string) => Prisma.Sql) => Prisma.Sql;

/** An order counts on the day on which it was placed, with all that was spent on it, once it has ended. */
const SOURCES: { metrics: readonly CountedMetric[]; select: Source }[] = [
  {
    metrics: ['registrations'],
    select: (isIn) => Prisma.sql`select 'registrations', created_at, '', 1 from accounts where ${isIn('created_at')}`,
  },
  {
    metrics: ['events'],
    select: (isIn) =>
      Prisma.sql`select 'events', created_at, name, 1 from analytics_events where ${isIn('created_at')}`,
  },
  {
    // On the day on which it was ready.
    metrics: ['videos'],
    select: (isIn) => Prisma.sql`
      select 'videos', finished_at, '', 1 from generations
      where kind = 'video' and status = 'completed' and ${isIn('finished_at')}`,
  },
  {
    metrics: ['completed', 'failed', 'waited'],
    select: (isIn) => Prisma.sql`
      select ended.metric, created_at, engine || '/' || kind || ended.detail, 1
      from generations, lateral (
        select status::text, case when status = 'failed' then '/' || coalesce(failure_code, '') else '' end
        union all
        select 'waited', '/' || round(extract(epoch from finished_at - created_at))
        where status = 'completed' and finished_at is not null
      ) as ended (metric, detail)
      where status in ('completed', 'failed') and ${isIn('created_at')}`,
  },
  {
    metrics: ['starsSpent'],
    select: (isIn) => Prisma.sql`
      select 'starsSpent', generations.created_at, engine || '/' || generations.kind, -delta
      from star_entries join generations on generations.id = generation_id
      where status in ('completed', 'failed') and ${isIn('generations.created_at')}`,
  },
  {
    // An order of the house itself counts on its own day. An interrupted job is uncertain only, so that the parts do not
    // overlap.
    metrics: ['jobs', 'jobMicros', 'resubmitMicros', 'rerollMicros', 'uncertainMicros'],
    select: (isIn) => Prisma.sql`
      select part.metric, coalesce(generations.created_at, runs.created_at),
        runs.engine || '/' || runs.kind || '/' || coalesce(currency, ''), part.amount
      from engine_runs as runs left join generations on generations.id = generation_id, lateral (
        select 'jobs', 1
        union all
        select 'jobMicros', cost_micros
        union all
        select case when runs.status = 'uncertain' then 'uncertainMicros'
          when reason = 'reroll' then 'rerollMicros' else 'resubmitMicros' end, cost_micros
        where runs.status = 'uncertain' or reason <> 'first'
      ) as part (metric, amount)
      where ${isIn('coalesce(generations.created_at, runs.created_at)')}`,
  },
  {
    metrics: ['pendingPayments'],
    select: (isIn) => Prisma.sql`
      select 'pendingPayments', created_at, ${ABOUT_PAYMENT}, 1 from payments
      where status = 'pending' and dismissed_at is null and ${isIn('created_at')}`,
  },
  {
    metrics: ['payments', 'paidStars', 'paidMinor'],
    select: (isIn) => Prisma.sql`
      select part.metric, paid_at, ${ABOUT_PAYMENT}, part.amount
      from payments, lateral (values ('payments', 1), ('paidStars', stars), ('paidMinor', amount_minor))
        as part (metric, amount)
      where status = 'succeeded' and ${isIn('paid_at')}`,
  },
  {
    metrics: ['refunds', 'refundedStars', 'refundedMinor'],
    select: (isIn) => Prisma.sql`
      select part.metric, finished_at, ${ABOUT_PAYMENT}, part.amount
      from refunds join payments on payments.id = payment_id,
        lateral (values ('refunds', 1), ('refundedStars', refunds.stars), ('refundedMinor', refunds.amount_minor))
        as part (metric, amount)
      where refunds.status = 'succeeded' and ${isIn('finished_at')}`,
  },
];

/** The sums of these metrics in a period, in no order. */
export function sumCounts(app: Pick<AppContext, 'db'>, metrics: readonly CountedMetric[], period: Period) {
  return sum<Count>(app, metrics, period, 'all');
}

/** The same for each day. */
export function sumCountsByDay(app: Pick<AppContext, 'db'>, metrics: readonly CountedMetric[], period: Period) {
  return sum<Count & { date: string }>(app, metrics, period, 'day');
}

function sum<C>({ db }: Pick<AppContext, 'db'>, metrics: readonly CountedMetric[], period: Period, by: 'all' | 'day') {
  const { from, until } = findBounds(period);
  const isIn = (column: string) =>
    Prisma.sql`${Prisma.raw(column)} >= ${from}::timestamptz and ${Prisma.raw(column)} < ${until}::timestamptz`;
  const rows = SOURCES.filter((source) => source.metrics.some((metric) => metrics.includes(metric))).map(({ select }) =>
    select(isIn),
  );
  return db.$queryRaw<C[]>`
    select metric, about ${by === 'day' ? Prisma.sql`, day::text as date` : Prisma.empty}, sum(amount)::float8 as amount
    from (
      select metric, (moment at time zone 'UTC' + interval '3 hours')::date as day, about, amount
      from (${Prisma.join(rows, ' union all ')}) as counted (metric, moment, about, amount)
    ) as dated
    where metric in (${Prisma.join(metrics)})
    group by metric, about ${by === 'day' ? Prisma.sql`, day` : Prisma.empty}`;
}

export function addDays(date: string, days: number): string {
  return toMoscowDay(new Date(startOfDay(date) + days * DAY_MS));
}

function clampDay(date: string): string {
  return date < FIRST_DAY ? FIRST_DAY : date > LAST_DAY ? LAST_DAY : date;
}

/** The moments at which the first day of a period begins and its last day ends. */
export function findBounds({ startDate, endDate }: Period): { from: Date; until: Date } {
  return {
    from: new Date(startOfDay(startDate ?? FIRST_DAY)),
    until: new Date(startOfDay(endDate ?? LAST_DAY) + DAY_MS),
  };
}

/** The moment at which a day begins in Moscow, in milliseconds since the epoch. */
export function startOfDay(date: string): number {
  return Date.parse(`${clampDay(date)}T00:00:00Z`) - MOSCOW_OFFSET_MS;
}

export function toMoscowDay(moment: Date): string {
  return new Date(moment.getTime() + MOSCOW_OFFSET_MS).toISOString().slice(0, 10);
}
