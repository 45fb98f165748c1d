import { expect, test } from 'vitest';
import { PromiseCache } from '#api/platform/promise-cache.ts';

/** Makes values and records their keys. */
function createMaker() {
  const made: string[] = [];
  return { made, make: (key: string) => async () => made.push(key) };
}

test('a value is made once, also for those who ask while it is being made', async () => {
  const [cache, { made, make }] = [new PromiseCache<number>({ max: 2 }), createMaker()];
  expect(await Promise.all([cache.get('a', make('a')), cache.get('a', make('a'))])).toEqual([1, 1]);
  expect(await cache.get('a', make('a'))).toBe(1);
  expect(made).toEqual(['a']);
});

test('the key asked for longest ago goes first', async () => {
  const [cache, { made, make }] = [new PromiseCache<number>({ max: 2 }), createMaker()];
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.get(key, make(key));
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('a failure is not kept, and reaches every caller that shared it', async () => {
  const cache = new PromiseCache<string>({ max: 2 });
  const fail = () => Promise.reject(new Error('no connection'));
  const asked = await Promise.allSettled([cache.get('a', fail), cache.get('a', fail)]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await cache.get('a', async () => 'there')).toBe('there');
});
