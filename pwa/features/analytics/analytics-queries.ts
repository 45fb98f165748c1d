import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { callApi } from '#pwa/lib/api-client.ts';
import { type analyticsPeriod, getAnalytics, getDailyAnalytics } from '#shared/contract/analytics.ts';

/** Days in Moscow time, both included. */
export type Period = z.output<typeof analyticsPeriod>;

/** The nine counts; asked anew whenever the page opens. The counts before stay in sight meanwhile. */
export function analyticsQuery(period: Period) {
  return queryOptions({
    queryKey: ['analytics', 'counts', period],
    queryFn: ({ signal }) => callApi(getAnalytics, { query: period }, { signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** The same day by day. */
export function dailyAnalyticsQuery(period: Period) {
  return queryOptions({
    queryKey: ['analytics', 'days', period],
    queryFn: async ({ signal }) => (await callApi(getDailyAnalytics, { query: period }, { signal })).days,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}
