import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  countPremiumPayments,
  getPremiumStatus,
  matchPremiumPayments,
  type PremiumSources,
} from '#api/services/core/premium-status.ts';
import { PaymentStatus, Prisma } from '#prisma/generated/client.ts';
import { borrowTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { createAccount, createPayment } from '#tests/support/factories.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await borrowTestDatabase();
  await database.reset();
});
afterAll(() => database.close());

const PRICE = 49_000;
const PAYMENTS = Object.values(PaymentStatus).flatMap((status) =>
  ['yookassa', 'tbank', 'sandbox'].flatMap((provider) =>
    [false, true].flatMap((isTest) =>
      [0, 1, PRICE].map((refundedMinor) => ({ status, provider, isTest, refundedMinor })),
    ),
  ),
);

test('sessions, lists and single accounts agree on which payments make premium', async () => {
  const { db } = database;
  const offered: PremiumSources['payments']['offered'] = [
    { name: 'yookassa', isTest: false },
    { name: 'tbank', isTest: true },
  ];
  const app = { db, payments: { offered } };
  const counted: number[] = [];
  const all: number[] = [];
  for (const payment of PAYMENTS) {
    const { id: accountId } = await createAccount(app, { stars: 0 });
    const data = { ...payment, accountId, packageName: 'Примерка', stars: 10, amountMinor: PRICE };
    await db.payment.create({ data });
    all.push(accountId);
    const isReal = !payment.isTest || payment.provider === 'tbank';
    if (payment.status === 'succeeded' && payment.refundedMinor < PRICE && isReal) counted.push(accountId);
  }
  const inSessions = await db.$queryRaw<{ id: number }[]>(
    Prisma.sql`select id from accounts as account where ${countPremiumPayments(app)} > 0 order by id`,
  );
  expect(inSessions.map(({ id }) => id)).toEqual(counted);
  const listed = await db.payment.findMany({ where: matchPremiumPayments(app), orderBy: { accountId: 'asc' } });
  expect(listed.map(({ accountId }) => accountId)).toEqual(counted);
  const single = await Promise.all(all.map(async (id) => ((await getPremiumStatus(app, id)).isPremium ? [id] : [])));
  expect(single.flat()).toEqual(counted);
  const { id: accountId } = await createAccount(app, { stars: 0 });
  for (const _ of [1, 2]) await createPayment(db, accountId);
  expect((await getPremiumStatus(app, accountId)).transactionCount).toBe(2);
});
