import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { confirmPayment } from '#api/services/payments/confirm-payment.ts';
import { createInvoice } from '#api/services/payments/invoices.ts';
import { lockBalance } from '#api/services/stars/ledger.ts';
import { countLockWaits } from '#tests/support/database.ts';
import { createAccount } from '#tests/support/factories.ts';
import { createPaymentHarness, type PaymentHarness, SMALLEST_PACKAGE } from '#tests/support/payment-harness.ts';
import { until } from '#tests/support/until.ts';

let harness: PaymentHarness;
let accountId: number;
beforeAll(async () => {
  harness = await createPaymentHarness({ YOOKASSA_WEBHOOK_ADDRESSES: '185.71.76.0/27', TRUSTED_PROXIES: '10.9.9.9' });
});
beforeEach(async () => {
  accountId = (await createAccount(harness.app, { stars: 0 })).id;
});
afterAll(() => harness.close());

async function readBalance() {
  const { starBalance, starEntries } = await harness.app.db.account.findUniqueOrThrow({
    where: { id: accountId },
    include: { starEntries: true },
  });
  expect(starEntries.reduce((sum, { delta }) => sum + delta, 0)).toBe(starBalance);
  return starBalance;
}

/** Collects the log lines about payments from now on, without lines about requests and lines for developers. */
function watchLog() {
  const from = harness.logLines.length;
  return () =>
    harness.logLines.slice(from).filter((line) => !String(line.msg).includes('request') && line.level !== 'debug');
}

describe('a notification', () => {
  it('credits the stars once, makes premium and is logged as a purchase', async () => {
    const { invoiceId, providerPaymentId } = await harness.openInvoice(accountId);
    const lines = watchLog();
    expect(await harness.notify(harness.yookassa.pay(providerPaymentId))).toBe(200);
    expect(await readBalance()).toBe(SMALLEST_PACKAGE.stars);
    expect(await getPremiumStatus(harness.app, accountId)).toMatchObject({ isPremium: true, transactionCount: 1 });
    expect(lines()).toEqual([
      expect.objectContaining({ action: 'purchase_stars', accountId, paymentId: invoiceId, amountMinor: 49_000 }),
    ]);
  });

  it('that comes 100 times at once credits once', async () => {
    const { providerPaymentId } = await harness.openInvoice(accountId);
    const notification = harness.yookassa.pay(providerPaymentId);
    const lines = watchLog();
    const statuses = await Promise.all(Array.from({ length: 100 }, () => harness.notify(notification)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await readBalance()).toBe(SMALLEST_PACKAGE.stars);
    expect(lines()).toHaveLength(100);
    expect(lines().filter(({ action }) => action === 'purchase_stars')).toHaveLength(1);
    const { rows } = await harness.database.pool.query("SELECT data FROM pgboss.job WHERE name = 'send-receipt'");
    const paymentId = (await harness.app.db.payment.findFirstOrThrow({ where: { accountId } })).id;
    expect(rows.filter(({ data }) => data.paymentId === paymentId)).toHaveLength(1);
  });

  it('that several processes book at once credits once', async () => {
    const { providerPaymentId } = await harness.openInvoice(accountId);
    harness.yookassa.pay(providerPaymentId);
    const providerPayment = await harness.app.payments.find('yookassa')?.checkout?.fetch(providerPaymentId);
    if (!providerPayment) throw new Error('the fake has lost the payment');
    const booked = Array.from({ length: 30 }, () => confirmPayment(harness.app, 'yookassa', providerPayment));
    const outcomes = await Promise.all(booked);
    expect(outcomes.filter((outcome) => outcome === 'credited')).toHaveLength(1);
    expect(await readBalance()).toBe(SMALLEST_PACKAGE.stars);
  });

  it('that comes before create-invoice has returned credits, and the invoice still opens', async () => {
    harness.yookassa.failNext({ kind: 'lose_answer' });
    const request = { accountId, packageId: 1, idempotencyKey: randomUUID() };
    await expect(createInvoice(harness.app, request)).rejects.toThrow('Не удалось создать платеж');
    const { id } = await harness.app.db.payment.findFirstOrThrow({ where: { accountId } });
    const atProvider = [...harness.yookassa.payments.values()].find(({ metadata }) => metadata.order_id === id);
    expect(await harness.notify(harness.yookassa.pay(atProvider?.id ?? ''))).toBe(200);
    expect(await readBalance()).toBe(SMALLEST_PACKAGE.stars);
    expect(await createInvoice(harness.app, request)).toEqual({
      invoiceId: id,
      paymentUrl: `${harness.app.config.publicUrl}/payment/success?invoice=${id}`,
    });
    expect(await readBalance()).toBe(SMALLEST_PACKAGE.stars);
  });

  it('of a cancellation ends the invoice; one that comes after the money changes nothing', async () => {
    const [declined, paid] = [await harness.openInvoice(accountId), await harness.openInvoice(accountId)];
    expect(await harness.notify(harness.yookassa.cancel(declined.providerPaymentId, 'insufficient_funds'))).toBe(200);
    const find = (id: string) => harness.app.db.payment.findUniqueOrThrow({ where: { id } });
    expect(await find(declined.invoiceId)).toMatchObject({
      status: 'canceled',
      cancellationReason: 'insufficient_funds',
    });
    await harness.notify(harness.yookassa.pay(paid.providerPaymentId));
    const lines = watchLog();
    expect(await harness.notify(harness.yookassa.cancel(paid.providerPaymentId))).toBe(200);
    expect(await find(paid.invoiceId)).toMatchObject({ status: 'succeeded', canceledAt: null });
    expect(await readBalance()).toBe(SMALLEST_PACKAGE.stars);
    expect(lines()).toHaveLength(1);
  });

  it('of money that came after a cancellation credits it', async () => {
    const { invoiceId, providerPaymentId } = await harness.openInvoice(accountId);
    await harness.notify(harness.yookassa.cancel(providerPaymentId));
    expect(await harness.notify(harness.yookassa.pay(providerPaymentId))).toBe(200);
    expect(await harness.app.db.payment.findUniqueOrThrow({ where: { id: invoiceId } })).toMatchObject({
      status: 'succeeded',
      cancellationReason: null,
      canceledAt: null,
    });
    expect(await readBalance()).toBe(SMALLEST_PACKAGE.stars);
  });

  it('is only a hint: a claim that the provider does not confirm is not booked', async () => {
    const { providerPaymentId } = await harness.openInvoice(accountId);
    const paid = structuredClone(harness.yookassa.pay(providerPaymentId));
    Object.assign(harness.yookassa.payments.get(providerPaymentId) ?? {}, { status: 'pending', paid: false });
    expect(await harness.notify(paid)).toBe(200);
    expect(await readBalance()).toBe(0);
  });

  it.each([
    ['amount', { amount: { value: '1.00', currency: 'RUB' } }],
    ['amount', { amount: { value: '4900.00', currency: 'RUB' } }],
    ['currency', { amount: { value: '490.00', currency: 'USD' } }],
    ['test flag', { test: false }],
  ])('of a payment with another %s credits nothing and is logged as an error', async (difference, fields) => {
    const { providerPaymentId } = await harness.openInvoice(accountId);
    const notification = harness.yookassa.pay(providerPaymentId);
    Object.assign(harness.yookassa.payments.get(providerPaymentId) ?? {}, fields);
    const lines = watchLog();
    expect(await harness.notify(notification)).toBe(200);
    expect(await readBalance()).toBe(0);
    expect(lines()).toEqual([expect.objectContaining({ level: 'error', difference })]);
  });

  it('of a second payment for the same order is not accepted', async () => {
    const { invoiceId, providerPaymentId } = await harness.openInvoice(accountId);
    const original = harness.yookassa.payments.get(providerPaymentId);
    const twin = { ...structuredClone(original), id: randomUUID(), status: 'succeeded' as const, paid: true };
    harness.yookassa.payments.set(twin.id, twin as NonNullable<typeof original>);
    const lines = watchLog();
    expect(await harness.notify({ type: 'notification', event: 'payment.succeeded', object: twin })).toBe(200);
    expect(await readBalance()).toBe(0);
    expect(lines()).toEqual([expect.objectContaining({ level: 'error', paymentId: invoiceId })]);
  });

  it('of two payments for one order at the same moment is accepted for the first only', async () => {
    harness.yookassa.failNext({ kind: 'lose_answer' });
    await createInvoice(harness.app, { accountId, packageId: 1, idempotencyKey: randomUUID() }).catch(() => undefined);
    const { id } = await harness.app.db.payment.findFirstOrThrow({ where: { accountId } });
    const atProvider = [...harness.yookassa.payments.values()].find(({ metadata }) => metadata.order_id === id);
    harness.yookassa.pay(atProvider?.id ?? '');
    const providerPayment = await harness.app.payments.find('yookassa')?.checkout?.fetch(atProvider?.id ?? '');
    if (!providerPayment) throw new Error('the fake has lost the payment');
    const confirmations = await harness.app.db.$transaction(async (tx) => {
      await lockBalance(tx, accountId);
      const started = [providerPayment, { ...providerPayment, providerPaymentId: randomUUID() }].map((one) =>
        confirmPayment(harness.app, 'yookassa', one),
      );
      // Both have read the payment by then.
      const { database } = harness;
      if (!database.isEmbedded) await until(async () => expect(await countLockWaits(database)).toBe(2));
      return started;
    });
    expect((await Promise.all(confirmations)).toSorted()).toEqual(['credited', 'refused']);
    expect(await readBalance()).toBe(SMALLEST_PACKAGE.stars);
  });

  it.each([
    ['a stranger’s order', { order_id: randomUUID() }],
    ['something that is no order', { order_id: "1'; drop table payments" }],
    ['no order', {}],
  ])('of a payment for %s is logged and answered with 200', async (_name, metadata) => {
    const { providerPaymentId } = await harness.openInvoice(accountId);
    const notification = harness.yookassa.pay(providerPaymentId);
    Object.assign(harness.yookassa.payments.get(providerPaymentId) ?? {}, { metadata });
    const lines = watchLog();
    expect(await harness.notify(notification)).toBe(200);
    expect(await readBalance()).toBe(0);
    expect(lines()).toHaveLength(1);
  });

  it('of a payment that the provider does not know is logged and answered with 200', async () => {
    const lines = watchLog();
    const object = { id: randomUUID(), status: 'succeeded', paid: true };
    expect(await harness.notify({ type: 'notification', event: 'payment.succeeded', object })).toBe(200);
    expect(lines()).toEqual([expect.objectContaining({ level: 'warn' })]);
  });

  it('while the provider cannot be asked is 503, so that it comes again', async () => {
    const { providerPaymentId } = await harness.openInvoice(accountId);
    const notification = harness.yookassa.pay(providerPaymentId);
    for (const kind of ['error', 'html', 'cut'] as const) {
      harness.yookassa.failNext({ kind });
      expect(await harness.notify(notification)).toBe(503);
    }
    expect(await readBalance()).toBe(0);
    expect(await harness.notify(notification)).toBe(200);
    expect(await readBalance()).toBe(SMALLEST_PACKAGE.stars);
  });

  it('that cannot be read is 400', async () => {
    for (const body of ['', '{', 'null', '[]', '"text"', '{"type":"notification"}', '<xml/>']) {
      expect([body, await harness.notify(body)]).toEqual([body, 400]);
    }
  });

  it('of another event of the shop is 200', async () => {
    expect(await harness.notify({ type: 'notification', event: 'deal.closed', object: { id: 'd-1' } })).toBe(200);
  });

  it('from a foreign address is 403, also when it names a proxy it did not come through', async () => {
    const { providerPaymentId } = await harness.openInvoice(accountId);
    const notification = harness.yookassa.pay(providerPaymentId);
    const send = (remoteAddress: string, forwarded?: string) =>
      harness.server
        .inject({
          method: 'POST',
          url: '/api/payments/webhook/yookassa',
          remoteAddress,
          payload: notification,
          headers: forwarded ? { 'x-forwarded-for': forwarded } : {},
        })
        .then(({ statusCode }) => statusCode);
    expect(await send('8.8.8.8')).toBe(403);
    expect(await send('8.8.8.8', '185.71.76.5')).toBe(403);
    expect(await send('10.9.9.9', '8.8.8.8')).toBe(403);
    expect(await readBalance()).toBe(0);
    expect(await send('10.9.9.9', '185.71.76.5')).toBe(200);
    expect(await readBalance()).toBe(SMALLEST_PACKAGE.stars);
  });

  it('to the address of another provider is 404', async () => {
    for (const provider of ['sandbox', 'robokassa', 'x']) {
      expect(await harness.notify({ type: 'notification' }, { provider })).toBe(404);
    }
  });

  it('is taken although it comes from another site’s page', async () => {
    const { providerPaymentId } = await harness.openInvoice(accountId);
    const { statusCode } = await harness.server.inject({
      method: 'POST',
      url: '/api/payments/webhook/yookassa',
      remoteAddress: '185.71.76.1',
      headers: { origin: 'https://yookassa.ru' },
      payload: harness.yookassa.pay(providerPaymentId),
    });
    expect(statusCode).toBe(200);
  });
});
