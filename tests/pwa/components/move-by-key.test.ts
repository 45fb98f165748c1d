import { expect, test } from 'vitest';
import { moveByKey } from '#pwa/components/move-by-key.ts';
import { sweepAt } from '#pwa/components/use-first-view-sweep.ts';

test.each([
  ['ArrowLeft', 5, 4],
  ['ArrowDown', 0, 0],
  ['ArrowRight', 5, 6],
  ['ArrowUp', 9, 9],
  ['Home', 5, 0],
  ['End', 5, 9],
  ['PageUp', 5, 9],
  ['PageDown', 8, 1],
  ['Enter', 5, null],
])('%s moves a slider from %i to %s', (key, value, target) => {
  expect(moveByKey(key, value, { max: 9, step: 1, page: 7 })).toBe(target);
});

test('without a length of their own Page Up and Page Down scroll the page', () => {
  const border = { max: 100, step: 5 };
  expect(['PageUp', 'PageDown', 'ArrowLeft'].map((key) => moveByKey(key, 3, border))).toEqual([null, null, 0]);
});

test('the border between before and after sweeps 50, 62, 50 at the first view', () => {
  expect([0, 450, 900, 2000].map(sweepAt)).toEqual([50, 62, 50, 50]);
});
