import { ShieldCheck } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { DailyTable } from '#pwa/features/analytics/daily-table.tsx';
import { MetricGrid } from '#pwa/features/analytics/metric-grid.tsx';
import { ANALYTICS_FAILED, type useAnalytics } from '#pwa/features/analytics/use-analytics.ts';
import { nb } from '#pwa/format.ts';

const DailyChart = lazy(() => import('#pwa/features/analytics/daily-chart.tsx'));

/** The figures of the service. */
export function Overview({ analytics }: { analytics: ReturnType<typeof useAnalytics> }) {
  const { totals, series, period, failureText } = analytics;
  return (
    <div className="grid gap-4">
      {failureText && (
        <RetryNotice title={ANALYTICS_FAILED} onRetry={() => analytics.apply(period)}>
          {failureText}
        </RetryNotice>
      )}
      {totals && <MetricGrid counts={totals.counts} period={totals.period} />}
      {series && (
        <section className="panel p-4 md:p-5 min-w-0" aria-label="По дням">
          {series.days.length === 0 ? (
            <EmptyState title="Этот период ещё не начался" text="Выберите другие даты." />
          ) : (
            <>
              <Suspense fallback={<Skeleton className="h-[264px]" />}>
                <DailyChart days={series.days} />
              </Suspense>
              <DailyTable days={series.days} period={series.period} />
            </>
          )}
        </section>
      )}
      <section className="panel p-4 md:p-5 flex gap-3 text-sm">
        <ShieldCheck className="ic" />
        <p className="text-muted">
          {nb(
            'Раздел видят только администраторы. Данные обновляются при открытии страницы и после нажатия «Применить». Дни считаются по московскому времени. Выручка — оплаты в рублях за вычетом возвратов, каждый в свой день; оплаты в Telegram Stars видны только в проданных звёздах.',
          )}
        </p>
      </section>
    </div>
  );
}
