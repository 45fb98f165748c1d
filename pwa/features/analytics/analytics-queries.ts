import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { callApi } from '#pwa/lib/api-client.ts';
import { type analyticsPeriod, getAnalytics, getDailyAnalytics } from '#shared/contract/analytics.ts';

/** Days in Moscow time, both included. */
export type Period = z.output<typeof analyticsPeriod>;

/**
 * The figures with their period. Fetched again whenever the page opens. Until then the figures of the previous period
 * stay in sight, labelled with that period.
 */
export function analyticsQuery(period: Period) {
  return queryOptions({
    queryKey: ['analytics', 'counts', period],
    queryFn: async ({ signal }) => ({ period, counts: await callApi(getAnalytics, { query: period }, { signal }) }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** The same figures for each day. */
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
