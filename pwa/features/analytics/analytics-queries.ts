import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { callApi } from '#pwa/lib/api-client.ts';
import { type analyticsPeriod, getAnalytics, getDailyAnalytics } from '#shared/contract/analytics.ts';

/** Days in Moscow time, both included. */
export type Period = z.output<typeof analyticsPeriod>;

/**
 * The figures and the period that they are of; asked anew whenever the page opens. Those of the period before stay in sight
 * meanwhile, under their own name.
 */
export function analyticsQuery(period: Period) {
  return queryOptions({
    queryKey: ['analytics', 'counts', period],
    queryFn: async ({ signal }) => ({ period, counts: await callApi(getAnalytics, { query: period }, { signal }) }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** The same day by day. */
export function dailyAnalyticsQuery(period: Period) {
  return queryOptions({
    queryKey: ['analytics', 'days', period],
    queryFn: async ({ signal }) => ({
      period,
      days: (await callApi(getDailyAnalytics, { query: period }, { signal })).days,
    }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}
