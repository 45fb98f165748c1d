import { isCountedPayment, type PremiumSources } from '#api/services/core/premium-status.ts';
import { Prisma } from '#prisma/generated/client.ts';
import { DAILY_MAX_DAYS, METRICS, type Metric, type SERVER_EVENT_NAMES } from '#shared/contract/analytics.ts';
import { addDays, dayOf, isInPeriod, type Period, toMoscowDay } from './moscow-days.ts';

type Counts = Record<Metric, number>;

export interface DayCounts {
  date: string;
  counts: Counts;
}

const EVENT_METRICS: Partial<Record<(typeof SERVER_EVENT_NAMES)[number], Metric>> = {
  buy_stars_click: 'buyStarsClicks',
  buy_stars_checkout_started: 'buyStarsCheckoutStarted',
  video_download: 'videoDownloads',
  cases_link_clicked: 'casesClicks',
  change_model_opened: 'changeModelOpens',
};

/** Minimum length of a series without a start. */
const SERIES_MIN_DAYS = 7;

/**
 * The metrics of a period. A payment counts as paid when the money arrived, and as pending from its creation. A video
 * counts when it was ready. Refunded money and stars are subtracted on the day of the refund, so that past days keep
 * their figures.
 */
export async function countMetrics(app: PremiumSources, period: Period): Promise<Counts> {
  return addUp(await sumAmounts(app, period, () => Prisma.sql`''`));
}

/** The metrics of the panel for each day of a period, oldest first. Days after today are left out. */
export async function countMetricsByDay(app: PremiumSources, period: Period): Promise<DayCounts[]> {
  const today = toMoscowDay(new Date());
  const endDate = period.endDate === undefined || period.endDate > today ? today : period.endDate;
  const earliest = addDays(endDate, 1 - DAILY_MAX_DAYS);
  const isOpen = period.startDate === undefined;
  const startDate = period.startDate === undefined || period.startDate < earliest ? earliest : period.startDate;
  const amounts = await sumAmounts(app, { startDate, endDate }, dayOf);
  const byDay = Map.groupBy(amounts, ({ day }) => day);
  const firstCounted = amounts.reduce((first, { day }) => (day < first ? day : first), endDate);
  const shortest = addDays(endDate, 1 - SERIES_MIN_DAYS);
  const firstShown = isOpen ? (firstCounted < shortest ? firstCounted : shortest) : startDate;
  const days: DayCounts[] = [];
  for (let date = firstShown; date <= endDate; date = addDays(date, 1)) {
    days.push({ date, counts: addUp(byDay.get(date) ?? []) });
  }
  return days;
}

/** Money is in kopecks, which add up as whole numbers. */
interface Amount {
  metric: Metric;
  day: string;
  amount: number;
}

function sumAmounts(app: PremiumSources, period: Period, toDay: (column: string) => Prisma.Sql): Promise<Amount[]> {
  const isIn = (column: string) => isInPeriod(period, column);
  const events = Object.entries(EVENT_METRICS).map(([name, metric]) => Prisma.sql`(${name}, ${metric})`);
  return app.db.$queryRaw<Amount[]>`
    select 'registrations' as metric, ${toDay('created_at')} as day, count(*)::float8 as amount
    from accounts where ${isIn('created_at')} group by 2
    union all
    select shown.metric, counted.day, counted.amount
    from (
      select name, ${toDay('created_at')} as day, count(*)::float8 as amount
      from analytics_events where ${isIn('created_at')} group by 1, 2
    ) as counted join (values ${Prisma.join(events)}) as shown (name, metric) on shown.name = counted.name
    union all
    select 'videos', ${toDay('finished_at')}, count(*)::float8
    from generations where kind = 'video' and status = 'completed' and ${isIn('finished_at')} group by 2
    union all
    select 'pendingTransactions', ${toDay('created_at')}, count(*)::float8
    from payments
    where status = 'pending' and dismissed_at is null and ${isCountedPayment(app)} and ${isIn('created_at')} group by 2
    union all
    select part.metric, ${toDay('paid_at')}, sum(part.amount)::float8
    from payments, lateral (values ('completedTransactions', 1), ('starsSold', stars),
      ('revenueRub', case currency when 'RUB' then amount_minor else 0 end)) as part (metric, amount)
    where status = 'succeeded' and ${isCountedPayment(app)} and ${isIn('paid_at')} group by 1, 2
    union all
    select part.metric, ${toDay('finished_at')}, -sum(part.amount)::float8
    from refunds join payments on payments.id = payment_id, lateral (values ('starsSold', refunds.stars),
      ('revenueRub', case currency when 'RUB' then refunds.amount_minor else 0 end)) as part (metric, amount)
    where refunds.status = 'succeeded' and ${isCountedPayment(app)} and ${isIn('finished_at')} group by 1, 2`;
}

function addUp(amounts: readonly Amount[]): Counts {
  const counts = Object.fromEntries(METRICS.map((metric) => [metric, 0])) as Counts;
  for (const { metric, amount } of amounts) counts[metric] += amount;
  return { ...counts, revenueRub: counts.revenueRub / 100 };
}
