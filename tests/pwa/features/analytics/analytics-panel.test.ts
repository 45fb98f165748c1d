import { describe, expect, test } from 'vitest';
import { drawLine, layOutChart } from '#pwa/features/analytics/chart-geometry.ts';
import { describeDay, moveByKey } from '#pwa/features/analytics/daily-chart.tsx';
import { describePaidShare } from '#pwa/features/analytics/metric-grid.tsx';
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

  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [44, [0, 20, 40, 60]],
    [48, [0, 20, 40, 60]],
    [301, [0, 200, 400]],
  ])('with at most %i has lines at round values above it', (max, ticks) => {
    expect(layOutChart(SIZE, 21, max).ticks).toEqual(ticks);
  });

  test('stands between its margins, 0 at the bottom', () => {
    const { x, y, plot } = layOutChart(SIZE, 21, 44);
    expect([x(0), x(20)]).toEqual([plot.left, plot.right]);
    expect([y(0), y(60)]).toEqual([plot.bottom, plot.top]);
    const single = layOutChart(SIZE, 1, 5);
    expect(single.x(0)).toBe((plot.left + plot.right) / 2);
    expect(single.dayAt(1000)).toBe(0);
  });

  test('finds the nearest day under a pointer, never one outside', () => {
    const { x, dayAt } = layOutChart(SIZE, 21, 44);
    expect([dayAt(x(7) + 3), dayAt(-50), dayAt(5000)]).toEqual([7, 0, 20]);
  });

  test('labels a few days, the first and the last among them', () => {
    expect(layOutChart(SIZE, 21, 1).labelled).toEqual([0, 5, 10, 15, 20]);
    expect(layOutChart(SIZE, 3, 1).labelled).toEqual([0, 1, 2]);
    expect(layOutChart(SIZE, 1, 1).labelled).toEqual([0]);
  });

  test('reads a day out with its figures', () => {
    const day = { date: '2026-11-17', counts: counts({ videos: 41, registrations: 14 }) };
    expect(describeDay(day)).toBe('17.11\u00a0— 41\u00a0видео, 14\u00a0регистраций');
  });

  test.each([
    ['ArrowLeft', 4],
    ['ArrowRight', 6],
    ['Home', 0],
    ['End', 9],
    ['PageUp', 9],
    ['PageDown', 0],
    ['Enter', null],
  ])('goes by the key %s from day 5 to %s', (key, target) => {
    expect(moveByKey(key, 5, 9)).toBe(target);
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
