import { readMailedCode } from '#tests/support/running-server.ts';
import { type AbuseCase, type AbuseFixture, cookieOf } from './abuse-fixture.ts';

let registrations = 0;

/** Registers from this address and confirms the e-mail. Returns the number of stars. */
async function countStars(fixture: AbuseFixture, email: string, address: string): Promise<number> {
  const body = { email, password: 'мокрый-зонтик' };
  // Registrations have a limit of their own by address.
  registrations += 1;
  const headers = { 'x-forwarded-for': `192.0.2.${registrations}` };
  const registered = await fixture.post('/api/register', body, { headers });
  const verificationCode = await readMailedCode(fixture.server.dataDir, email);
  const verified = await fixture.post(
    '/api/verify-email',
    { verificationCode },
    { headers: { 'x-forwarded-for': address }, cookie: cookieOf(registered) },
  );
  const balance = await fixture.call('/api/stars/balance', { cookie: cookieOf(verified) });
  return ((await balance.json()) as { balance: number }).balance;
}

/** Stars for registering, by the dozen. */
export const SIGNUP_STAR_CASES: AbuseCase[] = [
  {
    name: 'eight addresses of three mailboxes',
    expected: '2, 0, 0, 2, 0, 2, 0, 0 stars',
    async try(fixture) {
      const emails = [
        'farm@example.com',
        'farm+1@example.com',
        'Farm+2@example.com',
        'farm.er@gmail.com',
        'farmer@googlemail.com',
        'far-mer@yandex.ru',
        'far.mer@yandex.ru',
        'far.mer@ya.ru',
      ];
      const stars: number[] = [];
      for (const [index, email] of emails.entries()) stars.push(await countStars(fixture, email, `198.18.0.${index}`));
      return `${stars.join(', ')} stars`;
    },
  },
  {
    name: 'forty mailboxes from one IPv6 network of /48',
    expected: '60 stars',
    async try(fixture) {
      let sum = 0;
      for (let index = 0; index < 40; index++) {
        sum += await countStars(fixture, `farm-${index}@example.com`, `2001:db8:5:${index.toString(16)}::1`);
      }
      return `${sum} stars`;
    },
  },
];
