import { afterEach, beforeEach, expect, test } from 'vitest';
import { playChaos } from '#tests/support/engine-chaos.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

const ORDERS = 500;
const TIMEOUT_MS = 30 * 60_000;

let testApp: TestApp;
// Each engine has its own, because many failures open an outage.
beforeEach(async () => {
  testApp = await createTestApp();
});
afterEach(() => testApp.close());

test.each([
  ['that can be asked for a lost job', true, 11],
  ['that cannot be asked for a lost job', false, 12],
])(
  'of many orders with an engine %s each is completed or refunded, whatever fails and dies',
  async (_, canFindJobs, seed) => {
    const figures = await playChaos(testApp, { orders: ORDERS, seed, canFindJobs });
    console.log(`${ORDERS} orders: ${JSON.stringify(figures)}`);
    expect(figures.paid).toBeGreaterThan(ORDERS);
    expect(Math.min(figures.cancelled, figures.overdue)).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
