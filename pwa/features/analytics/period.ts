import { analyticsPeriod } from '#shared/contract/analytics.ts';
import type { Period } from './analytics-queries.ts';
import { fullDay } from './day-counts.ts';

const FIELDS = ['startDate', 'endDate'] as const;

/** The period in the page's address; all time when the address has no valid one. */
export function readPeriodQuery(search: URLSearchParams): Period {
  const typed = FIELDS.flatMap((field) => {
    const value = search.get(field);
    return value ? [[field, value]] : [];
  });
  const parsed = analyticsPeriod.safeParse(Object.fromEntries(typed));
  return parsed.success ? parsed.data : {};
}

/** The query of the page with this period. */
export function withPeriodQuery(search: URLSearchParams, period: Period): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const field of FIELDS) {
    const value = period[field];
    if (value) next.set(field, value);
    else next.delete(field);
  }
  return next;
}

/** «за всё время», «с 01.11.2026 по сегодня», «по 21.11.2026», «с 01.11.2026 по 21.11.2026», «за 21.11.2026» */
export function describePeriod({ startDate, endDate }: Period): string {
  if (!startDate && !endDate) return 'за всё время';
  if (startDate === endDate) return `за ${fullDay(startDate ?? '')}`;
  const end = `по ${endDate ? fullDay(endDate) : 'сегодня'}`;
  return startDate ? `с ${fullDay(startDate)} ${end}` : end;
}
