import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { startJobs } from '#api/jobs/start-jobs.ts';
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
  type TestUser,
} from '#tests/support/users.ts';

const testApp = useTestApp();
beforeAll(async () => {
  await startJobs(testApp.app);
});

const post = (url: string, cookie: string, payload: object) =>
  testApp.server.inject({ method: 'POST', url, headers: { cookie }, payload, remoteAddress: nextAddress() });
const userOf = async (cookie: string) =>
  (await testApp.server.inject({ url: '/api/auth/user', headers: { cookie } })).json();
const answerOf = ({ statusCode, json }: Awaited<ReturnType<typeof post>>) => [statusCode, json().code];
/** Makes this person's codes older. */
const ageCodes = ({ account }: TestUser, ms = 60_000) =>
  testApp.app.db.$executeRaw`
    update email_codes set created_at = created_at - ${ms} * interval '1 ms' where account_id = ${account.id}`;
const verify = (user: TestUser, verificationCode: string) =>
  post('/api/verify-email', user.cookie, { verificationCode });

/** Runs the work while sending mails fails. */
async function withoutMail<T>(work: () => Promise<T>): Promise<T> {
  const send = vi.spyOn(testApp.app.mailer, 'send').mockRejectedValue(new Error('connection refused'));
  try {
    return await work();
  } finally {
    send.mockRestore();
  }
}

describe('an account that has not confirmed its e-mail', () => {
  const correct = (user: TestUser, email: string) => post('/api/correct-email', user.cookie, { email });

  it('gets another one with a new code, and the code for the former one no longer works', async () => {
    const user = await registerUnverified(testApp);
    const former = await readCode(testApp, user.email);
    await ageCodes(user);
    const email = `Right.${newEmail()}`;
    const response = await correct(user, ` ${email} `);
    expect(response.statusCode).toBe(200);
    const expected = { ...user.account, email, username: email.split('@')[0], isEmailVerified: false };
    expect(await userOf(user.cookie)).toEqual(response.json());
    // What the registration says beside the account.
    expect({ ...response.json(), needEmailVerification: true, codeWasSent: true }).toEqual(expected);
    expect((await verify(user, former)).statusCode).toBe(400);
    expect((await verify(user, await readCode(testApp, email))).statusCode).toBe(200);
    const payload = { email, password: PASSWORD };
    expect((await post('/api/login', '', payload)).json()).toMatchObject({ email, isEmailVerified: true });
  });

  it('keeps a name that was chosen', async () => {
    const user = await registerUnverified(testApp);
    await testApp.app.db.account.update({ where: { id: user.account.id }, data: { username: 'Анна' } });
    await ageCodes(user);
    expect((await correct(user, newEmail())).json().username).toBe('Анна');
  });

  it('gets another one at once, and each mailbox gets at most one code a minute from any number of corrections', async () => {
    const user = await registerUnverified(testApp);
    const email = newEmail();
    expect((await correct(user, email)).statusCode).toBe(200);
    for (const mailed of [user.email, email.toUpperCase()]) {
      const response = await correct(user, mailed);
      expect(answerOf(response)).toEqual([429, 'code_requested_too_soon']);
      const { retryAfter, message } = response.json();
      expect(retryAfter).toBeGreaterThan(0);
      expect(message).toMatch(/^Новый код можно запросить через \d+\u00a0секунд/);
      expect(await readMails(testApp, mailed.toLowerCase())).toHaveLength(1);
    }
    expect((await userOf(user.cookie)).email).toBe(email);
    expect((await verify(user, await readCode(testApp, email))).statusCode).toBe(200);
  });

  it('sends ten codes an hour at most, over all addresses', async () => {
    const user = await registerUnverified(testApp);
    for (let count = 1; count < 10; count++) expect((await correct(user, newEmail())).statusCode).toBe(200);
    const email = newEmail();
    const response = await correct(user, email);
    expect(answerOf(response)).toEqual([429, 'too_many_requests']);
    expect(response.json().message).toMatch(/^Слишком много запросов. Повторите через \d+\u00a0минут/);
    expect(await readMails(testApp, email)).toEqual([]);
  });

  it('tries ten addresses an hour at most, although taken ones get no mail', async () => {
    const [user, other] = [await registerUnverified(testApp), await registerUnverified(testApp)];
    for (let count = 0; count < 10; count++) {
      expect(answerOf(await correct(user, other.email))).toEqual([409, 'email_taken']);
    }
    const unknown = newEmail();
    for (const email of [other.email, unknown]) {
      expect(answerOf(await correct(user, email))).toEqual([429, 'too_many_requests']);
    }
    expect(await readMails(testApp, unknown)).toEqual([]);
  });

  it('writes to one mailbox ten times an hour at most, by registrations and corrections of all accounts', async () => {
    const email = newEmail();
    for (let count = 0; count < 5; count++) {
      // The account gives the address up, so that the next one can take it.
      await correct(await registerUnverified(testApp, { email }), newEmail());
      const user = await registerUnverified(testApp);
      expect((await correct(user, email)).statusCode).toBe(200);
      await correct(user, newEmail());
    }
    const user = await registerUnverified(testApp);
    expect(answerOf(await correct(user, email.toUpperCase()))).toEqual([429, 'too_many_requests']);
    expect((await userOf(user.cookie)).email).toBe(user.email);
    const response = await post('/api/register', '', { email, password: PASSWORD });
    expect(answerOf(response)).toEqual([429, 'too_many_requests']);
    expect(await readMails(testApp, email)).toHaveLength(10);
  });

  it('is confirmed by another code, even after strangers have requested many codes for a new password', async () => {
    const user = await registerUnverified(testApp);
    for (let count = 0; count < 10; count++) {
      await ageCodes(user);
      // Each after the former ones have expired: strangers get only a few that are valid at the same time.
      await testApp.app.db.limitCount.deleteMany();
      await post('/api/password-reset/request', '', { email: user.email });
      await vi.waitFor(async () => expect(await readMails(testApp, user.email)).toHaveLength(count + 2), 60_000);
    }
    expect((await post('/api/resend-verification', user.cookie, {})).statusCode).toBe(204);
  });

  it('does not get a taken address, in upper or lower case, and its code still works', async () => {
    const [other, user] = [await registerUnverified(testApp), await registerUnverified(testApp)];
    await ageCodes(user);
    expect(answerOf(await correct(user, other.email.toUpperCase()))).toEqual([409, 'email_taken']);
    expect((await verify(user, await readCode(testApp, user.email))).statusCode).toBe(200);
  });

  it('has the new address and no code when the mail was not sent', async () => {
    const user = await registerUnverified(testApp);
    const former = await readCode(testApp, user.email);
    await ageCodes(user);
    const email = newEmail();
    expect(answerOf(await withoutMail(() => correct(user, email)))).toEqual([503, 'mail_not_sent']);
    expect((await userOf(user.cookie)).email).toBe(email);
    expect(answerOf(await verify(user, former))).toEqual([400, 'code_expired']);
  });

  it('is not opened by a reset code that went to the former address', async () => {
    const user = await registerUnverified(testApp);
    await post('/api/password-reset/request', '', { email: user.email });
    await vi.waitFor(async () => expect(await readMails(testApp, user.email)).toHaveLength(2), 60_000);
    const code = await readCode(testApp, user.email);
    await ageCodes(user);
    const email = newEmail();
    expect((await correct(user, email)).statusCode).toBe(200);
    const reset = await post('/api/password-reset', '', { email, code, password: 'another-password' });
    expect(answerOf(reset)).toEqual([400, 'invalid_code']);
  });

  it('gets the code of a delayed request at its current address', async () => {
    const user = await registerUnverified(testApp);
    await ageCodes(user);
    const body = new PassThrough();
    const held = testApp.server.inject({
      method: 'POST',
      url: '/api/resend-verification',
      headers: { cookie: user.cookie, 'content-type': 'application/json' },
      payload: body,
      remoteAddress: nextAddress(),
    });
    body.write('{');
    const email = newEmail();
    expect((await correct(user, email)).statusCode).toBe(200);
    await ageCodes(user);
    const before = (await readMails(testApp, user.email)).length;
    body.end('}');
    expect((await held).statusCode).toBe(204);
    expect(await readMails(testApp, user.email)).toHaveLength(before);
    expect((await verify(user, await readCode(testApp, email))).statusCode).toBe(200);
  });

  it('is the only one that can do so', async () => {
    const user = await registerVerified(testApp);
    expect(answerOf(await correct(user, newEmail()))).toEqual([409, 'already_verified']);
    expect(answerOf(await post('/api/correct-email', '', { email: newEmail() }))).toEqual([401, 'unauthorized']);
  });
});

describe('a confirmed e-mail', () => {
  const ask = (user: TestUser, email: string, currentPassword = PASSWORD) =>
    post('/api/account/email', user.cookie, { email, currentPassword });
  const confirm = (user: TestUser, code: string) => post('/api/account/email/confirm', user.cookie, { code });

  it('is changed by the password and a code from the new address; other sessions end and the former address gets a mail', async () => {
    const user = await registerVerified(testApp);
    const elsewhere = sessionCookieOf(await post('/api/login', '', { email: user.email, password: PASSWORD }));
    const email = newEmail();
    expect((await ask(user, email)).statusCode).toBe(204);
    expect((await userOf(user.cookie)).email).toBe(user.email);

    const response = await confirm(user, (await readCode(testApp, email)).toLowerCase());
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ ...user.account, email });
    expect((await userOf(sessionCookieOf(response))).email).toBe(email);
    for (const ended of [user.cookie, elsewhere]) expect((await userOf(ended)).code).toBe('unauthorized');
    expect(answerOf(await post('/api/login', '', { email: user.email, password: PASSWORD }))[0]).toBe(401);
    expect((await post('/api/login', '', { email, password: PASSWORD })).statusCode).toBe(200);
    await vi.waitFor(async () => {
      const told = (await readMails(testApp, user.email)).at(-1);
      expect(told?.subject).toBe('Email аккаунта изменён — «Подиум»');
      expect(told?.text).not.toContain(email);
    }, 60_000);
  });

  it('is not changed without the password, and the new address gets no mail', async () => {
    const user = await registerVerified(testApp);
    const email = newEmail();
    expect(answerOf(await ask(user, email, 'wrong-password'))).toEqual([400, 'wrong_password']);
    expect(await readMails(testApp, email)).toEqual([]);
  });

  it('is not changed by a wrong code, which counts the last tries, nor by a code for another purpose', async () => {
    const user = await registerVerified(testApp);
    const email = newEmail();
    await ask(user, email);
    const code = await readCode(testApp, email);
    const response = await confirm(user, code === 'AAAAAA' ? 'BBBBBB' : 'AAAAAA');
    expect(response.json()).toMatchObject({ code: 'invalid_code', attemptsLeft: 4 });
    const reset = await post('/api/password-reset', '', { email: user.email, code, password: 'another-password' });
    expect(answerOf(reset)).toEqual([400, 'invalid_code']);
    expect((await userOf(user.cookie)).email).toBe(user.email);
  });

  it('is not changed to itself, to a taken one, or before it is confirmed', async () => {
    const [user, other] = [await registerVerified(testApp), await registerUnverified(testApp)];
    expect(answerOf(await ask(user, user.email.toUpperCase()))).toEqual([400, 'invalid_request']);
    expect(answerOf(await ask(user, other.email))).toEqual([409, 'email_taken']);
    expect(answerOf(await ask(other, newEmail()))).toEqual([403, 'email_not_verified']);
  });

  it('stays where somebody registers the address before the code is entered', async () => {
    const user = await registerVerified(testApp);
    const email = newEmail();
    await ask(user, email);
    const code = await readCode(testApp, email);
    await registerUnverified(testApp, { email });
    expect(answerOf(await confirm(user, code))).toEqual([409, 'email_taken']);
    expect((await userOf(user.cookie)).email).toBe(user.email);
  });

  it('invalidates a reset code that was mailed to the former one, for both addresses', async () => {
    const user = await registerVerified(testApp);
    await post('/api/password-reset/request', '', { email: user.email });
    await vi.waitFor(async () => expect(await readMails(testApp, user.email)).toHaveLength(1), 60_000);
    const code = await readCode(testApp, user.email);
    const email = newEmail();
    await ask(user, email);
    expect((await confirm(user, await readCode(testApp, email))).statusCode).toBe(200);
    for (const address of [user.email, email]) {
      const reset = await post('/api/password-reset', '', { email: address, code, password: 'another-password' });
      expect(answerOf(reset)).toEqual([400, 'invalid_code']);
    }
    expect((await post('/api/login', '', { email, password: PASSWORD })).statusCode).toBe(200);
  });

  it('leaves behind an address that gets no sign-up stars again', async () => {
    const user = await registerVerified(testApp);
    const email = newEmail();
    await ask(user, email);
    expect((await confirm(user, await readCode(testApp, email))).statusCode).toBe(200);
    await vi.waitFor(async () => expect(await readMails(testApp, user.email)).toHaveLength(1), 60_000);
    const next = await registerVerified(testApp, { email: user.email });
    const balances = await testApp.app.db.account.findMany({
      where: { id: { in: [user.account.id, next.account.id] } },
      orderBy: { id: 'asc' },
      select: { starBalance: true },
    });
    expect(balances).toEqual([{ starBalance: 2 }, { starBalance: 0 }]);
  });
});
