import { expect, test } from 'vitest';
import { backOffMs } from '#shared/rules/back-off.ts';

const pauses = (count: number, options: Parameters<typeof backOffMs>[1]) =>
  Array.from({ length: count }, (_, failures) => backOffMs(failures, options));

test('each pause is twice as long as the one before, up to the longest', () => {
  expect(pauses(5, { firstMs: 100, longestMs: 700 })).toEqual([100, 200, 400, 700, 700]);
});

test('pauses grow by another factor where one is given', () => {
  expect(pauses(4, { firstMs: 1_000, longestMs: 20_000, factor: 5 })).toEqual([1_000, 5_000, 20_000, 20_000]);
});
