import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failOverdueGenerations } from '#api/services/generations/running/outcome.ts';
import { createGeneration } from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { readCode, registerUnverified, registerVerified, type TestUser } from '#tests/support/users.ts';

const HOUR_MS = 3_600_000;

const testApp = useTestApp();
// The database keeps its own clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** Moves the clock of the process. */
function jump(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}

const post = (user: TestUser, url: string, payload: object = {}) =>
  testApp.server.inject({ method: 'POST', url, headers: { cookie: user.cookie }, payload });

test('a clock that jumps forward does not end a generation that has just begun', async () => {
  const { account } = await registerVerified(testApp);
  const id = await createGeneration(testApp.app, account.id, 'video', 'generating');
  jump(HOUR_MS);
  await failOverdueGenerations(testApp.app);
  expect((await testApp.app.db.generation.findUniqueOrThrow({ where: { id } })).status).toBe('generating');
});

test('a clock that jumps back keeps nobody waiting for a code', async () => {
  const user = await registerUnverified(testApp);
  jump(-HOUR_MS);
  expect((await post(user, '/api/resend-verification')).statusCode).toBe(204);
  const verificationCode = await readCode(testApp, user.email);
  expect(verificationCode).toMatch(/^[A-Z0-9]{6}$/);
});

test('a clock that jumps an hour signs nobody out', async () => {
  const user = await registerVerified(testApp);
  for (const by of [HOUR_MS, -2 * HOUR_MS]) {
    jump(by);
    const answer = await testApp.server.inject({ url: '/api/stars/balance', headers: { cookie: user.cookie } });
    expect(answer.statusCode).toBe(200);
  }
});
