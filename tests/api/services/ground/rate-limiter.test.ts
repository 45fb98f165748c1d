import { expect, it } from 'vitest';
import { RateLimiter } from '#api/services/ground/rate-limiter.ts';

const MINUTE = 60_000;
const attempt = (limiter: RateLimiter, key: string, now: number) => {
  try {
    limiter.count(key, now);
    return 'counted';
  } catch (error) {
    return error;
  }
};

it('refuses calls past the limit, with the seconds until the window ends', () => {
  const limiter = new RateLimiter({ max: 2, windowMs: MINUTE });
  expect([attempt(limiter, 'a', 0), attempt(limiter, 'a', 1000)]).toEqual(['counted', 'counted']);
  expect(attempt(limiter, 'a', 20_500)).toMatchObject({ code: 'too_many_requests', extra: { retryAfter: 40 } });
  expect(attempt(limiter, 'b', 20_500)).toBe('counted');
});

it('counts from zero when the window is over', () => {
  const limiter = new RateLimiter({ max: 1, windowMs: MINUTE });
  expect(attempt(limiter, 'a', 0)).toBe('counted');
  expect(attempt(limiter, 'a', MINUTE - 1)).toMatchObject({ code: 'too_many_requests' });
  expect(attempt(limiter, 'a', MINUTE)).toBe('counted');
});

it('forgets the oldest keys rather than filling the memory', () => {
  const limiter = new RateLimiter({ max: 1, windowMs: MINUTE });
  for (let index = 0; index <= 50_000; index++) limiter.count(`key ${index}`, 0);
  expect(attempt(limiter, 'key 0', 0)).toBe('counted');
  expect(attempt(limiter, 'key 50000', 0)).toMatchObject({ code: 'too_many_requests' });
});

it('begins a new window when the clock has been set back, and does not lengthen the old one', () => {
  const limiter = new RateLimiter({ max: 1, windowMs: MINUTE });
  expect(attempt(limiter, 'a', 60 * MINUTE)).toBe('counted');
  expect(attempt(limiter, 'a', 0)).toBe('counted');
  expect(attempt(limiter, 'a', 1000)).toMatchObject({ code: 'too_many_requests', extra: { retryAfter: 59 } });
});
