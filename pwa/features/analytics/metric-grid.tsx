import { useChange } from '#pwa/features/tools/tools.ts';
import { formatNumber } from '#pwa/format.ts';
import { METRIC_NAMES, type Metric } from '#shared/contract/analytics.ts';
import { CHANGE_NAMES } from '#shared/rules/tool-abilities.ts';
import type { Period } from './analytics-queries.ts';
import { formatFigure } from './day-counts.ts';
import { describePeriod } from './period.ts';

const ORDER: readonly Metric[] = [
  'registrations',
  'videos',
  'revenueRub',
  'starsSold',
  'completedTransactions',
  'pendingTransactions',
  'buyStarsClicks',
  'buyStarsCheckoutStarted',
  'videoDownloads',
  'casesClicks',
  'changeModelOpens',
];

/** The figures of a period, and the share of started payments that were paid. */
export function MetricGrid({ counts, period }: { counts: Record<Metric, number>; period: Period }) {
  const nameMetric = useMetricNames();
  const cells = [
    ...ORDER.map((metric) => ({
      key: metric,
      name: nameMetric(metric),
      value: formatFigure(roundOff(counts[metric])),
    })),
    { key: 'paidShare', name: 'Оплатили из\u00a0начавших', value: describePaidShare(counts) },
  ];
  return (
    <section className="min-w-0" aria-label="Показатели">
      <div className="flex flex-wrap items-baseline gap-x-3 mb-3">
        <h2 className="sec">Показатели</h2>
        <p className="num text-sm text-muted">{describePeriod(period)}</p>
      </div>
      <dl className="panel grid grid-cols-2 md:grid-cols-4 gap-px bg-line overflow-hidden">
        {cells.map(({ key, name, value }) => (
          <div key={key} className="bg-surface p-4 md:p-5 min-w-0" data-metric={key}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="num text-[1.65rem] max-[359px]:text-xl leading-9 font-semibold mt-1">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The names of the figures. That of a tool is the one it has in the sidebar. */
export function useMetricNames(): (metric: Metric) => string {
  const change = useChange();
  return (metric) => (metric === 'changeModelOpens' ? CHANGE_NAMES[change] : METRIC_NAMES[metric]);
}

/** Drops the kopecks, which do not fit on a phone. The table shows them. */
function roundOff(value: number): number {
  // Turns -0 into 0.
  return Math.round(value) || 0;
}

/** «58 %»; a dash when no payment was started. */
export function describePaidShare({
  completedTransactions,
  buyStarsCheckoutStarted,
}: Pick<Record<Metric, number>, 'completedTransactions' | 'buyStarsCheckoutStarted'>): string {
  if (buyStarsCheckoutStarted === 0) return '—';
  return `${formatNumber(Math.round((completedTransactions / buyStarsCheckoutStarted) * 100))}\u00a0%`;
}
