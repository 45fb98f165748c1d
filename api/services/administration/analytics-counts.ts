import { listCountedTests, type PremiumSources } from '#api/services/ground/premium-status.ts';
import { Prisma } from '#prisma/generated/client.ts';
import { DAILY_MAX_DAYS, METRICS, type Metric, type SERVER_EVENT_NAMES } from '#shared/contract/analytics.ts';

/** Days in Moscow time, YYYY-MM-DD, both included. An absent side has no limit. */
export interface Period {
  startDate?: string | undefined;
  endDate?: string | undefined;
}

export type Counts = Record<Metric, number>;
export interface DayCounts {
  date: string;
  counts: Counts;
}

/** The events that are counted, with their metrics. */
const EVENT_METRICS: Partial<Record<(typeof SERVER_EVENT_NAMES)[number], Metric>> = {
  buy_stars_click: 'buyStarsClicks',
  buy_stars_checkout_started: 'buyStarsCheckoutStarted',
  video_download: 'videoDownloads',
  cases_link_clicked: 'casesClicks',
  change_model_opened: 'changeModelOpens',
};

const DAY_MS = 86_400_000;
/** Moscow's offset from UTC. It has been constant since before the service began. */
const MOSCOW_OFFSET_MS = 3 * 3_600_000;
/** Minimum length of a series without a start. */
const SERIES_MIN_DAYS = 7;
/** Both the database and Date can handle these days. */
const FIRST_DAY = '1970-01-01';
const LAST_DAY = '9998-12-31';

/** The metrics of a period. */
export async function countMetrics(app: PremiumSources, period: Period): Promise<Counts> {
  const rows = await app.db.$queryRaw<{ metric: Metric; amount: number }[]>`
    select metric, sum(amount)::float8 as amount from (${selectEvents(app, period)}) happened group by metric`;
  const counts = zeroCounts();
  for (const { metric, amount } of rows) counts[metric] = readAmount(metric, amount);
  return counts;
}

/** The same metrics for each day, oldest first. Days after today are left out. */
export async function countMetricsByDay(
  app: PremiumSources,
  period: Period,
  now: Date = new Date(),
): Promise<DayCounts[]> {
  const today = moscowDay(now);
  const endDate = period.endDate === undefined || period.endDate > today ? today : period.endDate;
  const earliest = addDays(endDate, 1 - DAILY_MAX_DAYS);
  const isOpen = period.startDate === undefined;
  const startDate = period.startDate === undefined || period.startDate < earliest ? earliest : period.startDate;
  // Days are formatted after counting, because formatting each row would take most of the time.
  const rows = await app.db.$queryRaw<{ metric: Metric; date: string; amount: number }[]>`
    select metric, day::text as date, sum(amount)::float8 as amount
    from (
      select metric, amount, (at at time zone 'UTC' + ${MOSCOW_OFFSET_MS / 1000} * interval '1 second')::date as day
      from (${selectEvents(app, { startDate, endDate })}) happened
    ) dated
    group by metric, day`;
  const days = new Map<string, Counts>();
  const firstCounted = rows.reduce((first, { date }) => (date < first ? date : first), endDate);
  const shortest = addDays(endDate, 1 - SERIES_MIN_DAYS);
  const firstShown = isOpen ? (firstCounted < shortest ? firstCounted : shortest) : startDate;
  for (let date = firstShown; date <= endDate; date = addDays(date, 1)) days.set(date, zeroCounts());
  for (const { metric, date, amount } of rows) {
    const counts = days.get(date);
    if (counts) counts[metric] = readAmount(metric, amount);
  }
  return [...days].map(([date, counts]) => ({ date, counts }));
}

/**
 * The events of a period, one row each: (metric, amount, at). A payment counts as paid when the money arrived, and as
 * pending from its creation. A video counts when it was ready. Refunded money and stars are subtracted on the day of
 * the refund, so that past days keep their figures.
 */
function selectEvents(app: PremiumSources, period: Period): Prisma.Sql {
  const within = (column: string) => matchPeriod(period, column);
  const isCounted = matchCounted(app);
  const paid = matchPaid(app, period);
  const refunded = Prisma.sql`
    refunds join payments on payments.id = refunds.payment_id
    where refunds.status = 'succeeded' and ${isCounted} and ${within('refunds.finished_at')}`;
  const names = Prisma.join(Object.keys(EVENT_METRICS));
  const metricOfName = Prisma.join(
    Object.entries(EVENT_METRICS).map(([name, metric]) => Prisma.sql`when ${name} then ${metric}`),
    ' ',
  );
  return Prisma.sql`
    select 'registrations' as metric, 1 as amount, created_at as at from accounts where ${within('created_at')}
    union all
    select 'videos', 1, finished_at from generations
    where kind = 'video' and status = 'completed' and ${within('finished_at')}
    union all
    select 'pendingTransactions', 1, created_at from payments
    where status = 'pending' and dismissed_at is null and ${isCounted} and ${within('created_at')}
    union all
    select 'completedTransactions', 1, paid_at from payments where ${paid}
    union all
    select 'starsSold', stars, paid_at from payments where ${paid}
    union all
    select 'starsSold', -refunds.stars, refunds.finished_at from ${refunded}
    union all
    select 'revenueRub', amount_minor, paid_at from payments where currency = 'RUB' and ${paid}
    union all
    select 'revenueRub', -refunds.amount_minor, refunds.finished_at from ${refunded} and payments.currency = 'RUB'
    union all
    select case name ${metricOfName} end, 1, created_at from analytics_events
    where name in (${names}) and ${within('created_at')}`;
}

/** Whether the moment in this column is in the period. */
export function matchPeriod({ startDate, endDate }: Period, column: string): Prisma.Sql {
  const from = new Date(startDate ? startOfDay(startDate) : 0);
  const until = new Date(startOfDay(endDate ?? LAST_DAY) + DAY_MS);
  return Prisma.sql`${Prisma.raw(column)} >= ${from}::timestamptz and ${Prisma.raw(column)} < ${until}::timestamptz`;
}

/** The rows of `payments` whose money came in the period. */
export function matchPaid(app: PremiumSources, period: Period): Prisma.Sql {
  return Prisma.sql`
    payments.status = 'succeeded' and ${matchCounted(app)} and ${matchPeriod(period, 'payments.paid_at')}`;
}

/** Whether money has moved with this row of `payments`, or every payment is a test anyway. */
function matchCounted(app: PremiumSources): Prisma.Sql {
  return Prisma.sql`(not payments.is_test or payments.provider = any(${listCountedTests(app)}))`;
}

/** Converts money from kopecks. All other amounts stay as they are. */
function readAmount(metric: Metric, amount: number): number {
  return metric === 'revenueRub' ? amount / 100 : amount;
}

function zeroCounts(): Counts {
  return Object.fromEntries(METRICS.map((metric) => [metric, 0])) as Counts;
}

/** The moment at which a day begins in Moscow. */
function startOfDay(date: string): number {
  const counted = date < FIRST_DAY ? FIRST_DAY : date > LAST_DAY ? LAST_DAY : date;
  return Date.parse(`${counted}T00:00:00Z`) - MOSCOW_OFFSET_MS;
}

function moscowDay(moment: Date): string {
  return new Date(moment.getTime() + MOSCOW_OFFSET_MS).toISOString().slice(0, 10);
}

function addDays(date: string, days: number): string {
  return moscowDay(new Date(startOfDay(date) + days * DAY_MS));
}
