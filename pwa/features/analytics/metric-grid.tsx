import { formatNumber } from '#pwa/lib/format.ts';
import { METRIC_NAMES, type Metric } from '#shared/contract/analytics.ts';

const ORDER: readonly Metric[] = [
  'registrations',
  'videos',
  'completedTransactions',
  'pendingTransactions',
  'buyStarsClicks',
  'buyStarsCheckoutStarted',
  'videoDownloads',
  'casesClicks',
  'changeModelOpens',
];

/** The nine counts, and how many of those who began to pay have paid. */
export function MetricGrid({ counts }: { counts: Record<Metric, number> }) {
  const cells = [
    ...ORDER.map((metric) => ({ key: metric, name: METRIC_NAMES[metric], value: formatNumber(counts[metric]) })),
    { key: 'paidShare', name: 'Оплатили из\u00a0начавших', value: describePaidShare(counts) },
  ];
  return (
    <dl className="panel grid grid-cols-2 md:grid-cols-5 gap-px bg-line overflow-hidden">
      {cells.map(({ key, name, value }) => (
        <div key={key} className="bg-surface p-4 md:p-5 min-w-0" data-metric={key}>
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="num text-[1.65rem] leading-9 font-semibold mt-1">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** «58 %»; a dash while nobody has begun. */
export function describePaidShare({
  completedTransactions,
  buyStarsCheckoutStarted,
}: Pick<Record<Metric, number>, 'completedTransactions' | 'buyStarsCheckoutStarted'>): string {
  if (buyStarsCheckoutStarted === 0) return '—';
  return `${formatNumber(Math.round((completedTransactions / buyStarsCheckoutStarted) * 100))}\u00a0%`;
}
