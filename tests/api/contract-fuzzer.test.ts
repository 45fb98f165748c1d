import { expect, it } from 'vitest';
import { fuzzContract } from '#tests/support/contract-fuzzer.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const testApp = useTestApp();

// `npm run test:slow -- fuzz` makes far more requests, with another seed each time.
it('every endpoint answers valid, nearly valid and hostile requests as its contract says', async () => {
  const { violations, statuses } = await fuzzContract(testApp, { seed: 14, runs: 6 });
  expect(violations).toEqual([]);
  expect(Object.keys(statuses).length).toBeGreaterThan(90);
});
