import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AppError } from '#api/errors.ts';
import { countAttempt, removeOldCounts, type SharedLimit } from '#api/services/ground/shared-limits.ts';
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
const repeat = async <T>(times: number, act: () => Promise<T>): Promise<T[]> => {
  const answers: T[] = [];
  for (let index = 0; index < times; index++) answers.push(await act());
  return answers;
};
/** Moves all windows into the past. */
const age = (ms: number) =>
  database.db.$executeRaw`UPDATE rate_limits SET expires_at = expires_at - ${ms}::int * interval '1 millisecond'`;

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
