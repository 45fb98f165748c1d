import { afterAll, beforeAll, expect, it } from 'vitest';
import { listUsers } from '#api/services/administration/administration.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { createAccount, createPayment } from '#tests/support/factories.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp.close());

async function createBuyer(...tests: boolean[]): Promise<number> {
  const { db } = testApp.app;
  const { id: accountId } = await createAccount(testApp.app);
  for (const isTest of tests) {
    // The newest one in the database may be of the same millisecond as the one before.
    const { id } = await createPayment(db, accountId);
    await db.payment.update({ where: { id }, data: { isTest } });
  }
  return accountId;
}

it.each([
  ['a test', [true], 'in a test shop only', [1, 0]],
  ['real money', [false], 'everywhere', [1, 1]],
  ['a test and real money', [true, false], 'as what each is', [2, 1]],
  ['nothing', [], 'nowhere', [0, 0]],
])('%s (%j) counts %s, for the account and in the list of users', async (_what, tests, _where, counts) => {
  const accountId = await createBuyer(...tests);
  const seen = await Promise.all(
    [true, false].map(async (isTest) => {
      const shop = { db: testApp.app.db, payments: { offered: [{ name: 'sandbox', isTest }] } };
      const { isPremium, transactionCount } = await getPremiumStatus(shop, accountId);
      const { users } = await listUsers(shop, { search: String(accountId) });
      expect(users.find(({ id }) => id === accountId)?.isPremium).toBe(isPremium);
      expect(isPremium).toBe(transactionCount > 0);
      return transactionCount;
    }),
  );
  expect(seen).toEqual(counts);
});

it.each([
  [
    'counts beside a provider of real money',
    [
      ['sandbox', true],
      ['tbank', false],
    ],
    1,
  ],
  [
    'does not count where only another provider is a test',
    [
      ['sandbox', false],
      ['tbank', true],
    ],
    0,
  ],
  ['does not count any more when its provider is not offered', [['tbank', true]], 0],
] as const)('a test payment %s', async (_what, offered, count) => {
  const accountId = await createBuyer(true);
  const payments = { offered: offered.map(([name, isTest]) => ({ name, isTest })) };
  const { transactionCount } = await getPremiumStatus({ db: testApp.app.db, payments }, accountId);
  expect(transactionCount).toBe(count);
});
