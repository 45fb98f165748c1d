import { listCountedTests, type PremiumSources } from '#api/services/core/premium-status.ts';
import { DAILY_MAX_DAYS, METRICS, type Metric, type SERVER_EVENT_NAMES } from '#shared/contract/analytics.ts';
import {
  addDays,
  type Count,
  type CountedMetric,
  type Period,
  sumCounts,
  sumCountsByDay,
  toMoscowDay,
} from './count-metrics.ts';

export type Counts = Record<Metric, number>;
export interface DayCounts {
  date: string;
  counts: Counts;
}

/** The events that are counted, with their metrics. */
const EVENT_METRICS: Partial<Record<string, Metric>> = {
  buy_stars_click: 'buyStarsClicks',
  buy_stars_checkout_started: 'buyStarsCheckoutStarted',
  video_download: 'videoDownloads',
  cases_link_clicked: 'casesClicks',
  change_model_opened: 'changeModelOpens',
} satisfies Partial<Record<(typeof SERVER_EVENT_NAMES)[number], Metric>>;

/** Everything else that is counted, with its sign. */
const SHOWN_AS: Partial<Record<CountedMetric, { metric: Metric; sign: 1 | -1 }>> = {
  registrations: { metric: 'registrations', sign: 1 },
  videos: { metric: 'videos', sign: 1 },
  pendingPayments: { metric: 'pendingTransactions', sign: 1 },
  payments: { metric: 'completedTransactions', sign: 1 },
  paidStars: { metric: 'starsSold', sign: 1 },
  refundedStars: { metric: 'starsSold', sign: -1 },
  paidMinor: { metric: 'revenueRub', sign: 1 },
  refundedMinor: { metric: 'revenueRub', sign: -1 },
};
const COUNTED = ['events', ...Object.keys(SHOWN_AS)] as CountedMetric[];

/** Minimum length of a series without a start. */
const SERIES_MIN_DAYS = 7;

/**
 * The metrics of a period. A payment counts as paid when the money arrived, and as pending from its creation. A video
 * counts when it was ready. Refunded money and stars are subtracted on the day of the refund, so that past days keep
 * their figures.
 */
export async function countMetrics(app: PremiumSources, period: Period): Promise<Counts> {
  return addUp(listShown(app, await sumCounts(app, COUNTED, period)));
}

/** The metrics of the panel for each day of a period, oldest first. Days after today are left out. */
export async function countMetricsByDay(
  app: PremiumSources,
  period: Period,
  now: Date = new Date(),
): Promise<DayCounts[]> {
  const today = toMoscowDay(now);
  const endDate = period.endDate === undefined || period.endDate > today ? today : period.endDate;
  const earliest = addDays(endDate, 1 - DAILY_MAX_DAYS);
  const isOpen = period.startDate === undefined;
  const startDate = period.startDate === undefined || period.startDate < earliest ? earliest : period.startDate;
  const shown = listShown(app, await sumCountsByDay(app, COUNTED, { startDate, endDate }));
  const byDay = Map.groupBy(shown, ({ date }) => date);
  const firstCounted = shown.reduce((first, { date }) => (date < first ? date : first), endDate);
  const shortest = addDays(endDate, 1 - SERIES_MIN_DAYS);
  const firstShown = isOpen ? (firstCounted < shortest ? firstCounted : shortest) : startDate;
  const days: DayCounts[] = [];
  for (let date = firstShown; date <= endDate; date = addDays(date, 1)) {
    days.push({ date, counts: addUp(byDay.get(date) ?? []) });
  }
  return days;
}

/** Whether money has moved with what a count of payments is about, or every payment of its provider is a test anyway. */
export function isCountedPayment(app: PremiumSources, { about }: Pick<Count, 'about'>): boolean {
  const [provider = '', , test] = about.split('/');
  return test === undefined || listCountedTests(app).includes(provider);
}

/** Whether it is about payments in roubles. */
export function isInRoubles({ about }: Pick<Count, 'about'>): boolean {
  return about.split('/')[1] === 'RUB';
}

/** The counts that the panel shows, under their metrics. */
function listShown<C extends Count>(app: PremiumSources, counts: readonly C[]): (C & { shown: Metric })[] {
  return counts.flatMap((count) => {
    if (count.metric === 'events') {
      const shown = EVENT_METRICS[count.about];
      return shown ? [{ ...count, shown }] : [];
    }
    const shown = SHOWN_AS[count.metric];
    if (!shown || !isCountedPayment(app, count)) return [];
    if (shown.metric === 'revenueRub' && !isInRoubles(count)) return [];
    return [{ ...count, shown: shown.metric, amount: shown.sign * count.amount }];
  });
}

function addUp(shown: readonly (Count & { shown: Metric })[]): Counts {
  const counts = Object.fromEntries(METRICS.map((metric) => [metric, 0])) as Counts;
  for (const { shown: metric, amount } of shown) counts[metric] += amount;
  // Money is added up in kopecks, which are whole numbers.
  return { ...counts, revenueRub: counts.revenueRub / 100 };
}
