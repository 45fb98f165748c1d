import { expect, test } from 'vitest';
import { killAtRandom } from './kill-at-random.ts';

test('after a kill at any moment every charge has a result or a release', { timeout: 300_000 }, async () => {
  const figures = await killAtRandom(5);
  expect(figures).toMatchObject({ kills: 5, lost: 0 });
  expect(figures.completed + figures.released).toBe(5);
});
