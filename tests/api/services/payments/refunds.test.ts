import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mergeAccounts } from '#api/services/account-lifecycle/merge-accounts.ts';
import { readBooks } from '#api/services/administration/books.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { endGeneration } from '#api/services/generations/running/outcome.ts';
import { sendRefundReceipt } from '#api/services/payments/receipts.ts';
import { insertRefund, type RefundRequest, requestRefund } from '#api/services/payments/refunds.ts';
import { settlePayments } from '#api/services/payments/settle-payments.ts';
import { settleRefund } from '#api/services/payments/settle-refund.ts';
import { correctBalance, getBalance, lockBalance } from '#api/services/stars/ledger.ts';
import type { Generation } from '#prisma/generated/client.ts';
import { countLockWaits } from '#tests/support/database.ts';
import { createAccount, createGeneration } from '#tests/support/factories.ts';
import { createPaymentHarness, type PaymentHarness } from '#tests/support/payment-harness.ts';
import { until } from '#tests/support/until.ts';
import { readMails } from '#tests/support/users.ts';

const ADMIN_ID = 3;

let harness: PaymentHarness;
let accountId: number;
let payment: { invoiceId: string; providerPaymentId: string };
beforeAll(async () => {
  harness = await createPaymentHarness();
});
beforeEach(async () => {
  harness.yookassa.answerRefunds('succeeded');
  harness.yookassa.notifications.length = 0;
  accountId = (await createAccount(harness.app, { stars: 0 })).id;
  payment = await harness.buy(accountId);
});
afterAll(() => harness.close());

function refund(request: Partial<RefundRequest> = {}) {
  const { invoiceId: paymentId } = payment;
  const all = { paymentId, amountMinor: null, reason: 'Не понравилось', adminId: ADMIN_ID, idempotencyKey: null };
  return requestRefund(harness.app, { ...all, ...request });
}

async function spend(stars: number): Promise<void> {
  await harness.app.db.$transaction((tx) =>
    correctBalance(tx, { accountId, delta: -stars, reason: 'spent', adminId: ADMIN_ID, idempotencyKey: null }),
  );
}

/** A photo session that has begun. */
async function holdStars(stars: number): Promise<Generation> {
  const { app } = harness;
  const id = await createGeneration(app, accountId, 'photosession', 'generating');
  const generation = await app.db.generation.update({ where: { id }, data: { stars } });
  await app.db.starEntry.create({
    data: { accountId, kind: 'hold', delta: -stars, causeKey: `hold:${generation.id}`, generationId: generation.id },
  });
  await app.db.account.update({ where: { id: accountId }, data: { starBalance: { decrement: stars } } });
  return generation;
}

async function look() {
  const account = await harness.app.db.account.findUniqueOrThrow({
    where: { id: accountId },
    include: { starEntries: true, payments: true },
  });
  expect(account.starEntries.reduce((sum, { delta }) => sum + delta, 0)).toBe(account.starBalance);
  const { isPremium } = await getPremiumStatus(harness.app, accountId);
  return { balance: account.starBalance, refundedMinor: account.payments[0]?.refundedMinor, isPremium };
}

const sweep = () => settlePayments(harness.app, new AbortController().signal);
const makeOlder = (id: string, ms: number) =>
  harness.app.db.refund.update({ where: { id }, data: { createdAt: new Date(Date.now() - ms) } });
async function sweepLater(id: string): Promise<void> {
  await makeOlder(id, 2 * 60_000);
  await sweep();
}

describe('a refund', () => {
  it('that the provider refuses gives the stars to the account that has the payment by then', async () => {
    const { app, yookassa } = harness;
    const { id: intoId } = await createAccount(app, { stars: 0 });
    const known = await app.db.payment.findUniqueOrThrow({ where: { id: payment.invoiceId } });
    yookassa.failNext({ kind: 'error' });
    const pending = await refund();
    expect(pending).toMatchObject({ status: 'pending', starsTaken: 10 });
    await app.db.$transaction((tx) => mergeAccounts(app, tx, { fromId: accountId, intoId }));
    yookassa.failNext({ kind: 'refuse', status: 400, code: 'invalid_request' });
    await settleRefund(app, { ...pending, payment: known }, { isFirstCall: true });
    expect(await getBalance(app, accountId)).toBe(0);
    expect(await getBalance(app, intoId)).toBe(10);
  });

  it('of everything takes all unspent stars, ends premium, is noted in the audit and mailed once', async () => {
    expect(await refund()).toMatchObject({ status: 'succeeded', amountMinor: 49_000, stars: 10, starsTaken: 10 });
    for (const notification of harness.yookassa.notifications) expect(await harness.notify(notification)).toBe(200);
    expect(await look()).toEqual({ balance: 0, refundedMinor: 49_000, isPremium: false });
    const audit = await harness.app.db.auditEntry.findMany({ where: { accountId } });
    expect(audit).toEqual([expect.objectContaining({ adminId: ADMIN_ID, action: 'refund_requested' })]);
    const { id } = await harness.app.db.refund.findFirstOrThrow({ where: { paymentId: payment.invoiceId } });
    const { rows } = await harness.database.pool.query("SELECT data FROM pgboss.job WHERE name = 'send-receipt'");
    expect(rows.filter(({ data }) => data.refundId === id)).toHaveLength(1);
  });

  it('takes the held stars, too, as soon as they come back, and nothing that is ordered later', async () => {
    const { app } = harness;
    const held = await holdStars(3);
    expect(await refund()).toMatchObject({ stars: 10, starsTaken: 7 });
    await endGeneration(app, held, 'cancelled');
    expect(await look()).toMatchObject({ balance: 0 });
    expect(await app.db.refund.findFirst({ where: { paymentId: payment.invoiceId } })).toMatchObject({
      starsTaken: 10,
    });
    await harness.buy(accountId);
    await endGeneration(app, await holdStars(3), 'cancelled');
    expect((await look()).balance).toBe(10);
    expect((await readBooks(app)).discrepancies).toEqual([]);
  });

  it('takes no star that an order after it gives back, although others were spent before', async () => {
    await spend(10);
    await refund();
    await harness.buy(accountId);
    await endGeneration(harness.app, await holdStars(3), 'cancelled');
    expect((await look()).balance).toBe(10);
  });

  it('that is refused returns what it has taken of held stars, too', async () => {
    const held = await holdStars(3);
    harness.yookassa.answerRefunds('pending');
    const { id, providerRefundId, ...pending } = await refund();
    expect(pending).toMatchObject({ status: 'pending', starsTaken: 7 });
    await endGeneration(harness.app, held, 'cancelled');
    expect((await look()).balance).toBe(0);
    harness.yookassa.endRefund(providerRefundId ?? '', 'canceled');
    await sweepLater(id);
    expect((await look()).balance).toBe(10);
    expect((await readBooks(harness.app)).discrepancies).toEqual([]);
  });

  it('says which stars were spent already and could not be taken', async () => {
    await spend(7);
    expect(await refund()).toMatchObject({ stars: 10, starsTaken: 3 });
    expect(await look()).toMatchObject({ balance: 0 });
  });

  it('in parts takes its share of the stars, and premium stays until the last kopeck', async () => {
    expect(await refund({ amountMinor: 4_899 })).toMatchObject({ stars: 0, starsTaken: 0 });
    expect(await refund({ amountMinor: 1 })).toMatchObject({ stars: 1, starsTaken: 1 });
    expect(await refund({ amountMinor: 24_500 })).toMatchObject({ stars: 5 });
    expect(await look()).toEqual({ balance: 4, refundedMinor: 29_400, isPremium: true });
    expect(await refund()).toMatchObject({ amountMinor: 19_600, stars: 4, starsTaken: 4 });
    expect(await look()).toEqual({ balance: 0, refundedMinor: 49_000, isPremium: false });
  });

  it.each([[49_001], [0], [-100]])('of %i kopecks is impossible', async (amountMinor) => {
    await expect(refund({ amountMinor })).rejects.toMatchObject({ code: 'refund_impossible' });
  });

  it('of a payment that is refunded, not paid, or does not exist is impossible', async () => {
    await refund();
    await expect(refund()).rejects.toMatchObject({ code: 'refund_impossible' });
    const { invoiceId } = await harness.openInvoice(accountId);
    await expect(refund({ paymentId: invoiceId })).rejects.toMatchObject({ code: 'refund_impossible' });
    for (const paymentId of [randomUUID(), 'nothing']) {
      await expect(refund({ paymentId })).rejects.toMatchObject({ code: 'payment_not_found' });
    }
  });

  it('requested ten times at once happens once under one key, and never exceeds the price without', async () => {
    const idempotencyKey = randomUUID();
    const same = await Promise.all(Array.from({ length: 10 }, () => refund({ amountMinor: 9_800, idempotencyKey })));
    expect(new Set(same.map(({ id }) => id)).size).toBe(1);
    await expect(refund({ amountMinor: 100, idempotencyKey })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    const others = await Promise.allSettled(Array.from({ length: 10 }, () => refund({ amountMinor: 9_800 })));
    expect(others.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect(await look()).toMatchObject({ balance: 0, refundedMinor: 49_000 });
  });

  it('that the provider refuses brings the stars back', async () => {
    harness.yookassa.failNext({ kind: 'refuse', status: 400, code: 'invalid_request' });
    await expect(refund()).rejects.toMatchObject({ code: 'refund_failed' });
    harness.yookassa.answerRefunds('canceled');
    await expect(refund()).rejects.toMatchObject({ code: 'refund_failed' });
    expect(await look()).toEqual({ balance: 10, refundedMinor: 0, isPremium: true });
    harness.yookassa.answerRefunds('succeeded');
    expect(await refund()).toMatchObject({ status: 'succeeded', starsTaken: 10 });
  });

  it('that is pending takes its stars at once and is followed until its end', async () => {
    harness.yookassa.answerRefunds('pending');
    const [good, bad] = [await refund({ amountMinor: 24_500 }), await refund({ amountMinor: 24_500 })];
    expect([good.status, bad.status]).toEqual(['pending', 'pending']);
    expect(await look()).toEqual({ balance: 0, refundedMinor: 0, isPremium: true });
    harness.yookassa.endRefund(good.providerRefundId ?? '', 'succeeded');
    harness.yookassa.endRefund(bad.providerRefundId ?? '', 'canceled');
    for (const { id } of [good, bad]) await makeOlder(id, 2 * 60_000);
    await sweep();
    expect(await look()).toEqual({ balance: 5, refundedMinor: 24_500, isPremium: true });
  });

  it('whose answer gets lost is pending, and requested again under the same key', async () => {
    harness.yookassa.failNext({ kind: 'lose_answer' });
    const lost = await refund();
    expect(lost).toMatchObject({ status: 'pending', starsTaken: 10 });
    await sweepLater(lost.id);
    expect(await look()).toEqual({ balance: 0, refundedMinor: 49_000, isPremium: false });
    expect(
      [...harness.yookassa.refunds.values()].filter((one) => one.payment_id === payment.providerPaymentId),
    ).toHaveLength(1);
  });

  it('whose notification is faster than the answer is still one refund', async () => {
    harness.yookassa.failNext({ kind: 'lose_answer' });
    await refund();
    const statuses = await Promise.all(
      harness.yookassa.notifications.flatMap((notification) => [
        harness.notify(notification),
        harness.notify(notification),
      ]),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await look()).toEqual({ balance: 0, refundedMinor: 49_000, isPremium: false });
    expect(await harness.app.db.refund.count({ where: { paymentId: payment.invoiceId } })).toBe(1);
  });

  it.each([401, 403, 405])('answered with %i is neither made nor refused, and requested again', async (status) => {
    harness.yookassa.failNext({ kind: 'refuse', status, code: 'forbidden' });
    const unclear = await refund();
    expect(unclear).toMatchObject({ status: 'pending', starsTaken: 10 });
    await sweepLater(unclear.id);
    expect(await look()).toEqual({ balance: 0, refundedMinor: 49_000, isPremium: false });
  });

  it('whose answer gets lost is found at the provider when the repeat is refused because its text differs', async () => {
    harness.yookassa.failNext({ kind: 'lose_answer' });
    const lost = await refund();
    await harness.app.db.account.update({ where: { id: accountId }, data: { email: `${randomUUID()}@example.com` } });
    await sweepLater(lost.id);
    expect(await look()).toEqual({ balance: 0, refundedMinor: 49_000, isPremium: false });
    expect(await harness.app.db.refund.findUniqueOrThrow({ where: { id: lost.id } })).toMatchObject({
      status: 'succeeded',
      providerRefundId: expect.any(String),
    });
  });

  it('that was not answered stays pending when the repeat is refused and the provider has none', async () => {
    harness.yookassa.failNext({ kind: 'error' }, { kind: 'refuse', status: 400, code: 'invalid_request' });
    const { id } = await refund({ amountMinor: 24_500 });
    harness.yookassa.refundByHand(payment.providerPaymentId, '49.00');
    await sweepLater(id);
    expect(await harness.app.db.refund.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: 'pending' });
    expect(await look()).toMatchObject({ balance: 5, refundedMinor: 0 });
  });

  it('that was never answered is looked for after a day, and given up when it is not there', async () => {
    harness.yookassa.failNext({ kind: 'lose_answer' });
    const made = await refund({ amountMinor: 24_500 });
    harness.yookassa.failNext({ kind: 'error' });
    const notMade = await refund({ amountMinor: 4_900 });
    for (const { id } of [made, notMade]) await makeOlder(id, 25 * 3_600_000);
    await sweep();
    expect(await look()).toMatchObject({ balance: 5, refundedMinor: 24_500 });
    const late = harness.yookassa.refundByHand(payment.providerPaymentId, '49.00');
    expect(await harness.notify(late)).toBe(200);
    expect(await look()).toMatchObject({ balance: 4, refundedMinor: 29_400 });
  });
});

describe('the sweep', () => {
  async function makePending(): Promise<string> {
    harness.yookassa.answerRefunds('pending');
    const { invoiceId: paymentId } = await harness.buy(accountId);
    const { id, providerRefundId } = await refund({ paymentId });
    await makeOlder(id, 2 * 60_000);
    return providerRefundId ?? '';
  }
  const spoil = (id: string) => Object.assign(harness.yookassa.refunds.get(id) ?? {}, { status: 'unreceived of' });
  const findStatus = async (providerRefundId: string) =>
    (await harness.app.db.refund.findUniqueOrThrow({ where: { providerRefundId } })).status;

  it('goes past a refund that is never answered, also when there are several of them', async () => {
    const bad = [await makePending()];
    const good = await makePending();
    for (const id of bad) spoil(id);
    harness.yookassa.endRefund(good, 'succeeded');
    await sweep();
    expect(await findStatus(good)).toBe('succeeded');

    while (bad.length < 5) bad.push(await makePending());
    const another = await makePending();
    for (const id of bad) spoil(id);
    harness.yookassa.endRefund(another, 'succeeded');
    for (let looks = 0; looks < 60 && (await findStatus(another)) === 'pending'; looks++) await sweep();
    expect(await findStatus(another)).toBe('succeeded');
    for (const id of bad) harness.yookassa.endRefund(id, 'canceled');
    await sweep();
  });

  it('asks three times of a provider that cannot be reached, not of everything', async () => {
    for (let made = 0; made < 5; made++) await makePending();
    harness.yookassa.failNext(...Array.from({ length: 5 }, () => ({ kind: 'error' as const })));
    const before = harness.yookassa.calls.length;
    await sweep();
    harness.yookassa.recover();
    expect(harness.yookassa.calls.length - before).toBe(3);
  });
});

describe('the mail of a refund', () => {
  it('says what goes back, in money and in stars', async () => {
    await spend(8);
    const { id } = await refund({ amountMinor: 24_550 });
    await sendRefundReceipt(harness.app, id);
    const { email } = await harness.app.db.account.findUniqueOrThrow({ where: { id: accountId } });
    const [mail] = await readMails(harness, email ?? '');
    expect(mail?.subject).toBe('Возврат оформлен — «Подиум»');
    for (const text of [mail?.text, mail?.html?.replace(/<\/td><td[^>]*>/g, ': ').replace(/<[^>]+>/g, '')]) {
      const words = text?.replace(/\s/g, ' ');
      expect(words).toContain('Возвращаем: 245,50 ₽');
      expect(words).toContain('Списано с баланса: 2 звезды');
      expect(words).toContain(payment.invoiceId);
    }
  });
});

describe('a refund made in the provider’s office', () => {
  it('is booked once like one of ours', async () => {
    await spend(8);
    const notification = harness.yookassa.refundByHand(payment.providerPaymentId, '245.00');
    const statuses = await Promise.all(Array.from({ length: 10 }, () => harness.notify(notification)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await look()).toEqual({ balance: 0, refundedMinor: 24_500, isPremium: true });
    expect(await harness.app.db.refund.findMany({ where: { paymentId: payment.invoiceId } })).toEqual([
      expect.objectContaining({ status: 'succeeded', stars: 5, starsTaken: 2, requestedById: null }),
    ]);
  });

  it('whose notification comes before that of its payment books both', async () => {
    const late = await harness.openInvoice(accountId);
    const paid = harness.yookassa.pay(late.providerPaymentId);
    expect(await harness.notify(harness.yookassa.refundByHand(late.providerPaymentId, '490.00'))).toBe(200);
    expect(await harness.notify(paid)).toBe(200);
    expect(await look()).toMatchObject({ balance: 10 });
    expect(await harness.app.db.payment.findUniqueOrThrow({ where: { id: late.invoiceId } })).toMatchObject({
      status: 'succeeded',
      refundedMinor: 49_000,
    });
  });

  it('of more than was paid, or of a payment that is not ours, is logged and not booked', async () => {
    const log = harness.logLines.length;
    expect(await harness.notify(harness.yookassa.refundByHand(payment.providerPaymentId, '490.01'))).toBe(200);
    expect(await harness.notify(harness.yookassa.refundByHand(randomUUID(), '1.00'))).toBe(200);
    const object = { id: randomUUID(), payment_id: payment.providerPaymentId };
    expect(await harness.notify({ type: 'notification', event: 'refund.succeeded', object })).toBe(200);
    expect(await look()).toMatchObject({ balance: 10, refundedMinor: 0 });
    const levels = harness.logLines.slice(log).map(({ level }) => level);
    expect(levels.filter((level) => level === 'error' || level === 'warn')).toEqual(['error', 'error', 'warn']);
  });

  it.each([
    [490, 'would then be two refunds of one'],
    [245, 'has no room beside it'],
  ])('while one of ours of %i roubles has just begun, which %s, waits for it and then takes all stars', async (own) => {
    const notification = harness.yookassa.refundByHand(payment.providerPaymentId, '490.00');
    const { app, database } = harness;
    const begun = await app.db.$transaction(async (tx) => {
      await lockBalance(tx, accountId);
      const told = harness.notify(notification);
      // It has found no refund of ours by then.
      if (!database.isEmbedded) await until(async () => expect(await countLockWaits(database)).toBe(1));
      const paid = await tx.payment.findUniqueOrThrow({ where: { id: payment.invoiceId } });
      const refund = await insertRefund(tx, paid, { amountMinor: own * 100, reason: 'Наш' });
      const createdAt = new Date(Date.now() - 2 * 60_000);
      await tx.refund.update({ where: { id: refund.id }, data: { createdAt } });
      return { told };
    });
    // The embedded database has one connection. There the notification is read only now, and our refund gets settled.
    expect([200, 503]).toContain(await begun.told);
    await sweep();
    expect(await harness.notify(notification)).toBe(200);
    expect(await look()).toEqual({ balance: 0, refundedMinor: 49_000, isPremium: false });
    expect((await readBooks(app)).discrepancies).toEqual([]);
  });

  it('while the provider cannot be asked is 503', async () => {
    const notification = harness.yookassa.refundByHand(payment.providerPaymentId, '1.00');
    harness.yookassa.failNext({ kind: 'error' });
    expect(await harness.notify(notification)).toBe(503);
    expect(await harness.notify(notification)).toBe(200);
    expect(await look()).toMatchObject({ refundedMinor: 100 });
  });
});
