import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { callApi } from '#pwa/client/api-client.ts';
import { type analyticsPeriod, getAnalytics, getDailyAnalytics } from '#shared/contract/analytics.ts';
import { getEngineAnalytics } from '#shared/contract/engines.ts';

/** Days in Moscow time, both included. */
export type Period = z.output<typeof analyticsPeriod>;

export const ANALYTICS_KEY = 'analytics';

/**
 * The figures with their period. Fetched again whenever the page opens. Until then the figures of the previous period
 * stay in sight, labelled with that period.
 */
export function analyticsQuery(period: Period) {
  return queryOptions({
    queryKey: [ANALYTICS_KEY, 'counts', period],
    queryFn: async ({ signal }) => ({ period, counts: await callApi(getAnalytics, { query: period }, { signal }) }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** The figures of a period for each of its days. */
export function dailyAnalyticsQuery(period: Period) {
  return queryOptions({
    queryKey: [ANALYTICS_KEY, 'days', period],
    queryFn: async ({ signal }) => ({
      period,
      days: (await callApi(getDailyAnalytics, { query: period }, { signal })).days,
    }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** What the engines made and cost. */
export function engineAnalyticsQuery(period: Period) {
  return queryOptions({
    queryKey: [ANALYTICS_KEY, 'engines', period],
    queryFn: async ({ signal }) => ({ period, ...(await callApi(getEngineAnalytics, { query: period }, { signal })) }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}
