import { describe, expect, it } from 'vitest';
import { ACCOUNT_TEXTS } from '#shared/contract/account.ts';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { newEmail, nextAddress, PASSWORD, registerUnverified, sessionCookieOf } from '#tests/support/users.ts';

const VERSION = DOCUMENTS_VERSION;

const testApp = useTestApp();

const { post } = testApp;
const get = (url: string, cookie = '') => testApp.server.inject({ url, headers: cookie ? { cookie } : {} });

describe('registration', () => {
  it('answers the user, signs in and asks for the confirmation of the e-mail', async () => {
    const response = await post('/api/register', { email: ' Anna.K@Example.com ', password: 'шесть6' });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      id: expect.any(Number),
      email: 'Anna.K@Example.com',
      username: 'Anna.K',
      firstName: null,
      lastName: null,
      isEmailVerified: false,
      isAdmin: false,
      consentVersion: null,
      transferConsentVersion: null,
      erasesAt: null,
      needEmailVerification: true,
      codeWasSent: true,
    });
    expect(response.json().id).toBeGreaterThanOrEqual(1000);
    const user = await get('/api/auth/user', sessionCookieOf(response));
    expect(user.statusCode).toBe(200);
    expect(user.json().email).toBe('Anna.K@Example.com');
  });

  it('gives nobody the rights, the stars or the id that the body asks for', async () => {
    const wanted = { isAdmin: true, starBalance: 500, id: 3, emailVerifiedAt: new Date().toISOString() };
    const response = await post('/api/register', { email: newEmail(), password: PASSWORD, ...wanted });
    expect(response.json()).toMatchObject({ isAdmin: false, isEmailVerified: false });
    const account = await testApp.app.db.account.findUniqueOrThrow({ where: { id: response.json().id } });
    expect(account).toMatchObject({ isAdmin: false, starBalance: 0, emailVerifiedAt: null });
    expect(account.id).toBeGreaterThanOrEqual(1000);
  });

  it('keeps which consent was given and when, and does not insist on it', async () => {
    const email = newEmail();
    await post('/api/register', { email, password: PASSWORD, consentVersion: VERSION });
    const account = await testApp.app.db.account.findUniqueOrThrow({ where: { emailKey: email } });
    expect(account.consentVersion).toBe(VERSION);
    expect(Math.abs(Date.now() - (account.consentAt?.getTime() ?? 0))).toBeLessThan(60_000);
    const silent = await registerUnverified(testApp, { consentVersion: null });
    const other = await testApp.app.db.account.findUniqueOrThrow({ where: { emailKey: silent.email } });
    expect([other.consentVersion, other.consentAt]).toEqual([null, null]);
  });

  it('takes consent to the documents in force only', async () => {
    const email = newEmail();
    for (const consentVersion of ['2020-01-01', '2099-01-01', 'x', '', ` ${VERSION}`, null, 1]) {
      const response = await post('/api/register', { email, password: PASSWORD, consentVersion });
      expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_request']);
      expect(response.json().message).toBe(ACCOUNT_TEXTS.consentOutdated);
    }
    expect(await testApp.app.db.account.count({ where: { emailKey: email } })).toBe(0);
  });

  it('refuses an e-mail that differs only in case with 409', async () => {
    const { email } = await registerUnverified(testApp);
    const response = await post('/api/register', { email: email.toUpperCase(), password: PASSWORD });
    expect(response.statusCode).toBe(409);
    expect(response.json().code).toBe('email_taken');
  });

  it('lets exactly one of several parallel registrations of one e-mail through', async () => {
    const email = newEmail();
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => post('/api/register', { email, password: PASSWORD })),
    );
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409, 409]);
  });

  it('says what is wrong in the words of the form, with 400', async () => {
    const response = await post('/api/register', { email: 'anna@', password: '12345' });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({
      message: 'Некорректный email',
      code: 'invalid_request',
      fields: { email: 'Некорректный email', password: 'Пароль должен быть не менее 6 символов' },
    });
  });

  it.each([
    ['/api/register', { email: 'Заполните email', password: 'Пароль должен быть не менее 6 символов' }],
    ['/api/login', { email: 'Заполните email', password: 'Введите пароль' }],
  ])('%s has the same words for fields that are empty, absent or no text', async (url, fields) => {
    for (const payload of [{}, { email: '', password: '' }, { email: null, password: 1 }]) {
      const response = await post(url, payload);
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ message: fields.email, fields });
    }
  });

  it('succeeds when the mail cannot be sent, and the code can be requested at once', async () => {
    const working = testApp.app.mailer.send;
    testApp.app.mailer.send = async () => {
      throw new Error('connection refused');
    };
    try {
      const user = await registerUnverified(testApp);
      const failing = await post('/api/resend-verification', {}, user);
      expect([failing.statusCode, failing.json().code]).toEqual([503, 'mail_not_sent']);
      testApp.app.mailer.send = working;
      expect((await post('/api/resend-verification', {}, user)).statusCode).toBe(204);
    } finally {
      testApp.app.mailer.send = working;
    }
  });

  it('lets at least 30 through in an hour from one address and then answers 429 with Retry-After', async () => {
    const address = nextAddress();
    // Invalid bodies are not counted.
    for (let index = 0; index < 20; index++) await post('/api/register', { email: 'x' }, { address });
    const codes: number[] = [];
    for (let index = 0; index < 41; index++) {
      codes.push((await post('/api/register', { email: newEmail(), password: PASSWORD }, { address })).statusCode);
    }
    expect(codes.slice(0, 30)).toEqual(Array(30).fill(200));
    expect(codes.at(-1)).toBe(429);
    const refused = await post('/api/register', { email: newEmail(), password: PASSWORD }, { address });
    const body = refused.json();
    expect(body.code).toBe('too_many_requests');
    expect(body.retryAfter).toBeGreaterThan(0);
    expect(refused.headers['retry-after']).toBe(String(body.retryAfter));
  });
});
