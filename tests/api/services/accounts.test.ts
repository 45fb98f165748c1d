import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOrRenewAdmin } from '#api/services/accounts.ts';
import { newEmail, PASSWORD, registerUnverified, sessionCookieOf } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp({ env: { ADMIN_USER_IDS: '3,5' } });
});
afterAll(() => testApp.close());
beforeEach(() => testApp.database.reset());

const logIn = (email: string, password: string) =>
  testApp.server.inject({ method: 'POST', url: '/api/login', payload: { email, password } });

describe('the administrator', () => {
  it('gets the first id of the configuration, a confirmed e-mail and a password to sign in with', async () => {
    const email = newEmail();
    const { password } = await createOrRenewAdmin(testApp.app, email);
    expect(password).toMatch(/^[\w-]{16}$/);
    const response = await logIn(email, password);
    expect(response.json()).toMatchObject({ id: 3, email, isAdmin: true, isEmailVerified: true });
  });

  it('is renewed: new password and e-mail, the old ones and every session end, the bonus stays one', async () => {
    const [before, after] = [newEmail(), newEmail()];
    const old = await createOrRenewAdmin(testApp.app, before);
    const cookie = sessionCookieOf(await logIn(before, old.password));
    const renewed = await createOrRenewAdmin(testApp.app, after);
    expect(renewed.password).not.toBe(old.password);
    expect((await testApp.server.inject({ url: '/api/auth/user', headers: { cookie } })).statusCode).toBe(401);
    expect((await logIn(before, old.password)).statusCode).toBe(401);
    expect((await logIn(after, old.password)).statusCode).toBe(401);
    expect((await logIn(after, renewed.password)).json()).toMatchObject({ id: 3, email: after });
    expect(await testApp.app.db.starEntry.count({ where: { accountId: 3 } })).toBe(1);
  });

  it('does not take over an e-mail that somebody registered', async () => {
    const { email } = await registerUnverified(testApp);
    await expect(createOrRenewAdmin(testApp.app, email.toUpperCase())).rejects.toMatchObject({ code: 'email_taken' });
    expect((await logIn(email, PASSWORD)).json()).toMatchObject({ isAdmin: false });
    expect(await testApp.app.db.account.count({ where: { id: 3 } })).toBe(0);
  });
});

it('nobody becomes an administrator by registering early', async () => {
  for (let index = 0; index < 4; index++) {
    const { account } = await registerUnverified(testApp);
    expect(account.isAdmin).toBe(false);
    expect(account.id).toBeGreaterThanOrEqual(1000);
  }
});
