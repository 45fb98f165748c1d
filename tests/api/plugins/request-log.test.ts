import { expect, it, vi } from 'vitest';
import { AppError } from '#api/platform/errors.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { readCode, registerAndConfirm, registerVerified } from '#tests/support/users.ts';

const testApp = useTestApp({ onLogLine: (line) => lines.push(line) });
const lines: string[] = [];

/** Waits for the line of the request with this path. */
const lineOf = (path: string) =>
  vi.waitFor(() => {
    const found = lines.map((line) => JSON.parse(line)).find((line) => line.path === path);
    expect(found).toBeDefined();
    return found;
  }, 10_000);

it('every request is one line with who, what, how it ended and how long it took', async () => {
  const { cookie, account } = await registerVerified(testApp);
  lines.length = 0;
  await testApp.server.inject({ url: '/api/auth/user?secret=query', headers: { cookie } });
  expect(await lineOf('/api/auth/user')).toEqual({
    level: 'info',
    time: expect.any(String),
    requestId: expect.any(String),
    method: 'GET',
    path: '/api/auth/user',
    status: 200,
    ms: expect.any(Number),
    accountId: account.id,
    msg: 'request',
  });
});

it('a refused request is a warning with the code of its error', async () => {
  lines.length = 0;
  await testApp.server.inject('/api/stars/balance');
  expect(await lineOf('/api/stars/balance')).toMatchObject({ level: 'warn', status: 401, error: 'unauthorized' });
});

it.each([
  ['Telegram', '/api/telegram/webhook/'],
  ["an engine's provider", '/api/engines/fal/'],
])('the secret address that %s calls is in no line', async (_who, address) => {
  lines.length = 0;
  const secret = '0123456789abcdef-0123456789_abcdef';
  await testApp.server.inject({ method: 'POST', url: `${address}${secret}`, payload: {} });
  expect(await lineOf(`${address}[hidden]`)).toMatchObject({ level: 'warn' });
  expect(lines.join('')).not.toContain(secret);
});

/** Calls a route that throws this error. */
async function callThrowing(error: Error) {
  const { cookie } = await registerVerified(testApp);
  lines.length = 0;
  const findAccount = testApp.app.db.account.findUniqueOrThrow;
  Object.assign(testApp.app.db.account, {
    findUniqueOrThrow: () => {
      throw error;
    },
  });
  const response = await testApp.server.inject({ url: '/api/account/notifications', headers: { cookie } });
  Object.assign(testApp.app.db.account, { findUniqueOrThrow: findAccount });
  return response;
}

it('a start that an engine’s outage refuses is one warning without a stack', async () => {
  const response = await callThrowing(new AppError('engine_maintenance'));
  expect(response.statusCode).toBe(503);
  expect(await lineOf('/api/account/notifications')).toMatchObject({ level: 'warn', error: 'engine_maintenance' });
  expect(lines.filter((line) => line.includes('/api/account/notifications'))).toHaveLength(1);
  expect(lines.join('')).not.toContain('"err"');
});

it('a failed request is one line too, with the stack, under the id that the answer carries', async () => {
  const response = await callThrowing(new Error('something broke'));
  expect(response.statusCode).toBe(500);
  // By then the line of the answer would be there as well.
  await testApp.server.inject('/healthz');
  await lineOf('/healthz');
  const [logged, ...more] = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
  expect(logged).toEqual({
    level: 'error',
    time: expect.any(String),
    requestId: response.json().requestId,
    method: 'GET',
    path: '/api/account/notifications',
    status: 500,
    ms: expect.any(Number),
    accountId: expect.any(Number),
    error: 'internal',
    err: expect.objectContaining({ message: 'something broke' }),
    msg: 'request failed',
  });
  expect(logged.err.stack).toContain('request-log.test.ts');
  expect(more).toEqual([]);
});

it('an answer that says by itself that something is broken is one line of a failed request', async () => {
  lines.length = 0;
  const check = vi.spyOn(testApp.app.queue, 'check').mockRejectedValue(new Error('away'));
  const response = await testApp.server.inject('/readyz');
  check.mockRestore();
  expect(response.statusCode).toBe(503);
  expect(await lineOf('/readyz')).toMatchObject({ level: 'error', status: 503, msg: 'request failed' });
});

it('signing in and out is logged as an action of a person', async () => {
  const { email, password, account } = await registerVerified(testApp);
  lines.length = 0;
  const response = await testApp.server.inject({ method: 'POST', url: '/api/login', payload: { email, password } });
  await testApp.server.inject({
    method: 'POST',
    url: '/api/logout',
    headers: { cookie: String(response.headers['set-cookie']).split(';')[0] ?? '' },
  });
  const actions = lines.map((line) => JSON.parse(line)).filter((line) => line.action);
  expect(actions).toMatchObject([
    { action: 'login', accountId: account.id },
    { action: 'logout', accountId: account.id },
  ]);
});

it('no password, code, e-mail or token of the whole journey is in the log', async () => {
  lines.length = 0;
  const { email, password, cookie } = await registerAndConfirm(testApp, { password: 'pa55word-of-anna' });
  const code = await readCode(testApp, email);
  await testApp.server.inject({ method: 'POST', url: '/api/login', payload: { email, password: 'wrong-pa55' } });
  await testApp.server.inject({ method: 'POST', url: '/api/password-reset', payload: { email, code, password } });
  await testApp.server.inject({ url: `/api/auth/user?email=${email}`, headers: { cookie } });
  const log = lines.join('');
  expect(log.length).toBeGreaterThan(500);
  for (const secret of [email, email.split('@')[0] ?? '', password, 'wrong-pa55', code, cookie.split('=')[1] ?? '']) {
    expect(log).not.toContain(secret);
  }
});
