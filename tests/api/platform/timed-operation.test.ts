import { expect, it, onTestFinished, vi } from 'vitest';
import { timeOperation } from '#api/platform/timed-operation.ts';
import { createLogger } from '#api/telemetry/log.ts';

it('an operation of more than a second is a warning in production, even when it fails; a quick one is not', async () => {
  // The clock goes on only here, so that the quick one is quick on a busy machine, too.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const log = createLogger({ isProduction: true, logLevel: 'debug' }, { write: (line) => void lines.push(line) });
  expect(await timeOperation({ log }, 'quick', async () => 7)).toBe(7);
  const slow = timeOperation({ log }, 'slow', async () => {
    vi.advanceTimersByTime(1001);
    throw new Error('no answer');
  });
  await expect(slow).rejects.toThrow('no answer');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', operation: 'slow', msg: 'slow operation' },
  ]);
});
