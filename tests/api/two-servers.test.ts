import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let servers: TestApp[];
beforeAll(async () => {
  servers = await Promise.all([createTestApp(), createTestApp()]);
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** Signs in with a wrong password and returns the status. */
async function guess({ server }: TestApp): Promise<number> {
  const { statusCode } = await server.inject({
    method: 'POST',
    url: '/api/login',
    payload: { email: 'anna@example.com', password: 'wrong password' },
  });
  return statusCode;
}

test('wrong passwords at one server do not block a sign-in at another one of the same process', async () => {
  const [first, second] = servers as [TestApp, TestApp];
  const answers: number[] = [];
  for (let count = 0; count < 11; count++) answers.push(await guess(first));
  expect(answers.at(-1)).toBe(429);
  expect(await guess(second)).toBe(401);
});
