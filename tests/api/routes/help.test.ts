import { expect, it } from 'vitest';
import { useTestApp } from '#tests/support/use-test-app.ts';

const testApp = useTestApp({ env: { HELP_URL: 'https://help.example/podium' } });

it('the help leads to the address that the operator has set', async () => {
  const response = await testApp.server.inject('/help');
  expect([response.statusCode, response.headers.location]).toEqual([302, 'https://help.example/podium']);
});
