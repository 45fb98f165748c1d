import { expect, it } from 'vitest';
import { useTestApp } from '#tests/support/use-test-app.ts';
import {
  readCode,
  readMails,
  registerAndConfirm,
  registerUnverified,
  registerVerified,
  sessionCookieOf,
  type TestUser,
} from '#tests/support/users.ts';

const testApp = useTestApp();

const verify = ({ cookie }: Pick<TestUser, 'cookie'>, verificationCode: string) =>
  testApp.post('/api/verify-email', { verificationCode }, { cookie });
const resend = ({ cookie }: Pick<TestUser, 'cookie'>) => testApp.post('/api/resend-verification', {}, { cookie });
const balanceOf = async (accountId: number) =>
  (await testApp.app.db.account.findUniqueOrThrow({ where: { id: accountId } })).starBalance;
/** Makes this person's codes older. */
const ageCodes = (accountId: number, ms: number) =>
  testApp.app.db.$executeRaw`
    update email_codes set created_at = created_at - ${ms} * interval '1 ms', expires_at = expires_at - ${ms} * interval '1 ms'
    where account_id = ${accountId}`;
/** A code that differs from this one. */
const wrong = (code: string) => (code === 'AAAAAA' ? 'BBBBBB' : 'AAAAAA');

it('confirms the e-mail, grants two stars and renews the session', async () => {
  const user = await registerUnverified(testApp);
  const response = await verify(user, await readCode(testApp, user.email));
  expect(response.statusCode).toBe(200);
  // What the registration says beside the account.
  const registration = { needEmailVerification: true, codeWasSent: true };
  expect({ ...response.json(), ...registration }).toEqual({ ...user.account, isEmailVerified: true });
  expect(await balanceOf(user.account.id)).toBe(2);

  const renewed = sessionCookieOf(response);
  expect(renewed).not.toBe(user.cookie);
  const ask = (cookie: string) => testApp.server.inject({ url: '/api/auth/user', headers: { cookie } });
  expect((await ask(user.cookie)).statusCode).toBe(401);
  expect((await ask(renewed)).json().isEmailVerified).toBe(true);
});

it('answers the user again, without a second bonus, when the e-mail is confirmed already', async () => {
  const user = await registerVerified(testApp);
  const response = await verify(user, 'ZZZZZZ');
  expect([response.statusCode, response.json().isEmailVerified]).toEqual([200, true]);
  expect(await balanceOf(user.account.id)).toBe(2);
});

it('grants the bonus once when the right code is sent many times at once', async () => {
  const user = await registerUnverified(testApp);
  const code = await readCode(testApp, user.email);
  const responses = await Promise.all(Array.from({ length: 8 }, () => verify(user, code)));
  // A request that comes after the session was renewed has a token that no longer exists.
  expect(new Set(responses.map(({ statusCode }) => statusCode)).difference(new Set([200, 401]))).toEqual(new Set());
  expect(responses.filter((response) => sessionCookieOf(response) !== '')).toHaveLength(1);
  expect(await balanceOf(user.account.id)).toBe(2);
  expect(await testApp.app.db.starEntry.count({ where: { accountId: user.account.id } })).toBe(1);
});

it('reads the code in any case and with blanks around it', async () => {
  const user = await registerUnverified(testApp);
  const code = await readCode(testApp, user.email);
  expect((await verify(user, ` ${code.toLowerCase()} `)).statusCode).toBe(200);
});

it('refuses a code of another length in the words of the form', async () => {
  const response = await verify(await registerUnverified(testApp), 'ABC');
  expect(response.statusCode).toBe(400);
  expect(response.json().message).toBe('Введите полный код подтверждения');
});

it('allows five tries, after which even the right code is refused', async () => {
  const user = await registerUnverified(testApp);
  const code = await readCode(testApp, user.email);
  for (let index = 0; index < 5; index++) {
    const response = await verify(user, wrong(code));
    expect(response.json().attemptsLeft).toBe(4 - index);
    expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_code']);
    expect(response.json().message).toBe('Неверный код подтверждения');
  }
  const response = await verify(user, code);
  expect([response.statusCode, response.json().code]).toEqual([400, 'code_expired']);
  expect(await balanceOf(user.account.id)).toBe(0);
});

it('takes the right code at the fifth try', async () => {
  const user = await registerUnverified(testApp);
  const code = await readCode(testApp, user.email);
  for (let index = 0; index < 4; index++) await verify(user, wrong(code));
  expect((await verify(user, code)).statusCode).toBe(200);
});

it('does not allow more tries to guesses that come at once', async () => {
  const user = await registerUnverified(testApp);
  const code = await readCode(testApp, user.email);
  const responses = await Promise.all(Array.from({ length: 20 }, () => verify(user, wrong(code))));
  const codes = responses.map((response) => response.json().code);
  expect(codes.filter((answer) => answer === 'invalid_code')).toHaveLength(5);
  expect(codes.filter((answer) => answer === 'code_expired')).toHaveLength(15);
});

it('refuses a code after ten minutes', async () => {
  const user = await registerUnverified(testApp);
  const code = await readCode(testApp, user.email);
  await ageCodes(user.account.id, 10 * 60_000 + 1000);
  expect((await verify(user, code)).json().code).toBe('code_expired');
});

it("refuses another account's code", async () => {
  const [anna, boris] = [await registerUnverified(testApp), await registerUnverified(testApp)];
  const response = await verify(boris, await readCode(testApp, anna.email));
  expect(response.json().code).toBe('invalid_code');
});

it('keeps no code that could be read', async () => {
  const user = await registerUnverified(testApp);
  const code = await readCode(testApp, user.email);
  const stored = await testApp.app.db.emailCode.findFirstOrThrow({ where: { accountId: user.account.id } });
  expect(JSON.stringify({ ...stored, codeHash: Buffer.from(stored.codeHash).toString('latin1') })).not.toContain(code);
});

it('sends a new code a minute after the last one, and only the newest counts', async () => {
  const user = await registerUnverified(testApp);
  const first = await readCode(testApp, user.email);
  const early = await resend(user);
  expect([early.statusCode, early.json().code]).toEqual([429, 'code_requested_too_soon']);
  expect(Number(early.headers['retry-after'])).toBeGreaterThan(50);
  expect(Number(early.headers['retry-after'])).toBeLessThanOrEqual(60);

  const waitOf = async ({ cookie }: TestUser) =>
    (await testApp.server.inject({ url: '/api/resend-verification', headers: { cookie } })).json().retryAfter;
  const wait = await waitOf(user);
  expect(wait).toBeGreaterThan(50);
  expect(wait).toBeLessThanOrEqual(60);

  await ageCodes(user.account.id, 60_000);
  expect(await waitOf(user)).toBe(0);
  const response = await resend(user);
  expect([response.statusCode, response.body]).toEqual([204, '']);
  const second = await readCode(testApp, user.email);
  expect(second).not.toBe(first);
  expect((await verify(user, first)).json().code).toBe('invalid_code');
  expect((await verify(user, second)).statusCode).toBe(200);
});

it('sends one mail when a new code is asked for several times at once', async () => {
  const user = await registerUnverified(testApp);
  await ageCodes(user.account.id, 60_000);
  // Opens the connections first. Otherwise the first request would end before the others have one.
  await Promise.all(Array.from({ length: 12 }, () => testApp.app.db.$queryRaw`select 1 from pg_sleep(0.05)`));
  const responses = await Promise.all(Array.from({ length: 12 }, () => resend(user)));
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([204, ...Array(11).fill(429)]);
  expect(await readMails(testApp, user.email)).toHaveLength(2);
});

it('sends ten codes an hour at most', async () => {
  const user = await registerUnverified(testApp);
  for (let index = 0; index < 9; index++) {
    await ageCodes(user.account.id, 61_000);
    expect((await resend(user)).statusCode).toBe(204);
  }
  await ageCodes(user.account.id, 61_000);
  const response = await resend(user);
  expect([response.statusCode, response.json().code]).toEqual([429, 'too_many_requests']);
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(2900);
});

it('refuses to send a code for a confirmed e-mail', async () => {
  const response = await resend(await registerVerified(testApp));
  expect([response.statusCode, response.json().code]).toEqual([409, 'already_verified']);
});

it('mails the code as the first thing that looks like one, unbroken in text, source and HTML', async () => {
  const { email } = await registerUnverified(testApp);
  const [mail] = await readMails(testApp, email);
  const code = await readCode(testApp, email);
  expect(code).toMatch(/^[A-HJ-NP-Z2-9]{6}$/);
  expect(mail?.subject).toBe('Код подтверждения — «Подиум»');
  expect(mail?.from?.name).toBe('Подиум');
  expect(mail?.text?.split(/\s+/).find((word) => /^[a-z0-9]{6}$/i.test(word))).toBe(code);
  expect(mail?.html).toContain(`>${code}<`);
});

it('leaves an account as other tests begin with one', async () => {
  const read = async ({ account: { id } }: TestUser) => {
    const include = { starEntries: true, sessions: true };
    const account = await testApp.app.db.account.findUniqueOrThrow({ where: { id }, include });
    const { starEntries, sessions, ...columns } = account;
    return {
      filled: Object.entries(columns)
        .filter(([, value]) => value !== null)
        .map(([name]) => name),
      flags: Object.entries(columns).filter(([, value]) => typeof value === 'boolean'),
      consent: columns.consentVersion,
      balance: columns.starBalance,
      stars: starEntries.map(({ kind, delta }) => ({ kind, delta })),
      sessions: sessions.length,
    };
  };
  expect(await read(await registerVerified(testApp))).toEqual(await read(await registerAndConfirm(testApp)));
});
