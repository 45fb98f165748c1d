import type { AppContext } from '#api/services/app-context.ts';
import { Prisma } from '#prisma/generated/client.ts';

/** Days in Moscow time, YYYY-MM-DD, both included. An absent side has no limit. */
export interface Period {
  startDate?: string | undefined;
  endDate?: string | undefined;
}

/** `counts_of` in the migrations says what each is. */
export type CountedMetric =
  | 'registrations'
  | 'videos'
  | 'events'
  | 'completed'
  | 'failed'
  | 'waited'
  /** The same, under the first day of the month: few enough to be summed up over years. */
  | 'waitedInMonth'
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

/** Some metrics of a period. */
export interface CountRange {
  metrics: readonly CountedMetric[];
  period: Period;
}

/** The sums of all ranges, in no order. */
export function sumCounts({ db }: Pick<AppContext, 'db'>, ...ranges: CountRange[]): Promise<Count[]> {
  return db.$queryRaw`
    select metric, about, sum(amount)::float8 as amount from (${selectCounts(ranges)}) counted
    group by metric, about`;
}

/** The same for each day. */
export function sumCountsByDay(
  { db }: Pick<AppContext, 'db'>,
  ...ranges: CountRange[]
): Promise<(Count & { date: string })[]> {
  return db.$queryRaw`
    select metric, day::text as date, about, sum(amount)::float8 as amount
    from (${selectCounts(ranges)}) counted group by metric, day, about`;
}

/** What was added up, and what has changed since. */
function selectCounts(ranges: readonly CountRange[]): Prisma.Sql {
  const parts = ranges.flatMap(({ metrics, period: { startDate = FIRST_DAY, endDate = LAST_DAY } }) => {
    const matches = Prisma.sql`metric in (${Prisma.join(metrics)})
      and day between ${clampDay(startDate)}::date and ${clampDay(endDate)}::date`;
    return [
      Prisma.sql`select metric, day, about, amount from daily_counts where ${matches}`,
      Prisma.sql`select metric, day, about, amount from count_changes where ${matches}`,
    ];
  });
  return Prisma.join(parts, ' union all ');
}

/** The ranges of the waiting times: whole months by their own counts, and the days before and after these. */
export function splitWaits({ startDate = FIRST_DAY, endDate = LAST_DAY }: Period): CountRange[] {
  const [first, last] = [clampDay(startDate), clampDay(endDate)];
  const firstMonth = first.endsWith('-01') ? first : findMonth(addDays(findMonth(first), 31));
  const monthAfter = findMonth(addDays(last, 1));
  const waited = ['waited'] as const;
  if (firstMonth >= monthAfter) return [{ metrics: waited, period: { startDate, endDate } }];
  return [
    { metrics: waited, period: { startDate: first, endDate: addDays(firstMonth, -1) } },
    { metrics: ['waitedInMonth'], period: { startDate: firstMonth, endDate: addDays(monthAfter, -1) } },
    { metrics: waited, period: { startDate: monthAfter, endDate: last } },
  ];
}

/** The first day of its month. */
function findMonth(date: string): string {
  return `${date.slice(0, 7)}-01`;
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

/**
 * Adds the changes to the counts. Whoever reads sees each change once, before and after: it moves in one statement.
 * Returns how many counts have changed.
 */
export function addUpChanges({ db }: Pick<AppContext, 'db'>): Promise<number> {
  return db.$executeRaw`
    with moved as (delete from count_changes returning metric, day, about, amount)
    insert into daily_counts as kept (metric, day, about, amount)
    select metric, day, about, sum(amount) from moved group by metric, day, about order by metric, day, about
    on conflict (metric, day, about) do update set amount = kept.amount + excluded.amount`;
}
