import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Tx } from '#api/database/database.ts';
import {
  captureHold,
  correctBalance,
  creditPurchase,
  getBalance,
  getStarsSpent,
  grantInterviewBonus,
  grantSignupBonus,
  releaseHold,
  returnRefundedStars,
  takeRefundedStars,
  transferStars,
} from '#api/services/stars/ledger.ts';
import type { GenerationKind } from '#prisma/generated/client.ts';
import { borrowTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { createAccount, createGeneration, createPayment } from '#tests/support/factories.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await borrowTestDatabase();
});
afterEach(() => database.reset());
afterAll(() => database.close());

/** Books in a transaction of its own, as every caller of the ledger does. */
const book = <T>(action: (tx: Tx) => Promise<T>): Promise<T> => database.db.$transaction(action);
const balanceOf = (accountId: number) => getBalance(database, accountId);
const newAccount = async (stars = 0) => (await createAccount(database, { stars })).id;

async function entriesOf(accountId: number): Promise<[kind: string, delta: number][]> {
  const entries = await database.db.starEntry.findMany({ where: { accountId }, orderBy: { id: 'asc' } });
  return entries.map(({ kind, delta }) => [kind, delta]);
}

async function newPayment(accountId: number): Promise<string> {
  await createPayment(database.db, accountId);
  return (await database.db.payment.findFirstOrThrow({ where: { accountId } })).id;
}

/** Creates a running generation and holds its stars. */
async function hold(accountId: number, stars: number, kind: GenerationKind = 'photosession') {
  const id = await createGeneration(database, accountId, kind, 'generating');
  await database.db.account.update({ where: { id: accountId }, data: { starBalance: { decrement: stars } } });
  await database.db.starEntry.create({
    data: { accountId, kind: 'hold', delta: -stars, causeKey: `hold:${id}`, generationId: id },
  });
  return { id, accountId, stars };
}

describe('what is booked once', () => {
  test('gifts and a purchase change the balance only the first time', async () => {
    const accountId = await newAccount();
    const paymentId = await newPayment(accountId);
    const bookings = [
      (tx: Tx) => grantSignupBonus(tx, accountId),
      (tx: Tx) => grantInterviewBonus(tx, accountId),
      (tx: Tx) => creditPurchase(tx, { id: paymentId, accountId, stars: 10 }),
    ];
    for (const booking of bookings) expect([await book(booking), await book(booking)]).toEqual([true, false]);
    expect(await entriesOf(accountId)).toEqual([
      ['signup_bonus', 2],
      ['interview_bonus', 10],
      ['purchase', 10],
    ]);
    expect(await balanceOf(accountId)).toBe(22);
  });

  test('of many parallel bookings of the same cause one succeeds', async () => {
    const accountId = await newAccount();
    const paymentId = await newPayment(accountId);
    const attempts = Array.from({ length: 20 }, () =>
      book((tx) => creditPurchase(tx, { id: paymentId, accountId, stars: 10 })),
    );
    expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
    expect(await balanceOf(accountId)).toBe(10);
  });

  test('a transaction that is rolled back has booked nothing', async () => {
    const accountId = await newAccount(3);
    const failing = book(async (tx) => {
      await grantInterviewBonus(tx, accountId);
      throw new Error('later');
    });
    await expect(failing).rejects.toThrow('later');
    expect([await balanceOf(accountId), await entriesOf(accountId)]).toEqual([3, [['correction', 3]]]);
  });
});

describe('a hold', () => {
  test('is spent, or comes back, but never both', async () => {
    const accountId = await newAccount(4);
    const [made, failed] = [await hold(accountId, 2), await hold(accountId, 2, 'video')];
    expect(await book((tx) => captureHold(tx, made))).toBe(true);
    expect(await book((tx) => releaseHold(tx, made))).toBe(false);
    expect(await book((tx) => releaseHold(tx, failed))).toBe(true);
    expect(await book((tx) => captureHold(tx, failed))).toBe(false);
    expect(await balanceOf(accountId)).toBe(2);
    expect([await getStarsSpent(database, made.id), await getStarsSpent(database, failed.id)]).toEqual([2, 0]);
  });

  test('gives a part back where only a part was made', async () => {
    const accountId = await newAccount(2);
    const session = await hold(accountId, 2);
    expect(await book((tx) => captureHold(tx, session, 1))).toBe(true);
    expect([await balanceOf(accountId), await getStarsSpent(database, session.id)]).toEqual([1, 1]);
  });

  test('is settled once by parallel attempts', async () => {
    const accountId = await newAccount(2);
    const session = await hold(accountId, 2);
    const attempts = Array.from({ length: 10 }, (_, index) =>
      book((tx) => (index % 2 ? releaseHold(tx, session) : captureHold(tx, session))),
    );
    expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
    expect(await balanceOf(accountId)).toBe((await getStarsSpent(database, session.id)) === 2 ? 0 : 2);
  });
});

describe('a refund', () => {
  test('takes the stars that are unspent, and no more', async () => {
    const accountId = await newAccount(3);
    const refund = { refundId: randomUUID(), paymentId: await newPayment(accountId), accountId, stars: 10 };
    expect(await book((tx) => takeRefundedStars(tx, refund))).toBe(3);
    expect(await balanceOf(accountId)).toBe(0);
    expect(await book((tx) => takeRefundedStars(tx, { ...refund, refundId: randomUUID() }))).toBe(0);
    expect(await entriesOf(accountId)).toEqual([
      ['correction', 3],
      ['refund', -3],
    ]);
  });

  test('that is refused brings back what it took, once', async () => {
    const accountId = await newAccount(3);
    const refund = { refundId: randomUUID(), paymentId: await newPayment(accountId), accountId, stars: 3 };
    await book((tx) => takeRefundedStars(tx, refund));
    await book((tx) => returnRefundedStars(tx, refund));
    await book((tx) => returnRefundedStars(tx, refund));
    expect(await balanceOf(accountId)).toBe(3);
  });
});

describe('a correction', () => {
  const correction = { reason: 'Ошибка', adminId: 3, idempotencyKey: 'key' };

  test('is booked once for its key, and the key fits no other correction', async () => {
    const accountId = await newAccount(5);
    const take = (delta: number) => book((tx) => correctBalance(tx, { ...correction, accountId, delta }));
    expect(await take(-2)).toEqual({ balance: 3, isRepeated: false });
    expect(await take(-2)).toEqual({ balance: 3, isRepeated: true });
    await expect(take(-1)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect(await balanceOf(accountId)).toBe(3);
  });

  test('overdraws no balance, and needs an account', async () => {
    const accountId = await newAccount(5);
    const take = (id: number, delta: number) =>
      book((tx) => correctBalance(tx, { ...correction, accountId: id, delta }));
    await expect(take(accountId, -6)).rejects.toMatchObject({ code: 'correction_overdraws' });
    await expect(take(accountId + 1, 1)).rejects.toMatchObject({ code: 'account_not_found' });
    expect(await entriesOf(accountId)).toEqual([['correction', 5]]);
  });
});

describe('an account that another takes over', () => {
  test('leaves it all its stars, but the sign-up stars that both had', async () => {
    const [fromId, intoId] = [await newAccount(), await newAccount()];
    for (const accountId of [fromId, intoId]) await book((tx) => grantSignupBonus(tx, accountId));
    await book((tx) => grantInterviewBonus(tx, fromId));
    expect(await book((tx) => transferStars(tx, { fromId, intoId }))).toEqual({ stars: 10, takenGift: 2 });
    expect([await balanceOf(fromId), await balanceOf(intoId)]).toEqual([0, 12]);
  });

  test('loses a sign-up gift that was held when it was taken over, once it comes free', async () => {
    const [fromId, intoId] = [await newAccount(), await newAccount()];
    for (const accountId of [fromId, intoId]) await book((tx) => grantSignupBonus(tx, accountId));
    const session = await hold(fromId, 2);
    expect(await book((tx) => transferStars(tx, { fromId, intoId }))).toEqual({ stars: 0, takenGift: 0 });
    expect(await book((tx) => releaseHold(tx, { ...session, accountId: intoId }))).toBe(true);
    expect(await balanceOf(intoId)).toBe(2);
  });
});
