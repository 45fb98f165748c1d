import { expect, test } from 'vitest';
import { retry } from '#api/platform/retry.ts';

const OPTIONS = { tries: 3, firstMs: 1, longestMs: 2, isWorthRetrying: (error: unknown) => String(error) === 'away' };

/** Fails with each reason in turn, then succeeds. Counts its calls. */
function failing(...reasons: string[]) {
  const work = async () => {
    work.calls += 1;
    const reason = reasons.shift();
    if (reason !== undefined) throw reason;
    return 'done';
  };
  work.calls = 0;
  return work;
}

test('work is repeated until it succeeds', async () => {
  const work = failing('away', 'away');
  await expect(retry(work, OPTIONS)).resolves.toBe('done');
  expect(work.calls).toBe(3);
});

test('the last of the tries decides', async () => {
  const work = failing('away', 'away', 'away');
  await expect(retry(work, OPTIONS)).rejects.toBe('away');
  expect(work.calls).toBe(3);
});

test('another error is not worth a second try', async () => {
  const work = failing('refused');
  await expect(retry(work, OPTIONS)).rejects.toBe('refused');
  expect(work.calls).toBe(1);
});
