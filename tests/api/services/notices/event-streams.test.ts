import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { AccountEvent } from '#api/database/account-events.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { EventStreams } from '#api/services/notices/event-streams.ts';
import { createMetrics } from '#api/telemetry/metrics.ts';

const ACCOUNT = 7;

test('a browser that takes nothing loses its stream instead of filling the memory, and others keep theirs', async () => {
  const streams = new EventStreams({ metrics: createMetrics({ warn: () => {} }) } as AppContext);
  let taken = 0;
  const stuck = new Writable({ write: () => {} });
  const quick = new Writable({ write: (_chunk, _encoding, done) => done(void taken++) });
  for (const output of [stuck, quick]) streams.open(ACCOUNT, 'session', () => output);
  const accountEvent: AccountEvent = { accountId: ACCOUNT, event: 'balance' };
  for (let sent = 0; sent < 10_000; sent++) streams.pass(accountEvent);
  streams.close();
  expect([stuck.destroyed, quick.destroyed]).toEqual([true, false]);
  expect(stuck.writableLength).toBeLessThan(100_000);
  expect(taken).toBe(10_001);
});
