import { Download } from 'lucide-react';
import { buildUrl } from '#pwa/client/api-client.ts';
import { buttonClass } from '#pwa/components/button.tsx';
import { downloadDailyAnalytics, METRICS } from '#shared/contract/analytics.ts';
import type { Period } from './analytics-queries.ts';
import { type DayCounts, formatFigure, fullDay } from './day-counts.ts';
import { useMetricNames } from './metric-grid.tsx';

/** All figures of each day, newest first, with a download as CSV. */
export function DailyTable({ days, period }: { days: DayCounts[]; period: Period }) {
  const nameMetric = useMetricNames();
  return (
    <div className="flex flex-wrap items-start justify-between gap-3 mt-3">
      <details className="min-w-0 flex-1 basis-full md:not-open:basis-0">
        <summary className="link min-h-11 inline-flex items-center cursor-pointer text-sm font-medium underline">
          Таблица по дням
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard. */}
        <section className="overflow-auto max-h-[420px] mt-2" tabIndex={0} aria-label="Таблица по дням">
          <table className="num text-sm w-full">
            <thead className="sticky top-0 bg-surface">
              <tr className="text-left text-muted align-bottom">
                <th scope="col" className="py-2 pr-4 font-medium">
                  День
                </th>
                {METRICS.map((metric) => (
                  <th key={metric} scope="col" className="py-2 px-2 font-medium text-right">
                    {nameMetric(metric)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {[...days].reverse().map(({ date, counts }) => (
                <tr key={date} className="border-t border-line">
                  <th scope="row" className="py-2 pr-4 font-normal text-left whitespace-nowrap">
                    {fullDay(date)}
                  </th>
                  {METRICS.map((metric) => (
                    <td key={metric} className="py-2 px-2 text-right whitespace-nowrap">
                      {formatFigure(counts[metric])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
      <a
        className={buttonClass({ variant: 'second', size: 'sm' })}
        href={buildUrl(downloadDailyAnalytics, { query: period })}
        download
      >
        <Download className="ic ic-s" />
        Скачать CSV
      </a>
    </div>
  );
}
