import { beforeEach, describe, expect, it } from 'vitest';
import { runAdminCommand } from '#api/commands/admin.ts';
import { createOrRenewAdmin } from '#api/services/accounts/accounts.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import {
  createAdmin,
  newEmail,
  PASSWORD,
  registerUnverified,
  registerVerified,
  sessionCookieOf,
} from '#tests/support/users.ts';

const testApp = useTestApp({ env: { ADMIN_USER_IDS: '3,5' } });
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

describe('an account that exists', () => {
  const admin = (...args: string[]) => runAdminCommand(testApp.app, args);
  const isAdmitted = async (cookie: string) =>
    (await testApp.server.inject({ url: '/api/admin/audit', headers: { cookie } })).statusCode === 200;

  it('is made an administrator beside those of the setting, keeps its password and signs in anew, and the audit says so', async () => {
    const [{ email, cookie, account }, first] = [await registerVerified(testApp), await createAdmin(testApp)];
    expect(await isAdmitted(cookie)).toBe(false);
    expect(await admin(email.toUpperCase(), '--promote')).toBe(`Администратор: ${email.toUpperCase()}`);
    expect(await admin('--promote', email)).toBe(`Администратор: ${email} (уже был)`);
    expect([await isAdmitted(cookie), await isAdmitted(first.cookie)]).toEqual([false, true]);
    const signIn = await logIn(email, PASSWORD);
    expect(signIn.json()).toMatchObject({ id: account.id, isAdmin: true });
    expect(await isAdmitted(sessionCookieOf(signIn))).toBe(true);

    expect(await admin(email, '--demote')).toBe(`Роль администратора снята: ${email}`);
    expect([await isAdmitted(sessionCookieOf(signIn)), await isAdmitted(first.cookie)]).toEqual([false, true]);
    const audit = await testApp.app.db.auditEntry.findMany({ orderBy: { id: 'asc' } });
    expect(audit).toMatchObject(
      ['granted', 'revoked'].map((change) => ({
        adminId: null,
        action: 'admin_role_changed',
        accountId: account.id,
        details: { change },
      })),
    );
  });

  it('is not promoted before its e-mail is confirmed, nor is one that is not there', async () => {
    const { email, cookie } = await registerUnverified(testApp);
    await expect(admin(email, '--promote')).rejects.toThrow(`${email}: a confirmed e-mail`);
    await expect(admin('nobody@example.com', '--promote')).rejects.toThrow(
      'nobody@example.com: the e-mail of an account',
    );
    await expect(admin(email)).rejects.toThrow('--promote makes that one an administrator');
    expect(await isAdmitted(cookie)).toBe(false);
    expect(await testApp.app.db.auditEntry.count()).toBe(0);
  });

  it.each([
    [[]],
    [['boss']],
    [['boss@example.com', 'x']],
    [['boss@example.com', '--demote', '--promote']],
    [['--admin']],
  ])('is not touched by %j, which says what is expected', async (args) => {
    await expect(admin(...args)).rejects.toThrow(/^An e-mail and at most one of .* \(found «.*»\)\n\nnpm run admin/);
  });
});
