import { describe, expect, test } from 'vitest';
import { CASE_STUDIES } from '#pwa/features/cases/case-studies.ts';
import { formatMetricChange, formatShare } from '#pwa/features/cases/metrics-table.tsx';
import { resolveBackTarget } from '#pwa/pages/cases-page/back-target.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('the figures of a case', () => {
  test('the change follows from the numbers beside it', () => {
    expect(plain(formatMetricChange({ before: 1.37, after: 1.75 }))).toBe('+27,7 %');
    expect(plain(formatMetricChange({ before: 4, after: 3 }))).toBe('−25,0 %');
    expect(plain(formatMetricChange({ before: 2, after: 2 }))).toBe('0,0 %');
    expect(plain(formatShare(1.6))).toBe('1,60 %');
  });

  test('the example of the specification is among the cases', () => {
    const metrics = CASE_STUDIES.flatMap((study) => study.metrics);
    expect(metrics).toContainEqual({ name: 'CTR карточки', before: 1.37, after: 1.75 });
  });

  test('the landing’s claims are the words of its cases: CTR +34–45 %, conversion +25 % and more', () => {
    const changes = (name: string) =>
      CASE_STUDIES.flatMap((study) => study.metrics)
        .filter((metric) => metric.name === name)
        .map(({ before, after }) => Math.round(((after - before) / before) * 100));
    expect(changes('CTR карточки').filter((percent) => percent >= 34 && percent <= 45)).toHaveLength(2);
    expect(Math.min(...changes('Конверсия в заказ'))).toBeGreaterThanOrEqual(25);
  });
});

test('«Назад» of the cases leads visitors from elsewhere, or in a new tab, to the start page', () => {
  const visitor = { isSignedIn: false, hasNavigated: false, origin: 'https://podium.example' };
  const from = (referrer: string, historyLength: number) => resolveBackTarget({ ...visitor, referrer, historyLength });
  expect(from('https://podium.example/auth', 3)).toBe(-1);
  expect(from('https://search.example/?q=podium', 3)).toBe('/');
  expect(from('https://podium.example/', 1)).toBe('/');
});
