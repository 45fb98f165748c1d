import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startJobs } from '#api/jobs/start-jobs.ts';
import { type AccountSession, listSessions } from '#shared/contract/settings.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import {
  logIn,
  PASSWORD,
  readMails,
  registerUnverified,
  sessionCookieOf,
  type TestUser,
} from '#tests/support/users.ts';

const NEW_PASSWORD = 'another-password';

const testApp = useTestApp();
let user: TestUser;
beforeAll(async () => {
  await startJobs(testApp.app);
});
beforeEach(async () => {
  user = await registerUnverified(testApp);
});

const call = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  { cookie = user.cookie, payload }: { cookie?: string; payload?: object } = {},
) => testApp.server.inject({ method, url, headers: cookie ? { cookie } : {}, ...(payload ? { payload } : {}) });

const signIn = (password: string, userAgent = '') =>
  logIn(testApp, { email: user.email, password }, { 'user-agent': userAgent });

async function readSessions(cookie = user.cookie): Promise<AccountSession[]> {
  return listSessions.answer.parse((await call('GET', '/api/account/sessions', { cookie })).json()).sessions;
}

const isSignedIn = async (cookie: string) => (await call('GET', '/api/auth/user', { cookie })).statusCode === 200;

describe('the name', () => {
  it('can be changed, without the blanks around it', async () => {
    const response = await call('PATCH', '/api/account/name', { payload: { username: '  Анна Ким ' } });
    expect([response.statusCode, response.json().username]).toEqual([200, 'Анна Ким']);
    expect((await call('GET', '/api/auth/user')).json().username).toBe('Анна Ким');
  });

  it.each(['', '   ', 'я'.repeat(61), 'Анна\nКим', 'Анна\u202eмиК'])('%j is refused', async (username) => {
    const response = await call('PATCH', '/api/account/name', { payload: { username } });
    expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_request']);
    expect(response.json().fields.username).toMatch(/[Ии]м/);
  });
});

describe('the password', () => {
  const change = (currentPassword: string, newPassword: string, cookie = user.cookie) =>
    call('POST', '/api/account/password', { cookie, payload: { currentPassword, newPassword } });

  it('changes with the current one, signs out everywhere else and gives this browser a new session', async () => {
    const elsewhere = sessionCookieOf(await signIn(PASSWORD));
    const response = await change(PASSWORD, NEW_PASSWORD);
    expect(response.statusCode).toBe(204);
    const renewed = sessionCookieOf(response);
    expect(await isSignedIn(renewed)).toBe(true);
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect(await isSignedIn(user.cookie)).toBe(false);
    expect((await signIn(PASSWORD)).statusCode).toBe(401);
    expect((await signIn(NEW_PASSWORD)).statusCode).toBe(200);
    await vi.waitFor(async () => {
      const told = (await readMails(testApp, user.email)).at(-1);
      expect(told?.subject).toBe('Пароль аккаунта изменён — «Подиум»');
      expect(told?.text).toMatch(/Если пароль изменили не вы, сразу задайте новый/);
      expect(told?.text).toContain('/auth/reset');
    }, 60_000);
  });

  it('a wrong current one changes nothing and does not sign out', async () => {
    const response = await change('wrong-password', NEW_PASSWORD);
    expect([response.statusCode, response.json().code]).toEqual([400, 'wrong_password']);
    expect(await isSignedIn(user.cookie)).toBe(true);
    expect((await signIn(PASSWORD)).statusCode).toBe(200);
  });

  it('a new one must be long enough', async () => {
    const response = await change(PASSWORD, '12345');
    expect(response.json().fields).toEqual({ newPassword: 'Пароль должен быть не менее 6 символов' });
  });

  it('cannot be guessed through an open session', async () => {
    for (let attempt = 0; attempt < 10; attempt++) await change(`wrong-${attempt}`, NEW_PASSWORD);
    expect((await change(PASSWORD, NEW_PASSWORD)).statusCode).toBe(429);
  });
});

describe('the mail about results', () => {
  const url = '/api/account/notifications';

  it('is off until it is switched on, and can be switched off again', async () => {
    expect((await call('GET', url)).json()).toEqual({ mailsResults: false });
    for (const mailsResults of [true, false]) {
      expect((await call('PATCH', url, { payload: { mailsResults } })).json()).toEqual({ mailsResults });
      expect((await call('GET', url)).json()).toEqual({ mailsResults });
    }
  });

  it('stays as it is when nothing is said about it', async () => {
    await call('PATCH', url, { payload: { mailsResults: true } });
    expect((await call('PATCH', url, { payload: {} })).json()).toEqual({ mailsResults: true });
    expect((await call('PATCH', url, { payload: { mailsResults: 'yes' } })).statusCode).toBe(400);
  });
});

describe('sessions', () => {
  it('lists where the account is signed in, this browser first', async () => {
    const phone = sessionCookieOf(await signIn(PASSWORD, 'Phone/1'));
    const sessions = await readSessions(phone);
    expect(sessions.map(({ userAgent, isCurrent }) => [userAgent, isCurrent])).toEqual([
      ['Phone/1', true],
      [expect.any(String), false],
    ]);
    expect((await readSessions()).map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  });

  it('does not list those that have run out', async () => {
    await signIn(PASSWORD, 'Old/1');
    await testApp.app.db.session.updateMany({
      where: { accountId: user.account.id, userAgent: 'Old/1' },
      data: { expiresAt: new Date(Date.now() - 1000) },
    });
    expect(await readSessions()).toHaveLength(1);
  });

  it('one can be ended', async () => {
    const phone = sessionCookieOf(await signIn(PASSWORD, 'Phone/1'));
    const other = (await readSessions()).find(({ isCurrent }) => !isCurrent);
    expect((await call('DELETE', `/api/account/sessions/${other?.id}`)).statusCode).toBe(204);
    expect([await isSignedIn(phone), await isSignedIn(user.cookie)]).toEqual([false, true]);
    const again = await call('DELETE', `/api/account/sessions/${other?.id}`);
    expect([again.statusCode, again.json().code]).toEqual([404, 'session_not_found']);
  });

  it('all others end at once, and nobody else’s', async () => {
    const stranger = await registerUnverified(testApp);
    const others = [sessionCookieOf(await signIn(PASSWORD)), sessionCookieOf(await signIn(PASSWORD))];
    expect((await call('DELETE', '/api/account/sessions')).statusCode).toBe(204);
    expect(await Promise.all(others.map(isSignedIn))).toEqual([false, false]);
    expect(await isSignedIn(user.cookie)).toBe(true);
    expect(await isSignedIn(stranger.cookie)).toBe(true);
  });
});
