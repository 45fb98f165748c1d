import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAccount, createPayment } from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { createAdmin, registerVerified, type TestUser } from '#tests/support/users.ts';

const testApp = useTestApp();
let admin: TestUser;
let user: TestUser;

beforeAll(async () => {
  admin = await createAdmin(testApp);
  user = await registerVerified(testApp);
});

function call(method: 'GET' | 'POST', url: string, who: TestUser | null, payload?: object, headers = {}) {
  const cookie = who ? { cookie: who.cookie } : {};
  return testApp.server.inject({ method, url, headers: { ...cookie, ...headers }, ...(payload ? { payload } : {}) });
}
const get = (url: string, who: TestUser | null = admin) => call('GET', url, who);
const audit = async () => (await get('/api/admin/audit')).json().entries;
const correct = (id: number, body: object, key?: string) =>
  call('POST', `/api/admin/users/${id}/correction`, admin, body, key ? { 'idempotency-key': key } : {});

describe('a correction of stars', () => {
  it('moves the balance, tells its owner why and is in the audit', async () => {
    const { id } = await createAccount(testApp.app, { stars: 5 });
    const response = await correct(id, { delta: -2, reason: ' Ошиблись при зачислении ' });
    expect([response.statusCode, response.json()]).toEqual([200, { balance: 3 }]);
    const { entries } = (await get(`/api/admin/users/${id}/stars`)).json();
    expect(entries[0]).toMatchObject({ kind: 'correction', delta: -2, note: 'Ошиблись при зачислении' });
    expect((await audit())[0]).toMatchObject({
      admin: admin.email,
      action: 'stars_corrected',
      accountId: id,
      details: { delta: -2, reason: 'Ошиблись при зачислении', balance: 3 },
    });
  });

  it('is made once for one key, even when many clicks arrive at once', async () => {
    const { id } = await createAccount(testApp.app, { stars: 0 });
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => correct(id, { delta: 4, reason: 'Подарок' }, key)),
    );
    expect(answers.map((answer) => answer.json())).toEqual(Array.from({ length: 8 }, () => ({ balance: 4 })));
    expect((await audit()).filter(({ accountId }: { accountId: number }) => accountId === id)).toHaveLength(1);
    const other = await correct(id, { delta: 5, reason: 'Подарок' }, key);
    expect([other.statusCode, other.json().code]).toEqual([409, 'idempotency_key_reused']);
  });

  it('cannot take more stars than there are, and then leaves no trace', async () => {
    const { id } = await createAccount(testApp.app, { stars: 1 });
    const response = await correct(id, { delta: -2, reason: 'Проверка' });
    expect([response.statusCode, response.json().code]).toEqual([409, 'correction_overdraws']);
    expect((await audit()).some(({ accountId }: { accountId: number }) => accountId === id)).toBe(false);
  });

  it.each([
    [{ delta: 0, reason: 'Проверка' }],
    [{ delta: 1.5, reason: 'Проверка' }],
    [{ delta: 10_001, reason: 'Проверка' }],
    [{ delta: 1, reason: '  ' }],
    [{ delta: 1 }],
  ])('is refused for %j', async (body) => {
    expect((await correct(user.account.id, body)).statusCode).toBe(400);
  });

  it.each([999_999, 2 ** 40, -1])('of account %i answers 404', async (id) => {
    const response = await correct(id, { delta: 1, reason: 'Проверка' });
    expect([response.statusCode, response.json().code]).toEqual([404, 'account_not_found']);
    expect((await get(`/api/admin/users/${id}/stars`)).statusCode).toBe(404);
  });
});

describe('the list of users', () => {
  const search = async (text: string) => {
    const response = await get(`/api/admin/users?search=${encodeURIComponent(text)}`);
    return response.json().users.map(({ id }: { id: number }) => id);
  };

  it('is searched by a part of the e-mail, by name and by id', async () => {
    const { id } = user.account;
    await testApp.app.db.account.update({ where: { id }, data: { username: 'Анна_Ким', lastName: 'Петрова' } });
    expect(await search(user.email.slice(3, 20).toUpperCase())).toEqual([id]);
    expect(await search('анна_к')).toEqual([id]);
    expect(await search('петров')).toEqual([id]);
    expect(await search(String(id))).toContain(id);
    // _ and % are ordinary characters.
    expect(await search('ннаx')).toEqual([]);
    expect(await search('анна%ким')).toEqual([]);
    expect(await search('99999999999999999999')).toEqual([]);
    expect((await get('/api/admin/users?search=%00')).statusCode).toBe(400);
  });

  it('is searched by a letter or two, by quotes and slashes, and by no text across two names', async () => {
    const { id } = await createAccount(testApp.app);
    const rename = (names: { username: string; firstName?: string | null }) =>
      testApp.app.db.account.update({ where: { id }, data: names });
    await rename({ username: `ЩукаЪ о'\\к"`, firstName: 'Ждан' });
    for (const text of ['щ', 'Ъ', 'щу', 'УКАЪ', `о'`, `'\\К`, '\\', 'к"', 'ждан'])
      expect([text, await search(text)]).toEqual([text, [id]]);
    for (const text of ['ущ', 'к"ж', 'к" ж', 'щукаъъ', `''`]) expect([text, await search(text)]).toEqual([text, []]);
    await rename({ username: 'Окунь', firstName: null });
    expect(await search('щ')).toEqual([]);
    expect(await search('окунь')).toEqual([id]);
  });

  it('is searched by the name in Telegram, as long as it is linked', async () => {
    const { id } = await createAccount(testApp.app);
    const { telegramUser } = testApp.app.db;
    await telegramUser.create({ data: { id: 77n, accountId: id, username: 'Ryba_Molot' } });
    expect(await search('ryba_m')).toEqual([id]);
    await telegramUser.update({ where: { id: 77n }, data: { username: 'kit' } });
    expect([await search('ryba_m'), await search('kit')]).toEqual([[], [id]]);
    await telegramUser.update({ where: { id: 77n }, data: { accountId: null } });
    expect(await search('kit')).toEqual([]);
  });

  it('shows balance and premium, a page at a time, newest first', async () => {
    const paid = await createAccount(testApp.app, { stars: 7, isPaid: true });
    for (let made = 0; made < 50; made++) await createAccount(testApp.app);
    const first = (await get('/api/admin/users')).json();
    const second = (await get(`/api/admin/users?cursor=${first.nextCursor}`)).json();
    const ids = [...first.users, ...second.users].map(({ id }) => id);
    expect(first.users).toHaveLength(50);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
    expect(second.nextCursor).toBeNull();
    expect(second.users[0]).toMatchObject({ id: paid.id, balance: 7, isPremium: true, isEmailVerified: true });
    expect(second.users[0]).not.toHaveProperty('passwordHash');
    expect((await get('/api/admin/users?cursor=oops')).statusCode).toBe(400);
  });

  it('shows what was found a page at a time', async () => {
    for (let made = 0; made < 52; made++) {
      const { id } = await createAccount(testApp.app);
      await testApp.app.db.account.update({ where: { id }, data: { username: 'Двойник' } });
    }
    const first = (await get(`/api/admin/users?search=${encodeURIComponent('двойник')}`)).json();
    const rest = (
      await get(`/api/admin/users?search=${encodeURIComponent('двойник')}&cursor=${first.nextCursor}`)
    ).json();
    const ids = [...first.users, ...rest.users].map(({ id }) => id);
    expect([first.users.length, rest.users.length, rest.nextCursor]).toEqual([50, 2, null]);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
  });
});

describe('the list of payments', () => {
  it('shows each of many of one moment once', async () => {
    const { id } = await createAccount(testApp.app);
    for (let made = 0; made < 60; made++) await createPayment(testApp.app.db, id);
    await testApp.app.db.payment.updateMany({ where: { accountId: id }, data: { createdAt: new Date() } });
    const first = (await get(`/api/admin/payments?accountId=${id}`)).json();
    const second = (await get(`/api/admin/payments?accountId=${id}&cursor=${first.nextCursor}`)).json();
    const ids = [...first.payments, ...second.payments].map((payment) => payment.id);
    expect([ids.length, new Set(ids).size, second.nextCursor]).toEqual([60, 60, null]);
    expect((await get(`/api/admin/payments?cursor=${randomUUID()}`)).json()).toEqual({
      payments: [],
      nextCursor: null,
    });
  });

  it('is filtered by status and account, a page at a time', async () => {
    const { id } = await createAccount(testApp.app);
    for (let made = 0; made < 51; made++) await createPayment(testApp.app.db, id);
    await testApp.app.db.payment.create({
      data: {
        accountId: id,
        provider: 'sandbox',
        packageName: 'Показ',
        stars: 50,
        amountMinor: 199_050,
        // Not in the same millisecond as the one before.
        createdAt: new Date(Date.now() + 1000),
      },
    });
    const first = (await get(`/api/admin/payments?accountId=${id}`)).json();
    expect(first.payments).toHaveLength(50);
    expect(first.payments[0]).toMatchObject({ status: 'pending', amountRub: 1990.5, refundedRub: 0, refunds: [] });
    const second = (await get(`/api/admin/payments?accountId=${id}&cursor=${first.nextCursor}`)).json();
    expect([second.payments.length, second.nextCursor]).toEqual([2, null]);
    const pending = (await get(`/api/admin/payments?accountId=${id}&status=pending`)).json();
    expect(pending.payments).toHaveLength(1);
    expect(pending.payments[0].account).toMatchObject({ id, balance: 2 });
    expect((await get('/api/admin/payments?status=paid')).statusCode).toBe(400);
    expect((await get('/api/admin/payments?cursor=oops')).statusCode).toBe(400);
  });
});
