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
 * The rows that the metrics are summed from: metric, day, what it is about, amount. `isIn`: the condition that this
 * column is in the period. `dayOf`: the day of this column, or null when days are summed together. Large tables are
 * grouped by their own columns first, because a text for each row would take longer than all the rest.
 */
type Source = (isIn: (column: string) => Prisma.Sql, dayOf: (column: string) => Prisma.Sql) => Prisma.Sql;

/** An order counts on the day on which it was placed, with all that was spent on it, once it has ended. */
const SOURCES: { metrics: readonly CountedMetric[]; select: Source }[] = [
  {
    metrics: ['registrations'],
    select: (isIn, dayOf) => Prisma.sql`
      select 'registrations', ${dayOf('created_at')}, '', count(*) from accounts where ${isIn('created_at')} group by 2`,
  },
  {
    metrics: ['events'],
    select: (isIn, dayOf) => Prisma.sql`
      select 'events', ${dayOf('created_at')}, name, count(*) from analytics_events where ${isIn('created_at')}
      group by 2, 3`,
  },
  {
    // On the day on which it was ready.
    metrics: ['videos'],
    select: (isIn, dayOf) => Prisma.sql`
      select 'videos', ${dayOf('finished_at')}, '', count(*) from generations
      where kind = 'video' and status = 'completed' and ${isIn('finished_at')}
      group by 2`,
  },
  {
    metrics: ['completed', 'failed', 'waited'],
    select: (isIn, dayOf) => Prisma.sql`
      select ended.metric, day, engine || '/' || kind || ended.detail, amount
      from (
        select ${dayOf('created_at')} as day, engine, kind, status, failure_code,
          round(extract(epoch from finished_at - created_at)) as seconds, count(*) as amount
        from generations where status in ('completed', 'failed') and ${isIn('created_at')}
        group by 1, 2, 3, 4, 5, 6
      ) as alike, lateral (
        select status::text, case when status = 'failed' then '/' || coalesce(failure_code, '') else '' end
        union all
        select 'waited', '/' || seconds where status = 'completed' and seconds is not null
      ) as ended (metric, detail)`,
  },
  {
    metrics: ['starsSpent'],
    select: (isIn, dayOf) => Prisma.sql`
      select 'starsSpent', day, engine || '/' || kind, amount
      from (
        select ${dayOf('generations.created_at')} as day, engine, generations.kind, -sum(delta) as amount
        from star_entries join generations on generations.id = generation_id
        where status in ('completed', 'failed') and ${isIn('generations.created_at')}
        group by 1, 2, 3
      ) as alike`,
  },
  {
    // An order of the house itself counts on its own day. An interrupted job is uncertain only, so that the parts do not
    // overlap.
    metrics: ['jobs', 'jobMicros', 'resubmitMicros', 'rerollMicros', 'uncertainMicros'],
    select: (isIn, dayOf) => Prisma.sql`
      select part.metric, day, engine || '/' || kind || '/' || coalesce(currency, ''), part.amount
      from (
        select ${dayOf('coalesce(generations.created_at, runs.created_at)')} as day, runs.engine, runs.kind, currency,
          runs.status, reason, count(*) as jobs, sum(cost_micros) as micros
        from engine_runs as runs left join generations on generations.id = generation_id
        where ${isIn('coalesce(generations.created_at, runs.created_at)')}
        group by 1, 2, 3, 4, 5, 6
      ) as alike, lateral (
        select 'jobs', jobs
        union all
        select 'jobMicros', micros
        union all
        select case when status = 'uncertain' then 'uncertainMicros'
          when reason = 'reroll' then 'rerollMicros' else 'resubmitMicros' end, micros
        where status = 'uncertain' or reason <> 'first'
      ) as part (metric, amount)`,
  },
  {
    metrics: ['pendingPayments'],
    select: (isIn, dayOf) => Prisma.sql`
      select 'pendingPayments', ${dayOf('created_at')}, ${ABOUT_PAYMENT}, 1 from payments
      where status = 'pending' and dismissed_at is null and ${isIn('created_at')}`,
  },
  {
    metrics: ['payments', 'paidStars', 'paidMinor'],
    select: (isIn, dayOf) => Prisma.sql`
      select part.metric, ${dayOf('paid_at')}, ${ABOUT_PAYMENT}, part.amount
      from payments, lateral (values ('payments', 1), ('paidStars', stars), ('paidMinor', amount_minor))
        as part (metric, amount)
      where status = 'succeeded' and ${isIn('paid_at')}`,
  },
  {
    metrics: ['refunds', 'refundedStars', 'refundedMinor'],
    select: (isIn, dayOf) => Prisma.sql`
      select part.metric, ${dayOf('finished_at')}, ${ABOUT_PAYMENT}, part.amount
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

/** Sums of counted metrics for each day of a period that has any. */
export function sumCountsByDay(app: Pick<AppContext, 'db'>, metrics: readonly CountedMetric[], period: Period) {
  return sum<Count & { date: string }>(app, metrics, period, 'day');
}

function sum<C>({ db }: Pick<AppContext, 'db'>, metrics: readonly CountedMetric[], period: Period, by: 'all' | 'day') {
  const { from, until } = findBounds(period);
  const isIn = (column: string) =>
    Prisma.sql`${Prisma.raw(column)} >= ${from}::timestamptz and ${Prisma.raw(column)} < ${until}::timestamptz`;
  const dayOf = (column: string) =>
    by === 'day'
      ? Prisma.sql`(${Prisma.raw(column)} at time zone 'UTC' + interval '3 hours')::date`
      : Prisma.sql`null::date`;
  const rows = SOURCES.filter((source) => source.metrics.some((metric) => metrics.includes(metric))).map(({ select }) =>
    select(isIn, dayOf),
  );
  return db.$queryRaw<C[]>`
    select metric, about ${by === 'day' ? Prisma.sql`, day::text as date` : Prisma.empty}, sum(amount)::float8 as amount
    from (${Prisma.join(rows, ' union all ')}) as counted (metric, day, about, amount)
    where metric in (${Prisma.join(metrics)})
    group by metric, about, day`;
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
