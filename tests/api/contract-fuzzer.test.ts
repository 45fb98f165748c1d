import { afterAll, beforeAll, expect, it } from 'vitest';
import { fuzzContract } from '#tests/support/contract-fuzzer.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp.close());

// `npm run test:slow -- fuzz` makes far more requests, with another seed each time.
it('every endpoint answers valid, nearly valid and hostile requests as its contract says', async () => {
  const { violations, statuses } = await fuzzContract(testApp, { seed: 14, runs: 6 });
  expect(violations).toEqual([]);
  expect(Object.keys(statuses).length).toBeGreaterThan(90);
});
