import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { AppError } from '#api/platform/errors.ts';
import type { Limit } from '#api/services/core/limit-table.ts';
import {
  blockLimit,
  checkWithinLimit,
  consumeLimit,
  createProcessCount,
  createSharedCount,
  forgetLimit,
  removeOldLimitCounts,
  returnToLimit,
  toNetwork,
} from '#api/services/core/limits.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';

const LIMIT: Limit = { name: 'test', max: 3, seconds: 60 };
const REFUSED = { code: 'too_many_requests' };
let database: TestDatabase;
let app: Parameters<typeof consumeLimit>[0] & Pick<TestDatabase, 'db'>;

beforeAll(async () => {
  database = await openTestDatabase();
  app = { db: database.db, config: { sessionSecret: 'a secret of the server' } };
});
afterEach(() => database.reset());
afterAll(() => database.close());

const consume = (subject = 'anna') => consumeLimit(app, LIMIT, subject);
const consumeTimes = async (times: number) => {
  for (let index = 0; index < times; index++) await consume();
};
/** Moves all windows into the past. */
const age = (seconds: number) =>
  database.db.$executeRaw`UPDATE limit_counts SET expire = expire - ${seconds}::int * 1000`;
const secondsOf = (refusal: unknown) => (refusal as AppError).extra.retryAfter;

describe('a limit', () => {
  test('refuses what is past it, with the seconds until the window ends', async () => {
    await consumeTimes(3);
    await age(20);
    const refusal = await consume().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject(REFUSED);
    expect(secondsOf(refusal)).toBeGreaterThan(30);
    expect(secondsOf(refusal)).toBeLessThanOrEqual(40);
    await expect(consume('boris')).resolves.toBe(1);
  });

  test('is not prolonged by what it refuses', async () => {
    await consumeTimes(3);
    await age(20);
    await expect(consume()).rejects.toMatchObject(REFUSED);
    await age(40);
    await expect(consume()).resolves.toBe(1);
  });

  test('lets no more through than it allows, however many come at once', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 40 }, () => consume()));
    const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    expect(refusals).toHaveLength(37);
    for (const refusal of refusals) expect(refusal).toMatchObject(REFUSED);
  });

  test('lets no more through than it allows when a window has just ended and many come at once', async () => {
    await consumeTimes(3);
    await age(61);
    const answers = await Promise.allSettled(Array.from({ length: 40 }, () => consume()));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject(REFUSED);
  });

  test('gives back what shall not count', async () => {
    await consumeTimes(3);
    await returnToLimit(app, LIMIT, 'anna');
    await expect(consume()).resolves.toBe(3);
  });

  test('gives nothing back after the end of its window', async () => {
    await consumeTimes(3);
    await age(61);
    await returnToLimit(app, LIMIT, 'anna');
    await consumeTimes(3);
    await expect(consume()).rejects.toMatchObject(REFUSED);
  });

  test('can be a pause, after which the count begins anew', async () => {
    await blockLimit(app, LIMIT, 'anna', 300);
    const refusal = await consume().catch((error: unknown) => error);
    expect(secondsOf(refusal)).toBeGreaterThan(290);
    await age(301);
    await expect(consume()).resolves.toBe(1);
  });

  test('forgets a subject, and only this one', async () => {
    await consumeTimes(3);
    await consume('boris');
    await forgetLimit(app, LIMIT, 'anna');
    await expect(consume()).resolves.toBe(1);
    await expect(consume('boris')).resolves.toBe(2);
  });

  test('counts nothing for a transaction that is undone', async () => {
    const undone = database.db.$transaction(async (tx) => {
      await consumeLimit({ ...app, db: tx }, LIMIT, 'anna');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await expect(consume()).resolves.toBe(1);
  });

  test('stores neither a name nor a subject, and counts apart under another secret', async () => {
    await consume('anna@example.com');
    const [row] = await database.db.limitCount.findMany();
    expect(row?.key).toMatch(/^[\w-]{43}$/);
    await consumeLimit({ ...app, config: { sessionSecret: 'another' } }, LIMIT, 'anna@example.com');
    expect(await database.db.limitCount.count()).toBe(2);
  });

  test('leaves no rows of windows that are over', async () => {
    await consume('anna');
    await age(61);
    await consume('boris');
    expect(await removeOldLimitCounts(app)).toBe(1);
    expect(await database.db.limitCount.count()).toBe(1);
  });
});

describe('a count of a process', () => {
  afterEach(() => void vi.useRealTimers());

  test('refuses what is past the limit, with the seconds until the window ends, and then counts anew', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    const count = createProcessCount(LIMIT);
    expect([await count('anna'), await count('anna'), await count('anna')]).toEqual([1, 2, 3]);
    vi.setSystemTime(20_500);
    await expect(count('anna')).rejects.toMatchObject({ ...REFUSED, extra: { retryAfter: 40 } });
    await expect(count('boris')).resolves.toBe(1);
    vi.setSystemTime(60_000);
    await expect(count('anna')).resolves.toBe(1);
  });

  test('knows nothing of another one', async () => {
    const [count, other] = [createProcessCount(LIMIT), createProcessCount(LIMIT)];
    for (let index = 0; index < LIMIT.max; index++) await count('anna');
    await expect(other('anna')).resolves.toBe(1);
  });
});

describe('a count that processes share', () => {
  test('asks the database no more about a subject that is past the limit', async () => {
    const [count, other] = [createSharedCount(app, LIMIT), createSharedCount(app, LIMIT)];
    expect([await count('anna'), await other('anna'), await count('anna')]).toEqual([1, 2, 3]);
    await age(20);
    const refusals = [await count('anna').catch(String), await count('anna').catch((error: unknown) => error)];
    expect(refusals[1]).toMatchObject(REFUSED);
    expect(secondsOf(refusals[1])).toBeGreaterThan(30);
    await database.db.limitCount.deleteMany();
    await expect(count('anna')).rejects.toMatchObject(REFUSED);
    expect(await database.db.limitCount.count()).toBe(0);
    await expect(count('boris')).resolves.toBe(1);
  });
});

describe('checked secrets', () => {
  const guess = (isRight: boolean, subject = 'anna') =>
    checkWithinLimit(app, LIMIT, subject, async () => isRight).catch((error: unknown) => {
      if (error instanceof AppError && error.code === REFUSED.code) return 'refused';
      throw error;
    });
  const guessTimes = async (times: number, isRight: boolean) => {
    const answers: Awaited<ReturnType<typeof guess>>[] = [];
    for (let index = 0; index < times; index++) answers.push(await guess(isRight));
    return answers;
  };

  test('are checked no more after as many wrong ones as the limit allows', async () => {
    expect(await guessTimes(4, false)).toEqual([false, false, false, 'refused']);
    expect(await guess(true)).toBe('refused');
  });

  test('do not count when they are right, and clear the wrong ones before', async () => {
    expect(await guessTimes(20, true)).not.toContain('refused');
    await guessTimes(2, false);
    await guess(true);
    expect(await guessTimes(4, false)).toEqual([false, false, false, 'refused']);
  });

  test('do not count when the check fails', async () => {
    const failing = () =>
      checkWithinLimit(app, LIMIT, 'anna', async () => Promise.reject(new Error('the database is away')));
    for (let index = 0; index < 20; index++) await expect(failing()).rejects.toThrow('the database is away');
    expect(await guess(true)).toBe(true);
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

describe('a network', () => {
  test('is an IPv4 address, also in its IPv6 form', () => {
    expect(toNetwork('203.0.113.7')).toBe('203.0.113.7');
    expect(toNetwork('::ffff:203.0.113.7')).toBe('203.0.113.7');
    expect(toNetwork('::ffff:cb00:7107')).toBe('203.0.113.7');
  });

  test('is the first 64 bits of an IPv6 address, or as many as are asked for', () => {
    expect(toNetwork('2001:db8:1:2:3:4:5:6')).toBe(toNetwork('2001:db8:1:2::9'));
    expect(toNetwork('2001:db8:1:2::9')).not.toBe(toNetwork('2001:db8:1:3::9'));
    expect(toNetwork('2001:db8:1:2::9', 48)).toBe(toNetwork('2001:db8:1:3::9', 48));
    expect(toNetwork('2001:db8:1:2::9', 48)).not.toBe(toNetwork('2001:db8:2:2::9', 48));
  });

  test('is the word itself where a proxy names something else', () => {
    expect(toNetwork('Unknown')).toBe('unknown');
  });
});
