import { formatNumber } from '#pwa/format.ts';
import type { getDailyAnalytics } from '#shared/contract/analytics.ts';
import type { EndpointAnswer } from '#shared/contract/endpoint.ts';

export type DayCounts = EndpointAnswer<typeof getDailyAnalytics>['days'][number];

/** «17.11» of 2026-11-17. */
export function shortDay(date: string): string {
  const [, month, day] = date.split('-');
  return `${day}.${month}`;
}

/** «17.11.2026» */
export function fullDay(date: string): string {
  return date.split('-').reverse().join('.');
}

/** «12 345», «−990», of money with kopecks «1 990,50». */
export function formatFigure(value: number): string {
  const text = Number.isInteger(value) ? formatNumber(value) : formatNumber(value, 2);
  return text.replace('-', '−');
}
