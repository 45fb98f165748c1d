import { ShieldCheck } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { DailyTable } from '#pwa/features/analytics/daily-table.tsx';
import { MetricGrid } from '#pwa/features/analytics/metric-grid.tsx';
import { ANALYTICS_FAILED, type useAnalytics } from '#pwa/features/analytics/use-analytics.ts';
import { nb } from '#pwa/lib/format.ts';

const DailyChart = lazy(() => import('#pwa/features/analytics/daily-chart.tsx'));

/** The figures of the service. */
export function Overview({ analytics }: { analytics: ReturnType<typeof useAnalytics> }) {
  const { counts, days, period, failureText } = analytics;
  return (
    <div className="grid gap-4">
      {failureText && (
        <Notice
          tone="danger"
          title={ANALYTICS_FAILED}
          action={
            <Button variant="second" size="sm" onClick={() => analytics.apply(period)}>
              Повторить
            </Button>
          }
        >
          {failureText}
        </Notice>
      )}
      {counts && <MetricGrid counts={counts} />}
      {days && (
        <section className="panel p-4 md:p-5 min-w-0" aria-label="По дням">
          {days.length === 0 ? (
            <EmptyState title="Этот период ещё не начался" text="Выберите другие даты." />
          ) : (
            <>
              <Suspense fallback={<Skeleton className="h-[264px]" />}>
                <DailyChart days={days} />
              </Suspense>
              <DailyTable days={days} period={period} />
            </>
          )}
        </section>
      )}
      <section className="panel p-4 md:p-5 flex gap-3 text-sm">
        <ShieldCheck className="ic" />
        <p className="text-muted">
          {nb(
            'Раздел видят только администраторы. Данные обновляются при открытии страницы и после нажатия «Применить». Дни считаются по московскому времени.',
          )}
        </p>
      </section>
    </div>
  );
}
