import { formatNumber } from '#pwa/format.ts';
import type { Metric } from './case-studies.ts';

/** Figures before and after. The last column is computed from them. */
export function MetricsTable({ caption, metrics }: { caption: string; metrics: readonly Metric[] }) {
  return (
    <table className="w-full text-left max-[359px]:text-sm">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-control text-sm max-[359px]:text-xs text-muted">
          <th scope="col" className="py-2 pr-2 sm:pr-3 font-medium">
            Показатель
          </th>
          <th scope="col" className="py-2 pr-2 sm:pr-3 font-medium text-right">
            Было
          </th>
          <th scope="col" className="py-2 pr-2 sm:pr-3 font-medium text-right">
            Стало
          </th>
          <th scope="col" className="py-2 font-medium text-right">
            Изменение
          </th>
        </tr>
      </thead>
      <tbody>
        {metrics.map((metric) => (
          <tr key={metric.name} className="border-b border-line">
            <th scope="row" className="py-3 pr-2 sm:pr-3 font-medium">
              {metric.name}
            </th>
            <td className="num py-3 pr-2 sm:pr-3 text-right whitespace-nowrap">{formatShare(metric.before)}</td>
            <td className="num py-3 pr-2 sm:pr-3 text-right whitespace-nowrap">{formatShare(metric.after)}</td>
            <td className="num py-3 text-right whitespace-nowrap font-semibold">{formatMetricChange(metric)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The relative change of a share, from 1.37 to 1.75 «+27,7 %». */
export function formatMetricChange({ before, after }: Pick<Metric, 'before' | 'after'>): string {
  const percent = ((after - before) / before) * 100;
  const sign = percent > 0 ? '+' : '';
  return `${sign}${formatNumber(percent, 1)}\u00a0%`.replace('-', '−');
}

/** «1,37 %» */
export function formatShare(percent: number): string {
  return `${formatNumber(percent, 2)}\u00a0%`;
}
