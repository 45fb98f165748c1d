import { afterAll, beforeAll, expect, test } from 'vitest';
import { median } from '#tests/slow/bench/figures.ts';
import { PRODUCTION_WITH_OUTBOX } from '#tests/support/production-env.ts';
import { type RunningServer, startServer, Visitor } from '#tests/support/running-server.ts';

/** Each kind of answer is timed as often. */
const TRIES = 41;
const GREATEST_SHARE = 0.2;

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ env: { ...PRODUCTION_WITH_OUTBOX, LOG_LEVEL: 'warn' } });
});
afterAll(() => server?.stop());

test('the time of a refused sign-in does not tell whether the address has an account', async () => {
  await new Visitor(server).register('known@example.com');
  const times = { known: [] as number[], unknown: [] as number[] };
  // The two kinds alternate, so that other load on the machine slows both alike.
  for (let turn = 0; turn < TRIES; turn++) {
    for (const kind of ['known', 'unknown'] as const) {
      const address = `198.51.${kind === 'known' ? 1 : 2}.${turn}`;
      const stranger = new Visitor(server, { 'x-forwarded-for': address });
      const startedAt = performance.now();
      const answer = await stranger.request('POST', '/api/login', { email: `${kind}@example.com`, password: 'wrong' });
      times[kind].push(performance.now() - startedAt);
      expect(answer.status).toBe(401);
    }
  }
  const [known, unknown] = [median(times.known), median(times.unknown)];
  const difference = Math.abs(known - unknown) / Math.max(known, unknown);
  expect(difference, `${known} ms and ${unknown} ms`).toBeLessThan(GREATEST_SHARE);
});
