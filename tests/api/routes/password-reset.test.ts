import { beforeAll, expect, it, vi } from 'vitest';
import { startJobs } from '#api/jobs/start-jobs.ts';
import { createTestApp } from '#tests/support/test-app.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import {
  newEmail,
  nextAddress,
  PASSWORD,
  readCode,
  readMails,
  registerUnverified,
  registerVerified,
  sessionCookieOf,
} from '#tests/support/users.ts';

const NEW_PASSWORD = 'another-password';

const testApp = useTestApp();
beforeAll(async () => {
  await startJobs(testApp.app);
});

const { post } = testApp;
const reset = (email: string, code: string, password = NEW_PASSWORD) =>
  post('/api/password-reset', { email, code, password });
const userOf = (cookie: string) => testApp.server.inject({ url: '/api/auth/user', headers: { cookie } });

const waitForMails = (email: string, count: number) =>
  vi.waitFor(async () => expect(await readMails(testApp, email)).toHaveLength(count), { timeout: 60_000 });

/** Asks for a reset code and waits for the mail, which is sent after the answer. */
async function requestCode(email: string): Promise<string> {
  const { length: mailsBefore } = await readMails(testApp, email);
  expect((await post('/api/password-reset/request', { email })).statusCode).toBe(204);
  await waitForMails(email, mailsBefore + 1);
  return readCode(testApp, email);
}

it('sets the new password, signs in and ends every other session', async () => {
  const user = await registerVerified(testApp);
  const elsewhere = await post('/api/login', { email: user.email, password: PASSWORD });
  const code = await requestCode(user.email);
  const response = await reset(user.email.toUpperCase(), code.toLowerCase());
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual(user.account);
  expect((await userOf(sessionCookieOf(response))).statusCode).toBe(200);
  for (const old of [user.cookie, sessionCookieOf(elsewhere)]) expect((await userOf(old)).statusCode).toBe(401);
  expect((await post('/api/login', { email: user.email, password: PASSWORD })).statusCode).toBe(401);
  expect((await post('/api/login', { email: user.email, password: NEW_PASSWORD })).statusCode).toBe(200);
  await vi.waitFor(async () => {
    const told = (await readMails(testApp, user.email)).at(-1);
    expect(told?.subject).toBe('Пароль аккаунта изменён — «Подиум»');
  }, 60_000);
});

it('confirms the e-mail that the code proves, with the two stars, once', async () => {
  const user = await registerUnverified(testApp);
  const verificationCode = await readCode(testApp, user.email);
  const response = await reset(user.email, await requestCode(user.email));
  expect(response.json().isEmailVerified).toBe(true);
  await post('/api/verify-email', { verificationCode }, { cookie: sessionCookieOf(response) });
  const account = await testApp.app.db.account.findUniqueOrThrow({ where: { id: user.account.id } });
  expect(account.starBalance).toBe(2);
});

it('opens the door again to somebody who was locked out by wrong passwords', async () => {
  const { email } = await registerVerified(testApp);
  const address = nextAddress();
  for (let index = 0; index < 10; index++) await post('/api/login', { email, password: 'wrong' }, { address });
  expect((await post('/api/login', { email, password: PASSWORD }, { address })).statusCode).toBe(429);
  await reset(email, await requestCode(email));
  expect((await post('/api/login', { email, password: NEW_PASSWORD }, { address })).statusCode).toBe(200);
});

it('takes a code once', async () => {
  const { email } = await registerVerified(testApp);
  const code = await requestCode(email);
  expect((await reset(email, code)).statusCode).toBe(200);
  expect((await reset(email, code, 'third-password')).json().code).toBe('invalid_code');
});

it('does not take a verification code, nor the other way round', async () => {
  const user = await registerUnverified(testApp);
  expect((await reset(user.email, await readCode(testApp, user.email))).statusCode).toBe(400);
  const verificationCode = await requestCode(user.email);
  const response = await post('/api/verify-email', { verificationCode }, user);
  expect(response.json().code).toBe('invalid_code');
});

it('answers known and unknown e-mails alike, before and after a code was requested, at every try', async () => {
  const [known, unknown] = [(await registerVerified(testApp)).email, newEmail()];
  const requests = [];
  for (const email of [known, unknown]) requests.push(await post('/api/password-reset/request', { email }));
  expect(requests.map(({ statusCode, body }) => [statusCode, body])).toEqual([
    [204, ''],
    [204, ''],
  ]);
  await waitForMails(known, 1);
  for (let index = 0; index < 7; index++) {
    const answers = [];
    for (const email of [known, unknown]) answers.push(await reset(email, 'AAAAAA'));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400]);
    expect(answers[0]?.body).toBe(answers[1]?.body);
  }
});

it('refuses known and unknown e-mails only after the time that every refusal takes', async () => {
  const { email } = await registerVerified(testApp);
  for (const address of [email, newEmail()]) {
    const startedAt = performance.now();
    expect((await reset(address, 'AAAAAA')).statusCode).toBe(400);
    expect(performance.now() - startedAt).toBeGreaterThan(399);
  }
});

it('keeps no sign-in waiting for wrong codes: they are refused without the expensive hash of the new password', async () => {
  const { email } = await registerVerified(testApp);
  await requestCode(email);
  const { promise, resolve } = Promise.withResolvers<void>();
  const queue = testApp.app.state.semaphores.passwordHashing;
  // As many as run and wait at most.
  const busy = Array.from({ length: 52 }, () => queue.run(() => promise));
  try {
    for (const one of [email, newEmail()]) expect((await reset(one, 'AAAAAA')).json().code).toBe('invalid_code');
  } finally {
    resolve();
    await Promise.all(busy);
  }
});

it('does not count the right code where a busy server cannot take the new password', async () => {
  const { email } = await registerVerified(testApp);
  const code = await requestCode(email);
  const { promise, resolve } = Promise.withResolvers<void>();
  const queue = testApp.app.state.semaphores.passwordHashing;
  const busy = Array.from({ length: 52 }, () => queue.run(() => promise));
  const address = nextAddress();
  const tryCode = () => post('/api/password-reset', { email, code, password: NEW_PASSWORD }, { address });
  for (let index = 0; index < 11; index++) expect((await tryCode()).json().code).toBe('unavailable');
  resolve();
  await Promise.all(busy);
  expect((await tryCode()).statusCode).toBe(200);
});

it('finishes a mail under way before the server is gone', async () => {
  const other = await createTestApp();
  try {
    const { email } = await registerVerified(other);
    const request = other.server.inject({ method: 'POST', url: '/api/password-reset/request', payload: { email } });
    await request;
    await other.server.close();
    expect(await readMails(other, email)).toHaveLength(1);
  } finally {
    await other.close();
  }
});
