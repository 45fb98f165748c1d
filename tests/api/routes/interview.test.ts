import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { createAdmin, registerVerified, type TestUser } from '#tests/support/users.ts';

const testApp = useTestApp();
let admin: TestUser;
let user: TestUser;

beforeAll(async () => {
  admin = await createAdmin(testApp);
  user = await registerVerified(testApp);
});

const WISH = { name: 'Анна', email: 'anna@example.com', telegram: '@anna' };
const { call } = testApp;
const ask = (payload: object, who = user) => call(who, { method: 'POST', url: '/api/interview-request', payload });
const grant = (id: string) => call(admin, { method: 'POST', url: `/api/admin/interview-requests/${id}/grant` });
const list = async () => (await call(admin, { url: '/api/admin/interview-requests' })).json().requests;
const balance = async () => (await call(user, { url: '/api/stars/balance' })).json().balance;

it('asks for every field, in Russian', async () => {
  for (const field of ['name', 'email', 'telegram']) {
    const response = await ask({ ...WISH, [field]: '   ' });
    expect([field, response.statusCode]).toEqual([field, 400]);
    expect(response.json().message).toMatch(/[а-я]/);
  }
  expect((await ask({ ...WISH, email: 'anna' })).json().message).toBe('Некорректный email');
  expect(await list()).toEqual([]);
});

const take = async (who: TestUser) => (await call(who, { method: 'POST', url: '/api/interview-invitation' })).json();

it('an account is invited once, however many devices ask at the same time', async () => {
  const guest = await registerVerified(testApp);
  const answers = await Promise.all(Array.from({ length: 4 }, () => take(guest)));
  expect(answers.filter(({ isDue }) => isDue)).toHaveLength(1);
  expect(await take(guest)).toEqual({ isDue: false });
});

it('who has asked for an interview is not invited to one', async () => {
  const guest = await registerVerified(testApp);
  await ask(WISH, guest);
  expect(await take(guest)).toEqual({ isDue: false });
  await testApp.app.db.interviewRequest.deleteMany({ where: { accountId: guest.account.id } });
});

it('a second request of an account replaces the first, until the stars were given', async () => {
  expect((await ask(WISH)).json()).toEqual({ status: 'received' });
  await ask({ ...WISH, telegram: ' t.me/anna ' });
  const requests = await list();
  expect(requests).toMatchObject([{ accountId: user.account.id, telegram: 't.me/anna', grantedAt: null }]);
  expect(await balance()).toBe(2);

  const answers = await Promise.all(Array.from({ length: 6 }, () => grant(requests[0].id)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200));
  expect(await balance()).toBe(12);
  const entries = await testApp.app.db.auditEntry.findMany();
  expect(entries).toMatchObject([
    { adminId: admin.account.id, action: 'interview_granted', accountId: user.account.id, details: { stars: 10 } },
  ]);

  expect((await ask({ ...WISH, name: 'Другая' })).statusCode).toBe(200);
  expect(await list()).toMatchObject([
    { name: 'Анна', telegram: 't.me/anna', grantedAt: answers[0]?.json().grantedAt },
  ]);
});

it.each([randomUUID(), 'oops'])('the stars of the unknown request %s answer 404', async (id) => {
  const response = await grant(id);
  expect([response.statusCode, response.json().code]).toEqual([404, 'interview_request_not_found']);
});
