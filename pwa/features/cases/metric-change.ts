import type { Metric } from './case-studies.ts';

const NUMBER = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

/** The relative change of a share, in percent: 1.37 -> 1.75 is 27.7. */
function metricChangePercent({ before, after }: Pick<Metric, 'before' | 'after'>): number {
  return ((after - before) / before) * 100;
}

/** «+27,7 %» */
export function formatMetricChange(metric: Pick<Metric, 'before' | 'after'>): string {
  const number = new Intl.NumberFormat('ru-RU', { ...NUMBER, signDisplay: 'exceptZero' }).format(
    metricChangePercent(metric),
  );
  return `${number.replace('-', '−')}\u00a0%`;
}

/** «1,37 %» */
export function formatShare(percent: number): string {
  return `${new Intl.NumberFormat('ru-RU', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(percent)}\u00a0%`;
}
