import { describe, expect, test } from 'vitest';
import { drawLine, layOutChart } from '#pwa/features/analytics/chart-geometry.ts';
import { describeDay } from '#pwa/features/analytics/daily-chart.tsx';
import { formatFigure, shortDay } from '#pwa/features/analytics/day-counts.ts';
import { describePaidShare } from '#pwa/features/analytics/metric-grid.tsx';
import { describePeriod, readPeriodQuery, withPeriodQuery } from '#pwa/features/analytics/period.ts';
import { readPeriod } from '#pwa/features/analytics/period-filter.tsx';
import { METRICS, type Metric } from '#shared/contract/analytics.ts';

const counts = (more: Partial<Record<Metric, number>>) => ({
  ...(Object.fromEntries(METRICS.map((metric) => [metric, 0])) as Record<Metric, number>),
  ...more,
});

describe('the period filter', () => {
  const typed = (value: string, isUnreadable = false) => ({ value, isUnreadable });

  test('takes any of the two days, or none', () => {
    expect(readPeriod(typed(''), typed(''))).toEqual({ period: {} });
    expect(readPeriod(typed('2026-11-01'), typed(''))).toEqual({ period: { startDate: '2026-11-01' } });
    expect(readPeriod(typed('2026-11-21'), typed('2026-11-21'))).toEqual({
      period: { startDate: '2026-11-21', endDate: '2026-11-21' },
    });
  });

  test('says what is wrong with the dates', () => {
    expect(readPeriod(typed('2026-11-22'), typed('2026-11-21'))).toEqual({ error: 'Дата начала позже даты конца' });
    expect(readPeriod(typed('', true), typed(''))).toEqual({ error: 'Укажите дату полностью: день, месяц и год' });
  });
});

describe('the period in the address', () => {
  const read = (query: string) => readPeriodQuery(new URLSearchParams(query));

  test('is read, and all time where none can be', () => {
    expect(read('tab=users')).toEqual({});
    expect(read('startDate=2026-11-01')).toEqual({ startDate: '2026-11-01' });
    expect(read('startDate=2026-11-01&endDate=2026-11-21')).toEqual({ startDate: '2026-11-01', endDate: '2026-11-21' });
    expect(read('startDate=2026-11-22&endDate=2026-11-21')).toEqual({});
    expect(read('startDate=yesterday')).toEqual({});
  });

  test('is written beside what stands there', () => {
    const write = (period: object) =>
      withPeriodQuery(new URLSearchParams('tab=audit&endDate=2026-01-01'), period).toString();
    expect(write({ startDate: '2026-11-01' })).toBe('tab=audit&startDate=2026-11-01');
    expect(write({})).toBe('tab=audit');
  });

  test.each([
    [{}, 'за всё время'],
    [{ startDate: '2026-11-01' }, 'с 01.11.2026 по сегодня'],
    [{ endDate: '2026-11-21' }, 'по 21.11.2026'],
    [{ startDate: '2026-11-01', endDate: '2026-11-21' }, 'с 01.11.2026 по 21.11.2026'],
    [{ startDate: '2026-11-21', endDate: '2026-11-21' }, 'за 21.11.2026'],
  ])('%j is called «%s»', (period, name) => {
    expect(describePeriod(period)).toBe(name);
  });
});

test.each([
  [1990, '1\u00a0990'],
  [1990.5, '1\u00a0990,50'],
  [-290, '−290'],
])('the figure %d is written %s', (value, text) => {
  expect(formatFigure(value)).toBe(text);
});

describe('the share of those who paid', () => {
  test.each([
    [74, 128, '58\u00a0%'],
    [0, 3, '0\u00a0%'],
    [0, 0, '—'],
    [1, 0, '—'],
  ])('%i of %i is %s', (completedTransactions, buyStarsCheckoutStarted, share) => {
    expect(describePaidShare({ completedTransactions, buyStarsCheckoutStarted })).toBe(share);
  });
});

describe('the chart', () => {
  const SIZE = { width: 1064, height: 264 };
  const NARROW = { width: 256, height: 220 };
  const daysFrom = (first: string, count: number) =>
    Array.from({ length: count }, (_, day) =>
      new Date(Date.parse(first) + day * 86_400_000).toISOString().slice(0, 10),
    );
  const DAYS_21 = daysFrom('2026-11-02', 21);

  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [44, [0, 20, 40, 60]],
    [48, [0, 20, 40, 60]],
    [301, [0, 200, 400]],
  ])('with at most %i has lines at round values above it', (max, ticks) => {
    expect(layOutChart(SIZE, DAYS_21, max).ticks).toEqual(ticks);
  });

  test('stands between its margins, 0 at the bottom', () => {
    const { x, y, plot } = layOutChart(SIZE, DAYS_21, 44);
    expect([x(0), x(20)]).toEqual([plot.left, plot.right]);
    expect([y(0), y(60)]).toEqual([plot.bottom, plot.top]);
    const single = layOutChart(SIZE, DAYS_21.slice(0, 1), 5);
    expect(single.x(0)).toBe((plot.left + plot.right) / 2);
    expect(single.dayAt(1000)).toBe(0);
  });

  test('finds the nearest day under a pointer, never one outside', () => {
    const { x, dayAt } = layOutChart(SIZE, DAYS_21, 44);
    expect([dayAt(x(7) + 3), dayAt(-50), dayAt(5000)]).toEqual([7, 0, 20]);
  });

  test.each([
    ['each day of a short period', SIZE, '2026-11-16', 7, '16.11 17.11 18.11 19.11 20.11 21.11 22.11'],
    ['Mondays', SIZE, '2026-11-01', 22, '02.11 09.11 16.11'],
    ['Mondays', NARROW, '2026-11-01', 22, '02.11 09.11 16.11'],
    ['every second Monday', NARROW, '2026-10-01', 45, '12.10 26.10 09.11'],
    ['the firsts of months', NARROW, '2026-08-20', 90, '01.09 01.10 01.11'],
    [
      'the firsts of months',
      SIZE,
      '2025-11-22',
      366,
      '01.12 01.01 01.02 01.03 01.04 01.05 01.06 01.07 01.08 01.09 01.10 01.11',
    ],
    ['the firsts of quarters', NARROW, '2025-11-22', 366, '01.01 01.04 01.07 01.10'],
    ['days at even distances where no two weeks begin', NARROW, '2026-11-16', 7, '16.11 18.11 20.11 22.11'],
    ['a single day', NARROW, '2026-11-17', 1, '17.11'],
  ])('labels %s', (_, size, first, count, labels) => {
    const days = daysFrom(first, count);
    const { labelled } = layOutChart(size, days, 1);
    expect(labelled.map((day) => shortDay(days[day] ?? '')).join(' ')).toBe(labels);
  });

  test('reads a day out with its figures', () => {
    const day = { date: '2026-11-17', counts: counts({ videos: 41, registrations: 14 }) };
    expect(describeDay(day)).toBe('17.11\u00a0— 41\u00a0видео, 14\u00a0регистраций');
  });

  test('draws a line through its points', () => {
    expect(
      drawLine([
        [0, 1],
        [2.25, 3],
      ]),
    ).toBe('M0.0 1.0L2.3 3.0');
  });
});
