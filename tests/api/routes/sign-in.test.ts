import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { LEAVING_COOKIE, SIGNED_IN_COOKIE } from '#shared/rules/session.ts';
import { createPayment } from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import {
  newEmail,
  nextAddress,
  PASSWORD,
  registerUnverified,
  registerVerified,
  sessionCookieOf,
} from '#tests/support/users.ts';

const testApp = useTestApp();

const { post } = testApp;
const cookiesOf = ({ headers }: LightMyRequestResponse) => [headers['set-cookie'] ?? []].flat();
const BOTH_EXPIRED = [
  expect.stringMatching(/^podium_session=; .*Expires=Thu, 01 Jan 1970/),
  expect.stringMatching(new RegExp(`^${SIGNED_IN_COOKIE}=; .*Expires=Thu, 01 Jan 1970`)),
];
const get = (url: string, cookie = '') => testApp.server.inject({ url, headers: cookie ? { cookie } : {} });

describe('signing in', () => {
  it('answers the user without any secret', async () => {
    const { email, account } = await registerVerified(testApp);
    const response = await post('/api/login', { email: email.toUpperCase(), password: PASSWORD });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      id: account.id,
      email,
      username: email.split('@')[0],
      firstName: null,
      lastName: null,
      isEmailVerified: true,
      isAdmin: false,
      consentVersion: DOCUMENTS_VERSION,
      transferConsentVersion: null,
      erasesAt: null,
    });
  });

  it('sets a cookie that scripts and other sites cannot use, for 30 days', async () => {
    const { email } = await registerUnverified(testApp);
    const response = await post('/api/login', { email, password: PASSWORD });
    expect(cookiesOf(response)[0]).toMatch(
      /^podium_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  it('sets a second cookie, readable and without a secret, which says that somebody is signed in', async () => {
    const { email } = await registerUnverified(testApp);
    const response = await post('/api/login', { email, password: PASSWORD });
    expect(cookiesOf(response).slice(1, 2)).toEqual([`${SIGNED_IN_COOKIE}=1; Max-Age=2592000; Path=/; SameSite=Lax`]);
    // This cookie alone gives no access.
    expect((await get('/api/auth/user', `${SIGNED_IN_COOKIE}=1`)).statusCode).toBe(401);
  });

  it('keeps only a hash of the token', async () => {
    const { email } = await registerUnverified(testApp);
    const token = sessionCookieOf(await post('/api/login', { email, password: PASSWORD })).split('=')[1] ?? '';
    const sessions = await testApp.app.db.session.findMany({ where: { account: { emailKey: email } } });
    const stored = JSON.stringify(sessions.map((session) => Buffer.from(session.tokenHash).toString('latin1')));
    expect(token).toHaveLength(43);
    expect(stored).not.toContain(token);
    expect(sessions.map(({ tokenHash }) => tokenHash.length)).toEqual([32, 32]);
  });

  it('answers a wrong password and an unknown e-mail alike', async () => {
    const { email } = await registerUnverified(testApp);
    const wrong = await post('/api/login', { email, password: 'not-the-password' });
    const unknown = await post('/api/login', { email: newEmail(), password: 'not-the-password' });
    expect(wrong.statusCode).toBe(401);
    expect(unknown.statusCode).toBe(401);
    expect(unknown.body).toBe(wrong.body);
    expect(Object.keys(unknown.headers).sort()).toEqual(Object.keys(wrong.headers).sort());
  });

  it('replaces the session the browser came with', async () => {
    const { email, cookie } = await registerUnverified(testApp);
    const response = await post('/api/login', { email, password: PASSWORD }, { cookie });
    expect(sessionCookieOf(response)).not.toBe(cookie);
    expect((await get('/api/auth/user', cookie)).statusCode).toBe(401);
    expect((await get('/api/auth/user', sessionCookieOf(response))).statusCode).toBe(200);
  });

  it('lets 60 sign-ins a minute through from one address', async () => {
    // The limit counts per minute. The clock stands still, because a busy machine may take longer than that.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const address = nextAddress();
    const codes: number[] = [];
    for (let index = 0; index < 61; index++) {
      codes.push((await post('/api/login', { email: newEmail(), password: 'wrong' }, { address })).statusCode);
    }
    expect(codes.indexOf(429)).toBe(60);
  });
});

describe('a session', () => {
  it('is refused without a cookie, with a made-up one and after its end', async () => {
    const { cookie } = await registerUnverified(testApp);
    expect((await get('/api/auth/user')).json()).toEqual({ message: 'Требуется авторизация', code: 'unauthorized' });
    expect((await get('/api/auth/user', `podium_session=${'A'.repeat(43)}`)).statusCode).toBe(401);
    expect((await get('/api/auth/user', "podium_session=' or 1=1 --")).statusCode).toBe(401);
    expect((await get('/api/auth/user', cookie)).statusCode).toBe(200);
    const { id } = (await get('/api/auth/user', cookie)).json();
    await testApp.app.db.session.updateMany({
      where: { accountId: id },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect((await get('/api/auth/user', cookie)).statusCode).toBe(401);
  });

  it('lives 30 days from its last use, which is written down once an hour', async () => {
    const { cookie, account } = await registerUnverified(testApp);
    const where = { accountId: account.id };
    const seen = async () => (await testApp.app.db.session.findFirstOrThrow({ where })).lastSeenAt.getTime();
    const justNow = await seen();
    expect((await get('/api/auth/user', cookie)).headers['set-cookie']).toBeUndefined();
    expect(await seen()).toBe(justNow);

    const dayAgo = new Date(Date.now() - 24 * 3_600_000);
    await testApp.app.db.session.updateMany({
      where,
      data: { lastSeenAt: dayAgo, expiresAt: new Date(Date.now() + 60_000) },
    });
    const response = await get('/api/auth/user', cookie);
    expect(sessionCookieOf(response)).toBe(cookie);
    expect(cookiesOf(response)[1]).toMatch(new RegExp(`^${SIGNED_IN_COOKIE}=1; Max-Age=2592000`));
    const session = await testApp.app.db.session.findFirstOrThrow({ where });
    expect(session.lastSeenAt.getTime()).toBeGreaterThan(dayAgo.getTime() + 3_600_000);
    expect(session.expiresAt.getTime()).toBeGreaterThan(Date.now() + 29 * 24 * 3_600_000);
  });

  it('ends at logout, which is harmless without one', async () => {
    const { cookie } = await registerUnverified(testApp);
    const response = await post('/api/logout', {}, { cookie });
    expect([response.statusCode, response.body]).toEqual([204, '']);
    expect(cookiesOf(response)).toEqual(BOTH_EXPIRED);
    expect((await get('/api/auth/user', cookie)).statusCode).toBe(401);
    expect((await testApp.server.inject({ method: 'POST', url: '/api/logout' })).statusCode).toBe(204);
  });

  it('is expired by the session-error call, again and again, and never cached', async () => {
    const { cookie } = await registerUnverified(testApp);
    for (const presented of [cookie, cookie, '']) {
      const response = await get('/api/session-error', presented);
      expect([response.statusCode, response.body]).toEqual([204, '']);
      expect(cookiesOf(response)).toEqual(BOTH_EXPIRED);
      expect(response.headers['cache-control']).toBe('no-store');
    }
    expect((await get('/api/auth/user', cookie)).statusCode).toBe(401);
  });

  it("is not ended by another site's link to the session-error call", async () => {
    const { cookie } = await registerUnverified(testApp);
    const response = await testApp.server.inject({
      url: '/api/session-error',
      headers: { cookie, 'sec-fetch-site': 'cross-site' },
    });
    expect(response.statusCode).toBe(403);
    expect((await get('/api/auth/user', cookie)).statusCode).toBe(200);
  });
});

describe('an answer that is late', () => {
  const HOUR_MS = 3_600_000;
  /** Registers a person whose session the next request extends. */
  async function registerLongAgo() {
    const user = await registerUnverified(testApp);
    const where = { accountId: user.account.id };
    const lastSeenAt = new Date(Date.now() - 2 * HOUR_MS);
    await testApp.app.db.session.updateMany({ where, data: { lastSeenAt } });
    const readLastSeen = async () => (await testApp.app.db.session.findFirstOrThrow({ where })).lastSeenAt.getTime();
    return { ...user, wasExtended: async () => (await readLastSeen()) > lastSeenAt.getTime() };
  }

  /** Sends a request that extends the session. `meanwhile` runs just before or just after the end is moved. */
  async function askMeanwhile(cookie: string, moment: 'before' | 'after', meanwhile: () => Promise<unknown>) {
    const { session } = testApp.app.db;
    const { updateMany } = session;
    type Move = Parameters<typeof updateMany>;
    Object.assign(session, {
      updateMany: async (...move: Move) => {
        Object.assign(session, { updateMany });
        if (moment === 'before') await meanwhile();
        const moved = await updateMany.apply(session, move);
        if (moment === 'after') await meanwhile();
        return moved;
      },
    });
    return get('/api/auth/user', cookie);
  }

  it('brings no cookie of a session that was ended meanwhile', async () => {
    const { cookie } = await registerLongAgo();
    const response = await askMeanwhile(cookie, 'after', () => post('/api/logout', {}, { cookie }));
    expect([response.statusCode, cookiesOf(response)]).toEqual([200, []]);
  });

  it('brings no cookie of a session that got another token meanwhile', async () => {
    const { cookie, email } = await registerLongAgo();
    const logIn = () => post('/api/login', { email, password: PASSWORD }, { cookie });
    expect(cookiesOf(await askMeanwhile(cookie, 'after', logIn))).toEqual([]);
  });

  it('is a refusal where the session was ended before it could be extended', async () => {
    const { cookie } = await registerLongAgo();
    const response = await askMeanwhile(cookie, 'before', () => post('/api/logout', {}, { cookie }));
    expect([response.statusCode, cookiesOf(response)]).toEqual([401, []]);
  });

  it('extends no session whose owner is signing out', async () => {
    const { cookie, wasExtended } = await registerLongAgo();
    const response = await get('/api/auth/user', `${cookie}; ${LEAVING_COOKIE}=1`);
    expect([response.statusCode, cookiesOf(response)]).toEqual([200, []]);
    expect(await wasExtended()).toBe(false);
    expect(cookiesOf(await get('/api/auth/user', cookie))).toHaveLength(2);
    expect(await wasExtended()).toBe(true);
  });

  it('to a sign-out or a refused session removes no cookie of a newer session', async () => {
    const { cookie, email, account } = await registerUnverified(testApp);
    const newer = sessionCookieOf(await post('/api/login', { email, password: PASSWORD }, { cookie }));
    const logout = await post('/api/logout', {}, { cookie });
    expect([logout.statusCode, logout.json().code, cookiesOf(logout)]).toEqual([409, 'session_replaced', []]);
    const refused = await get('/api/session-error', cookie);
    expect([refused.statusCode, cookiesOf(refused)]).toEqual([204, []]);
    expect((await get('/api/auth/user', newer)).statusCode).toBe(200);
    // A browser that still sends the old token after an hour never got the new one.
    const createdAt = new Date(Date.now() - HOUR_MS);
    await testApp.app.db.session.updateMany({ where: { accountId: account.id }, data: { createdAt } });
    expect(cookiesOf(await get('/api/session-error', cookie))).toEqual(BOTH_EXPIRED);
    expect(cookiesOf(await post('/api/logout', {}, { cookie }))).toEqual(BOTH_EXPIRED);
  });
});

describe('what an account may know of itself', () => {
  it('is its balance, a number', async () => {
    const fresh = await registerUnverified(testApp);
    expect((await get('/api/stars/balance', fresh.cookie)).json()).toEqual({ balance: 0 });
    const verified = await registerVerified(testApp);
    expect((await get('/api/stars/balance', verified.cookie)).json()).toEqual({ balance: 2 });
  });

  it('is whether it has paid', async () => {
    const { cookie, account } = await registerVerified(testApp);
    expect((await get('/api/user/premium-status', cookie)).json()).toEqual({
      isPremium: false,
      hasSuccessfulTransactions: false,
      transactionCount: 0,
    });
    await createPayment(testApp.app.db, account.id);
    expect((await get('/api/user/premium-status', cookie)).json()).toEqual({
      isPremium: true,
      hasSuccessfulTransactions: true,
      transactionCount: 1,
    });
  });
});
