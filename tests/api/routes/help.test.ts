import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp({ env: { HELP_URL: 'https://help.example/podium' } });
});
afterAll(() => testApp.close());

it('the help leads to the address that the operator has set', async () => {
  const response = await testApp.server.inject('/help');
  expect([response.statusCode, response.headers.location]).toEqual([302, 'https://help.example/podium']);
});
