import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { playChaos } from '#tests/support/engine-chaos.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

const ORDERS = 24;

describe.each([
  ['that can be asked for a lost job', true],
  ['that cannot be asked for a lost job', false],
])('with an engine %s that fails in every way and processes that die at every call', (_, canFindJobs) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp();
  });
  afterAll(() => testApp.close());

  test('every order is completed or refunded, and no output is paid for twice without a reason', async () => {
    const { paid } = await playChaos(testApp, { orders: ORDERS, seed: canFindJobs ? 1 : 2, canFindJobs });
    // Not a promise, only a sign that jobs were really made. How many depends on the machine.
    expect(paid).toBeGreaterThan(ORDERS / 2);
  });
});
