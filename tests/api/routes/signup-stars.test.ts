import { describe, expect, it } from 'vitest';
import { foldMailbox } from '#api/services/accounts/signup-stars.ts';
import { removeExpired } from '#api/services/maintenance/clean-up.ts';
import { DELETION_GRACE_MS } from '#shared/rules/retention.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { newEmail, nextAddress, PASSWORD, readCode, readMails, sessionCookieOf } from '#tests/support/users.ts';

const testApp = useTestApp();

const { post } = testApp;

/** Registers and confirms the e-mail. Returns the balance, and why there are no sign-up stars. */
async function signUp(email: string, address = nextAddress()) {
  const registered = await post('/api/register', { email, password: PASSWORD });
  expect(registered.statusCode).toBe(200);
  const verificationCode = await readCode(testApp, email);
  const verified = await post(
    '/api/verify-email',
    { verificationCode },
    { address, cookie: sessionCookieOf(registered) },
  );
  expect(verified.statusCode).toBe(200);
  const cookie = sessionCookieOf(verified);
  const balance = await testApp.server.inject({ url: '/api/stars/balance', headers: { cookie } });
  const { id, signupStarsRefused } = verified.json();
  return { id, cookie, stars: balance.json().balance, refusal: signupStarsRefused };
}
const name = () => newEmail().split('@')[0] ?? '';

describe('sign-up stars', () => {
  it('are given once a mailbox, whatever stands behind a «+»', async () => {
    const local = name();
    expect(await signUp(`${local}@example.com`)).toMatchObject({ stars: 2, refusal: undefined });
    for (const email of [`${local}+1@example.com`, `${local.toUpperCase()}+shop+2@EXAMPLE.com`]) {
      expect(await signUp(email)).toMatchObject({ stars: 0, refusal: 'mailbox' });
    }
  });

  it('are given once to a mailbox of Gmail, with dots or without, and to each of another provider', async () => {
    const local = name().replaceAll('-', '').slice(0, 12);
    const dotted = `${local.slice(0, 3)}.${local.slice(3)}`;
    expect((await signUp(`${local}@gmail.com`)).stars).toBe(2);
    expect(await signUp(`${dotted}@googlemail.com`)).toMatchObject({ stars: 0, refusal: 'mailbox' });
    expect((await signUp(`${local}@example.com`)).stars).toBe(2);
    expect((await signUp(`${dotted}@example.com`)).stars).toBe(2);
  });

  it('are given once to a mailbox of Yandex, in whichever of its domains, with a dot or a hyphen', async () => {
    const local = `anna-${name().replaceAll('-', '').slice(0, 12)}`;
    expect((await signUp(`${local}@yandex.ru`)).stars).toBe(2);
    for (const email of [`${local}@ya.ru`, `${local.replace('-', '.')}@yandex.com`, `${local}+x@yandex.kz`]) {
      expect(await signUp(email)).toMatchObject({ stars: 0, refusal: 'mailbox' });
    }
    expect((await signUp(`${local.replace('-', '')}@yandex.ru`)).stars).toBe(2);
  });

  it('are given once to a mailbox at the same moment', async () => {
    const local = name();
    const answers = await Promise.all([1, 2, 3, 4].map((number) => signUp(`${local}+${number}@example.com`)));
    expect(answers.map(({ stars }) => stars).sort()).toEqual([0, 0, 0, 2]);
  });

  it('are not given again after the account was erased, nor for the address that it has given up', async () => {
    const email = newEmail();
    const { id } = await signUp(email);
    await testApp.app.db.account.update({
      where: { id },
      data: { deletionAskedAt: new Date(Date.now() - DELETION_GRACE_MS - 1000) },
    });
    await removeExpired(testApp.app);
    expect((await testApp.app.db.account.findUniqueOrThrow({ where: { id } })).erasedAt).not.toBeNull();
    expect(await signUp(email)).toMatchObject({ stars: 0, refusal: 'mailbox' });
    const rows = await testApp.app.db.signupMailbox.findMany();
    expect(JSON.stringify(rows)).not.toContain('example');
  });

  it('are given thirty times a day to a network: an IPv4 address, or /48 of IPv6', async () => {
    for (const addressOf of [() => '203.0.113.7', (index: number) => `2001:db8:77:${index.toString(16)}::1`]) {
      const answers: Awaited<ReturnType<typeof signUp>>[] = [];
      for (let index = 0; index < 31; index++) answers.push(await signUp(newEmail(), addressOf(index)));
      expect(answers.filter(({ stars }) => stars === 2)).toHaveLength(30);
      expect(answers.at(-1)).toMatchObject({ stars: 0, refusal: 'network' });
    }
    expect((await signUp(newEmail(), '203.0.113.8')).stars).toBe(2);
  });

  it('are also refused where a reset code confirms the address', async () => {
    const local = name();
    await signUp(`${local}@example.com`);
    const email = `${local}+reset@example.com`;
    await post('/api/register', { email, password: PASSWORD });
    await post('/api/password-reset/request', { email });
    await expect.poll(async () => (await readMails(testApp, email)).length, { timeout: 60_000 }).toBe(2);
    const code = await readCode(testApp, email);
    const reset = await post('/api/password-reset', { email, code, password: 'another-password' });
    expect(reset.json()).toMatchObject({ isEmailVerified: true, signupStarsRefused: 'mailbox' });
  });
});

it('a mailbox is folded only where that is sure', () => {
  expect(foldMailbox('a.n.na+x@gmail.com')).toBe('anna@gmail.com');
  expect(foldMailbox('a.n.na+x@yandex.ru')).toBe('a.n.na@yandex.ru');
  expect(foldMailbox('ivan-petrov@ya.ru')).toBe(foldMailbox('ivan.petrov@yandex.com'));
  expect(foldMailbox('ivanpetrov@ya.ru')).not.toBe(foldMailbox('ivan.petrov@ya.ru'));
  expect(foldMailbox('ivan@me.com')).toBe(foldMailbox('ivan@icloud.com'));
  expect(foldMailbox('i.v-a_n@pm.me')).toBe(foldMailbox('ivan@proton.me'));
  expect(foldMailbox('i.van@mail.ru')).not.toBe(foldMailbox('ivan@mail.ru'));
  expect(foldMailbox('+x@example.com')).toBe('+x@example.com');
});
