import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '#api/errors.ts';
import {
  checkWithinLimit,
  countAttempt,
  forgetAttempts,
  removeOldCounts,
  type SharedLimit,
} from '#api/services/ground/shared-limits.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';

const LIMIT: SharedLimit = { name: 'test', max: 3, windowMs: 60_000 };
const REFUSED = { code: 'too_many_requests' };
let database: TestDatabase;
let app: Parameters<typeof countAttempt>[0];

beforeAll(async () => {
  database = await openTestDatabase();
  app = { db: database.db, config: { sessionSecret: 'a secret of the server' } };
});
afterEach(() => database.reset());
afterAll(() => database.close());

const count = (subject = 'anna') => countAttempt(app, LIMIT, subject);
const guess = (isRight: boolean, subject = 'anna') =>
  checkWithinLimit(app, LIMIT, subject, async () => isRight).catch((error: unknown) => {
    if (error instanceof AppError && error.code === REFUSED.code) return 'refused';
    throw error;
  });
const repeat = async <T>(times: number, act: () => Promise<T>): Promise<T[]> => {
  const answers: T[] = [];
  for (let index = 0; index < times; index++) answers.push(await act());
  return answers;
};
/** Moves all windows into the past. */
const age = (ms: number) =>
  database.db.$executeRaw`UPDATE rate_limits SET
    expires_at = expires_at - ${ms}::int * interval '1 millisecond',
    pending_until = pending_until - ${ms}::int * interval '1 millisecond'`;

describe('counted attempts', () => {
  test('are refused past the limit, with the seconds until the window ends', async () => {
    await repeat(3, count);
    await age(20_000);
    const refusal = await count().catch((error: unknown) => error);
    expect(refusal).toMatchObject(REFUSED);
    const { retryAfter } = (refusal as AppError).extra as { retryAfter: number };
    expect(retryAfter).toBeGreaterThan(30);
    expect(retryAfter).toBeLessThanOrEqual(40);
    await expect(count('boris')).resolves.toBeUndefined();
  });

  test('count from zero when the window is over', async () => {
    await repeat(3, count);
    await age(60_001);
    await expect(count()).resolves.toBeUndefined();
  });

  test('never exceed the limit, however many are made at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => count()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  });

  test('are stored without saying whose they are', async () => {
    await count('anna@example.com');
    const rows = await database.db.$queryRaw`SELECT encode(key, 'escape') AS key FROM rate_limits`;
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('anna');
  });

  test('are removed when their window is over, and not before', async () => {
    await count();
    expect(await removeOldCounts(app)).toBe(0);
    await age(60_001);
    expect(await removeOldCounts(app)).toBe(1);
  });
});

describe('checked secrets', () => {
  test('are checked no more after as many wrong ones as the limit allows', async () => {
    expect(await repeat(4, () => guess(false))).toEqual([false, false, false, 'refused']);
    expect(await guess(true)).toBe('refused');
  });

  test('do not count when they are right, and clear the wrong ones before', async () => {
    expect(await repeat(20, () => guess(true))).not.toContain('refused');
    await repeat(2, () => guess(false));
    await guess(true);
    expect(await repeat(4, () => guess(false))).toEqual([false, false, false, 'refused']);
  });

  test('do not count when the check fails', async () => {
    const failing = () =>
      checkWithinLimit(app, LIMIT, 'anna', async () => Promise.reject(new Error('the database is away')));
    for (let index = 0; index < 20; index++) await expect(failing()).rejects.toThrow('the database is away');
    expect(await guess(true)).toBe(true);
  });

  test('do not count when their process dies, after a short while', async () => {
    for (let index = 0; index < 3; index++) {
      const begun = Promise.withResolvers<void>();
      void checkWithinLimit(app, LIMIT, 'anna', () => {
        begun.resolve();
        return new Promise(() => undefined);
      });
      await begun.promise;
    }
    expect(await guess(true)).toBe('refused');
    await age(20_001);
    expect(await guess(true)).toBe(true);
  });

  test('are forgotten on request', async () => {
    await repeat(3, () => guess(false));
    await forgetAttempts(app, LIMIT, 'anna');
    expect(await guess(false)).toBe(false);
  });

  test('give away as many wrong answers as the limit allows, in any order and however many at once', async () => {
    /** How many wrong ones are tried at once, or a right one. */
    const step = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant('right' as const));
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
        const subject = `round ${++round}`;
        let counted = 0;
        for (const one of steps) {
          if (one === 'right') {
            expect(await guess(true, subject)).toBe(counted < LIMIT.max ? true : 'refused');
            if (counted < LIMIT.max) counted = 0;
          } else {
            const answers = await Promise.all(Array.from({ length: one }, () => guess(false, subject)));
            const allowed = Math.min(one, LIMIT.max - counted);
            expect(answers.filter((answer) => answer === false)).toHaveLength(allowed);
            counted += allowed;
          }
        }
      }),
      { numRuns: 25 },
    );
  });
});
