import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { describeError } from '#pwa/client/api-error.ts';
import { toast } from '#pwa/components/toast.ts';
import { KEEP_SCROLL } from '#pwa/device/keep-scroll.ts';
import { ANALYTICS_KEY, analyticsQuery, dailyAnalyticsQuery, type Period } from './analytics-queries.ts';
import { readPeriodQuery, withPeriodQuery } from './period.ts';

/** After «Сбросить» the figures are fetched again after this delay. */
const RELOAD_AFTER_RESET_MS = 100;
export const ANALYTICS_FAILED = 'Не удалось загрузить данные аналитики';

/** The figures of the panel for the period that its address names. */
export function useAnalytics() {
  const queryClient = useQueryClient();
  const [search, setSearch] = useSearchParams();
  const period = readPeriodQuery(search);
  const [resets, setResets] = useState(0);
  const counts = useQuery(analyticsQuery(period));
  const days = useQuery(dailyAnalyticsQuery(period));
  const failure = counts.error ?? days.error;

  const load = (next: Period) => {
    if (next.startDate !== period.startDate || next.endDate !== period.endDate) {
      return setSearch(withPeriodQuery(search, next), { state: KEEP_SCROLL });
    }
    void queryClient.invalidateQueries({ queryKey: [ANALYTICS_KEY] });
  };

  useEffect(() => {
    if (!failure) return;
    console.error('Ошибка получения данных аналитики', failure);
    toast({ title: 'Ошибка', description: ANALYTICS_FAILED, tone: 'danger' });
  }, [failure]);

  const loadAll = useEffectEvent(() => load({}));
  useEffect(() => {
    if (resets === 0) return;
    const timer = setTimeout(() => loadAll(), RELOAD_AFTER_RESET_MS);
    return () => clearTimeout(timer);
  }, [resets]);

  return {
    period,
    totals: counts.data,
    series: days.data,
    isFirstLoad: counts.isPending,
    isFetching: counts.isFetching || days.isFetching,
    failureText: failure ? describeError(failure, 'Пожалуйста, попробуйте позже') : null,
    apply: load,
    reset: () => setResets((count) => count + 1),
  };
}
