import { expect, it } from 'vitest';
import { toShownEmail, toStoredEmail } from '#api/services/accounts/email-address.ts';
import { email as emailSchema } from '#shared/contract/account.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { newEmail, PASSWORD, readCode, readMails, sessionCookieOf } from '#tests/support/users.ts';

const testApp = useTestApp();

const CYRILLIC = 'магазин-одежды.рф';
const ASCII = 'xn----7sbbhfqpde1cdeo5c7c.xn--p1ai';
const { post } = testApp;
const local = () => newEmail().split('@')[0] ?? '';

it('an address in .рф registers, is mailed in its ASCII form and shown in Cyrillic', async () => {
  const name = local();
  const registered = await post('/api/register', { email: `${name}@${CYRILLIC}`, password: PASSWORD });
  expect([registered.statusCode, registered.json().email]).toEqual([200, `${name}@${CYRILLIC}`]);
  const stored = toStoredEmail(`${name}@${CYRILLIC}`);
  expect(stored).toMatch(/^[\x21-\x7e]+\.xn--p1ai$/);
  const [mail] = await readMails(testApp, stored);
  expect(mail?.to?.[0]?.address).toBe(stored);
  const verificationCode = await readCode(testApp, stored);
  const verified = await post('/api/verify-email', { verificationCode }, { cookie: sessionCookieOf(registered) });
  expect(verified.json()).toMatchObject({ email: `${name}@${CYRILLIC}`, isEmailVerified: true });
});

it('both forms are one address: at a second registration, at sign-in and at a reset', async () => {
  const name = local();
  const forms = [`${name}@${CYRILLIC}`, `${name}@${CYRILLIC.toUpperCase()}`, toStoredEmail(`${name}@${CYRILLIC}`)];
  expect((await post('/api/register', { email: forms[2], password: PASSWORD })).json().email).toBe(forms[0]);
  for (const email of forms) {
    expect((await post('/api/register', { email, password: PASSWORD })).json().code).toBe('email_taken');
    expect((await post('/api/login', { email, password: PASSWORD })).statusCode).toBe(200);
  }
  await post('/api/password-reset/request', { email: forms[1] });
  await expect.poll(async () => (await readMails(testApp, forms[2] ?? '')).length, { timeout: 60_000 }).toBe(2);
});

it('an account changes its address to one in .рф', async () => {
  const registered = await post('/api/register', { email: newEmail(), password: PASSWORD });
  const email = `${local()}@${CYRILLIC}`;
  const corrected = await post('/api/correct-email', { email }, { cookie: sessionCookieOf(registered) });
  expect(corrected.json().email).toBe(email);
  expect(await readMails(testApp, toStoredEmail(email))).toHaveLength(1);
});

it('takes what is an address in either form, and nothing that mixes scripts', () => {
  const taken = [
    'a@b.ru',
    'a@пример.рф',
    'a@почта.пример.рф',
    'a@пример.com',
    `a@${ASCII}`,
    'A+b.c@xn--e1afmkfd.XN--P1AI',
    'a@1пример.рф',
  ];
  const refused = [
    'a@b',
    'a@пример',
    'кто@пример.рф',
    'a@прimer.рф',
    'a@gmail.соm',
    'a@.рф',
    'a@пример..рф',
    'a@-',
    '@пример.рф',
    'a b@пример.рф',
  ];
  for (const one of taken) expect(emailSchema.safeParse(one).success, one).toBe(true);
  for (const one of refused) expect(emailSchema.safeParse(one).success, one).toBe(false);
});

it('a form that cannot be turned into the other stays as it is', () => {
  expect(toShownEmail('a@xn--p1ai-.xn--p1ai')).toContain('a@');
  expect(toShownEmail('Anna@Example.com')).toBe('Anna@Example.com');
  expect(toStoredEmail('Anna@Example.com')).toBe('Anna@Example.com');
  expect(toShownEmail(toStoredEmail(`Anna@${CYRILLIC}`))).toBe(`Anna@${CYRILLIC}`);
});
