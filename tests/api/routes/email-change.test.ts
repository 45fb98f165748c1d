import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { startJobs } from '#api/jobs/start-jobs.ts';
import {
  newEmail,
  nextAddress,
  PASSWORD,
  type Person,
  readCode,
  readMails,
  registerUnverified,
  registerVerified,
  sessionCookieOf,
} from '#tests/support/people.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

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
const ageCodes = ({ account }: Person, ms = 60_000) =>
  testApp.app.db.$executeRaw`
    update email_codes set created_at = created_at - ${ms} * interval '1 ms' where account_id = ${account.id}`;
const verify = (person: Person, verificationCode: string) =>
  post('/api/verify-email', person.cookie, { verificationCode });

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
  const correct = (person: Person, email: string) => post('/api/correct-email', person.cookie, { email });

  it('gets another one with a new code, and the code for the former one no longer works', async () => {
    const person = await registerUnverified(testApp);
    const former = await readCode(testApp, person.email);
    await ageCodes(person);
    const email = `Right.${newEmail()}`;
    const response = await correct(person, ` ${email} `);
    expect(response.statusCode).toBe(200);
    const user = { ...person.account, email, username: email.split('@')[0], isEmailVerified: false };
    expect(await userOf(person.cookie)).toEqual(response.json());
    // What the registration says beside the account.
    expect({ ...response.json(), needEmailVerification: true, codeWasSent: true }).toEqual(user);
    expect((await verify(person, former)).statusCode).toBe(400);
    expect((await verify(person, await readCode(testApp, email))).statusCode).toBe(200);
    const payload = { email, password: PASSWORD };
    expect((await post('/api/login', '', payload)).json()).toMatchObject({ email, isEmailVerified: true });
  });

  it('keeps a name that was chosen', async () => {
    const person = await registerUnverified(testApp);
    await testApp.app.db.account.update({ where: { id: person.account.id }, data: { username: 'Анна' } });
    await ageCodes(person);
    expect((await correct(person, newEmail())).json().username).toBe('Анна');
  });

  it('gets another one at once, and each mailbox gets at most one code a minute from any number of corrections', async () => {
    const person = await registerUnverified(testApp);
    const email = newEmail();
    expect((await correct(person, email)).statusCode).toBe(200);
    for (const mailed of [person.email, email.toUpperCase()]) {
      const response = await correct(person, mailed);
      expect(answerOf(response)).toEqual([429, 'code_requested_too_soon']);
      const { retryAfter, message } = response.json();
      expect(retryAfter).toBeGreaterThan(0);
      expect(message).toMatch(/^Новый код можно запросить через \d+\u00a0секунд/);
      expect(await readMails(testApp, mailed.toLowerCase())).toHaveLength(1);
    }
    expect((await userOf(person.cookie)).email).toBe(email);
    expect((await verify(person, await readCode(testApp, email))).statusCode).toBe(200);
  });

  it('sends ten codes an hour at most, over all addresses', async () => {
    const person = await registerUnverified(testApp);
    for (let count = 1; count < 10; count++) expect((await correct(person, newEmail())).statusCode).toBe(200);
    const email = newEmail();
    const response = await correct(person, email);
    expect(answerOf(response)).toEqual([429, 'too_many_requests']);
    expect(response.json().message).toMatch(/^Слишком много запросов. Повторите через \d+\u00a0минут/);
    expect(await readMails(testApp, email)).toEqual([]);
  });

  it('tries ten addresses an hour at most, although taken ones get no mail', async () => {
    const [person, other] = [await registerUnverified(testApp), await registerUnverified(testApp)];
    for (let count = 0; count < 10; count++) {
      expect(answerOf(await correct(person, other.email))).toEqual([409, 'email_taken']);
    }
    const unknown = newEmail();
    for (const email of [other.email, unknown]) {
      expect(answerOf(await correct(person, email))).toEqual([429, 'too_many_requests']);
    }
    expect(await readMails(testApp, unknown)).toEqual([]);
  });

  it('writes to one mailbox ten times an hour at most, by registrations and corrections of all accounts', async () => {
    const email = newEmail();
    for (let count = 0; count < 5; count++) {
      // The account gives the address up, so that the next one can take it.
      await correct(await registerUnverified(testApp, { email }), newEmail());
      const person = await registerUnverified(testApp);
      expect((await correct(person, email)).statusCode).toBe(200);
      await correct(person, newEmail());
    }
    const person = await registerUnverified(testApp);
    expect(answerOf(await correct(person, email.toUpperCase()))).toEqual([429, 'too_many_requests']);
    expect((await userOf(person.cookie)).email).toBe(person.email);
    const response = await post('/api/register', '', { email, password: PASSWORD });
    expect(answerOf(response)).toEqual([429, 'too_many_requests']);
    expect(await readMails(testApp, email)).toHaveLength(10);
  });

  it('is confirmed by another code, even after strangers have requested many codes for a new password', async () => {
    const person = await registerUnverified(testApp);
    for (let count = 0; count < 10; count++) {
      await ageCodes(person);
      // Each after the former ones have expired: strangers get only a few that are valid at the same time.
      await testApp.app.db.limitCount.deleteMany();
      await post('/api/password-reset/request', '', { email: person.email });
      await vi.waitFor(async () => expect(await readMails(testApp, person.email)).toHaveLength(count + 2), 60_000);
    }
    expect((await post('/api/resend-verification', person.cookie, {})).statusCode).toBe(204);
  });

  it('does not get a taken address, in upper or lower case, and its code still works', async () => {
    const [other, person] = [await registerUnverified(testApp), await registerUnverified(testApp)];
    await ageCodes(person);
    expect(answerOf(await correct(person, other.email.toUpperCase()))).toEqual([409, 'email_taken']);
    expect((await verify(person, await readCode(testApp, person.email))).statusCode).toBe(200);
  });

  it('has the new address and no code when the mail was not sent', async () => {
    const person = await registerUnverified(testApp);
    const former = await readCode(testApp, person.email);
    await ageCodes(person);
    const email = newEmail();
    expect(answerOf(await withoutMail(() => correct(person, email)))).toEqual([503, 'mail_not_sent']);
    expect((await userOf(person.cookie)).email).toBe(email);
    expect(answerOf(await verify(person, former))).toEqual([400, 'code_expired']);
  });

  it('is not opened by a reset code that went to the former address', async () => {
    const person = await registerUnverified(testApp);
    await post('/api/password-reset/request', '', { email: person.email });
    await vi.waitFor(async () => expect(await readMails(testApp, person.email)).toHaveLength(2), 60_000);
    const code = await readCode(testApp, person.email);
    await ageCodes(person);
    const email = newEmail();
    expect((await correct(person, email)).statusCode).toBe(200);
    const reset = await post('/api/password-reset', '', { email, code, password: 'another-password' });
    expect(answerOf(reset)).toEqual([400, 'invalid_code']);
  });

  it('gets the code of a delayed request at its current address', async () => {
    const person = await registerUnverified(testApp);
    await ageCodes(person);
    const body = new PassThrough();
    const held = testApp.server.inject({
      method: 'POST',
      url: '/api/resend-verification',
      headers: { cookie: person.cookie, 'content-type': 'application/json' },
      payload: body,
      remoteAddress: nextAddress(),
    });
    body.write('{');
    const email = newEmail();
    expect((await correct(person, email)).statusCode).toBe(200);
    await ageCodes(person);
    const before = (await readMails(testApp, person.email)).length;
    body.end('}');
    expect((await held).statusCode).toBe(204);
    expect(await readMails(testApp, person.email)).toHaveLength(before);
    expect((await verify(person, await readCode(testApp, email))).statusCode).toBe(200);
  });

  it('is the only one that can do so', async () => {
    const person = await registerVerified(testApp);
    expect(answerOf(await correct(person, newEmail()))).toEqual([409, 'already_verified']);
    expect(answerOf(await post('/api/correct-email', '', { email: newEmail() }))).toEqual([401, 'unauthorized']);
  });
});

describe('a confirmed e-mail', () => {
  const ask = (person: Person, email: string, currentPassword = PASSWORD) =>
    post('/api/account/email', person.cookie, { email, currentPassword });
  const confirm = (person: Person, code: string) => post('/api/account/email/confirm', person.cookie, { code });

  it('is changed by the password and a code from the new address; other sessions end and the former address gets a mail', async () => {
    const person = await registerVerified(testApp);
    const elsewhere = sessionCookieOf(await post('/api/login', '', { email: person.email, password: PASSWORD }));
    const email = newEmail();
    expect((await ask(person, email)).statusCode).toBe(204);
    expect((await userOf(person.cookie)).email).toBe(person.email);

    const response = await confirm(person, (await readCode(testApp, email)).toLowerCase());
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ ...person.account, email });
    expect((await userOf(sessionCookieOf(response))).email).toBe(email);
    for (const ended of [person.cookie, elsewhere]) expect((await userOf(ended)).code).toBe('unauthorized');
    expect(answerOf(await post('/api/login', '', { email: person.email, password: PASSWORD }))[0]).toBe(401);
    expect((await post('/api/login', '', { email, password: PASSWORD })).statusCode).toBe(200);
    await vi.waitFor(async () => {
      const told = (await readMails(testApp, person.email)).at(-1);
      expect(told?.subject).toBe('Email аккаунта изменён — «Подиум»');
      expect(told?.text).not.toContain(email);
    }, 60_000);
  });

  it('is not changed without the password, and the new address gets no mail', async () => {
    const person = await registerVerified(testApp);
    const email = newEmail();
    expect(answerOf(await ask(person, email, 'wrong-password'))).toEqual([400, 'wrong_password']);
    expect(await readMails(testApp, email)).toEqual([]);
  });

  it('is not changed by a wrong code, which counts the last tries, nor by a code for another purpose', async () => {
    const person = await registerVerified(testApp);
    const email = newEmail();
    await ask(person, email);
    const code = await readCode(testApp, email);
    const response = await confirm(person, code === 'AAAAAA' ? 'BBBBBB' : 'AAAAAA');
    expect(response.json()).toMatchObject({ code: 'invalid_code', attemptsLeft: 4 });
    const reset = await post('/api/password-reset', '', { email: person.email, code, password: 'another-password' });
    expect(answerOf(reset)).toEqual([400, 'invalid_code']);
    expect((await userOf(person.cookie)).email).toBe(person.email);
  });

  it('is not changed to itself, to a taken one, or before it is confirmed', async () => {
    const [person, other] = [await registerVerified(testApp), await registerUnverified(testApp)];
    expect(answerOf(await ask(person, person.email.toUpperCase()))).toEqual([400, 'invalid_request']);
    expect(answerOf(await ask(person, other.email))).toEqual([409, 'email_taken']);
    expect(answerOf(await ask(other, newEmail()))).toEqual([403, 'email_not_verified']);
  });

  it('stays where somebody registers the address before the code is entered', async () => {
    const person = await registerVerified(testApp);
    const email = newEmail();
    await ask(person, email);
    const code = await readCode(testApp, email);
    await registerUnverified(testApp, { email });
    expect(answerOf(await confirm(person, code))).toEqual([409, 'email_taken']);
    expect((await userOf(person.cookie)).email).toBe(person.email);
  });

  it('invalidates a reset code that was mailed to the former one, for both addresses', async () => {
    const person = await registerVerified(testApp);
    await post('/api/password-reset/request', '', { email: person.email });
    await vi.waitFor(async () => expect(await readMails(testApp, person.email)).toHaveLength(2), 60_000);
    const code = await readCode(testApp, person.email);
    const email = newEmail();
    await ask(person, email);
    expect((await confirm(person, await readCode(testApp, email))).statusCode).toBe(200);
    for (const address of [person.email, email]) {
      const reset = await post('/api/password-reset', '', { email: address, code, password: 'another-password' });
      expect(answerOf(reset)).toEqual([400, 'invalid_code']);
    }
    expect((await post('/api/login', '', { email, password: PASSWORD })).statusCode).toBe(200);
  });

  it('leaves behind an address that gets no sign-up stars again', async () => {
    const person = await registerVerified(testApp);
    const email = newEmail();
    await ask(person, email);
    expect((await confirm(person, await readCode(testApp, email))).statusCode).toBe(200);
    await vi.waitFor(async () => expect(await readMails(testApp, person.email)).toHaveLength(2), 60_000);
    const next = await registerVerified(testApp, { email: person.email });
    const balances = await testApp.app.db.account.findMany({
      where: { id: { in: [person.account.id, next.account.id] } },
      orderBy: { id: 'asc' },
      select: { starBalance: true },
    });
    expect(balances).toEqual([{ starBalance: 2 }, { starBalance: 0 }]);
  });
});
