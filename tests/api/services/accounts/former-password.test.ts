import { beforeEach, describe, expect, it } from 'vitest';
import { computeTotp, makeTotpSecret, sealSecret, stepAt } from '#api/services/accounts/second-factor.ts';
import { afterNextPasswordCheck } from '#tests/support/after-password-check.ts';
import { until } from '#tests/support/until.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import {
  newEmail,
  nextAddress,
  PASSWORD,
  readCode,
  readMails,
  registerVerified,
  sessionCookieOf,
  type TestUser,
} from '#tests/support/users.ts';

const NEW_PASSWORD = 'a-password-of-the-owner';

const testApp = useTestApp();
let owner: TestUser;
/** The session of somebody else who knows the password. */
let thief: string;
beforeEach(async () => {
  owner = await registerVerified(testApp);
  thief = sessionCookieOf(await signIn(PASSWORD));
});

function post(url: string, payload: object, cookie = '') {
  return testApp.server.inject({ method: 'POST', url, payload, headers: { cookie }, remoteAddress: nextAddress() });
}
const signIn = (password: string) => post('/api/login', { email: owner.email, password });
const changePassword = (newPassword = NEW_PASSWORD, currentPassword = PASSWORD) =>
  post('/api/account/password', { currentPassword, newPassword }, owner.cookie);

/** The newest mail with a code is about `subject`. */
async function waitForCode(email: string, subject: RegExp): Promise<string> {
  await until(async () => expect((await readMails(testApp, email)).at(-1)?.subject).toMatch(subject));
  return readCode(testApp, email);
}

/** What a password opens, as the database has it. */
async function readOpened() {
  const { db } = testApp.app;
  const { id: accountId } = owner.account;
  return {
    account: await db.account.findUniqueOrThrow({
      where: { id: accountId },
      select: { passwordHash: true, deletionAskedAt: true, email: true },
    }),
    sessions: await db.session.findMany({ where: { accountId }, select: { id: true, confirmedAt: true } }),
    openCodes: await db.emailCode.count({ where: { accountId, usedAt: null, expiresAt: { gt: new Date() } } }),
    secondFactor: await db.secondFactor.findUnique({ where: { accountId }, select: { secret: true } }),
  };
}

async function becomeAdministrator(): Promise<void> {
  await testApp.app.db.account.update({ where: { id: owner.account.id }, data: { isAdmin: true } });
}

/** A second factor that is set up, and its code. */
async function setUpSecondFactor(): Promise<string> {
  await becomeAdministrator();
  const { id: accountId } = owner.account;
  const secret = makeTotpSecret();
  const sealed = sealSecret(testApp.app.config.sessionSecret, accountId, secret);
  await testApp.app.db.secondFactor.create({ data: { accountId, secret: sealed, confirmedAt: new Date() } });
  return computeTotp(secret, stepAt(new Date()));
}

describe('whoever gave the password just before it was replaced', () => {
  const password = PASSWORD;
  const currentPassword = PASSWORD;

  it.each<[string, string, () => Promise<object>]>([
    ['is not signed in', '/api/login', async () => ({ email: owner.email, password })],
    ['sets no other password', '/api/account/password', async () => ({ currentPassword, newPassword: 'of-a-thief' })],
    ['begins no change of the e-mail', '/api/account/email', async () => ({ currentPassword, email: newEmail() })],
    ['asks for no deletion', '/api/account/deletion', async () => ({ password })],
    [
      'begins no second factor',
      '/api/admin/second-factor',
      async () => {
        await becomeAdministrator();
        return { password };
      },
    ],
    [
      'confirms nothing as an administrator',
      '/api/admin/confirmation',
      async () => ({ password, code: await setUpSecondFactor() }),
    ],
  ])('%s', async (_, url, prepare) => {
    const payload = await prepare();
    const opened = afterNextPasswordCheck(testApp, async () => {
      expect((await changePassword()).statusCode).toBe(204);
      return readOpened();
    });
    const isSignIn = url === '/api/login';
    const refused = await post(url, payload, isSignIn ? '' : thief);
    expect(refused.json().code).toBe(isSignIn ? 'invalid_credentials' : 'wrong_password');
    expect(sessionCookieOf(refused)).toBe('');
    expect(await readOpened()).toEqual(await opened);
    expect((await signIn(NEW_PASSWORD)).statusCode).toBe(200);
  });

  it('is not signed in after a reset by code', async () => {
    await post('/api/password-reset/request', { email: owner.email });
    const code = await waitForCode(owner.email, /парол/i);
    const reset = afterNextPasswordCheck(testApp, () =>
      post('/api/password-reset', { email: owner.email, code, password: NEW_PASSWORD }),
    );
    expect((await signIn(PASSWORD)).json().code).toBe('invalid_credentials');
    expect((await reset).statusCode).toBe(200);
    expect((await readOpened()).sessions).toHaveLength(1);
  });

  it('is not signed in with the former e-mail after a change of it', async () => {
    const email = newEmail();
    await post('/api/account/email', { currentPassword, email }, owner.cookie);
    const code = await waitForCode(email, /./);
    const changed = afterNextPasswordCheck(testApp, () => post('/api/account/email/confirm', { code }, owner.cookie));
    expect((await signIn(PASSWORD)).json().code).toBe('invalid_credentials');
    expect((await changed).statusCode).toBe(200);
    expect((await readOpened()).sessions).toHaveLength(1);
  });
});

describe('what the former password has begun', () => {
  it('is no way to another e-mail: its code is void', async () => {
    const email = newEmail();
    await post('/api/account/email', { currentPassword: PASSWORD, email }, thief);
    const code = await waitForCode(email, /./);
    const own = sessionCookieOf(await changePassword());
    expect((await post('/api/account/email/confirm', { code }, own)).json().code).toBe('code_expired');
    expect((await readOpened()).account.email).toBe(owner.email);
  });

  it('is no second factor that could be confirmed afterwards', async () => {
    await becomeAdministrator();
    await post('/api/admin/second-factor', { password: PASSWORD }, thief);
    const own = sessionCookieOf(await changePassword());
    const finished = await post('/api/admin/second-factor/confirm', { code: '123456' }, own);
    expect(finished.json().code).toBe('second_factor_required');
  });
});
