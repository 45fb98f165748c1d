import { expect, test, vi } from 'vitest';
import { ok, runChecks } from '#api/commands/doctor/finding.ts';

test('a part that never answers has failed after its time, and holds up no other', async () => {
  vi.useFakeTimers();
  try {
    const never = () => new Promise<never>(() => {});
    const examined = runChecks([
      ['hanging', 'Look at it.', never],
      ['other', '', async () => ok('fine')],
    ]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await examined).toEqual([
      { part: 'hanging', state: 'failed', text: 'no answer within 15 s. Look at it.' },
      { part: 'other', state: 'ok', text: 'fine' },
    ]);
  } finally {
    vi.useRealTimers();
  }
});
