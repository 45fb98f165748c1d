import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { NewPayment, PaymentProvider, ProviderPayment } from '#api/adapters/payments/payment-provider.ts';
import { PaymentRefusedError } from '#api/adapters/payments/payment-provider.ts';

/** A provider under test, and what its buyers and its office do. */
export interface ProviderHarness {
  provider: PaymentProvider;
  pay(providerPaymentId: string): Promise<void>;
  decline(providerPaymentId: string): Promise<void>;
  /** Bodies of the notifications sent so far, oldest first. */
  notifications(): unknown[];
}

export function newPaymentOf(amountMinor = 49_000): NewPayment {
  const orderId = randomUUID();
  return {
    ...{ orderId, idempotenceKey: orderId, amountMinor },
    description: `Пакет «Примерка»: 10 звёзд, заказ ${orderId}`,
    returnUrl: `https://podium.example/payment/success?invoice=${orderId}`,
    receiptItem: 'Пакет «Примерка»: 10 звёзд',
    buyerEmail: 'buyer@example.com',
  };
}

/** What holds for every payment provider. */
export function describePaymentProvider(harness: () => ProviderHarness): void {
  const create = (payment: NewPayment) => harness().provider.create(payment);
  const fetchAgain = (id: string) => harness().provider.fetch(id);
  const refundOf = (payment: ProviderPayment, amountMinor: number, refundId = randomUUID()) =>
    harness().provider.refund({
      ...{ refundId, providerPaymentId: payment.providerPaymentId, amountMinor },
      ...{ description: 'Возврат', receiptItem: 'Пакет «Примерка»', buyerEmail: 'buyer@example.com' },
    });
  const createPaid = async (amountMinor?: number) => {
    const payment = await create(newPaymentOf(amountMinor));
    await harness().pay(payment.providerPaymentId);
    return payment;
  };

  it('opens a payment with a page to pay on, and reads it back the same', async () => {
    const order = newPaymentOf(199_050);
    const opened = await create(order);
    expect(opened).toMatchObject({
      ...{ orderId: order.orderId, status: 'pending', amountMinor: 199_050, currency: 'RUB' },
      ...{ isTest: harness().provider.isTest, awaitsBuyer: true, cancellationReason: null },
    });
    const minutesToPay = ((opened.payableUntil?.getTime() ?? 0) - Date.now()) / 60_000;
    expect(Math.abs(minutesToPay - 60)).toBeLessThan(10);
    expect(URL.canParse(opened.paymentUrl ?? '')).toBe(true);
    expect(await fetchAgain(opened.providerPaymentId)).toEqual(opened);
  });

  it('opens one payment for one key, however often and at once it is asked', async () => {
    const order = newPaymentOf();
    const opened = await Promise.all(Array.from({ length: 5 }, () => create(order)));
    expect(new Set(opened.map(({ providerPaymentId }) => providerPaymentId)).size).toBe(1);
    expect((await create(newPaymentOf())).providerPaymentId).not.toBe(opened[0]?.providerPaymentId);
  });

  it('tells that a payment was paid, and notifies', async () => {
    const { providerPaymentId } = await createPaid();
    const paid = await fetchAgain(providerPaymentId);
    expect(paid).toMatchObject({ status: 'succeeded', awaitsBuyer: false, amountMinor: 49_000 });
    const notified = harness()
      .notifications()
      .map((body) => harness().provider.parseNotification(body));
    expect(notified).toContainEqual({ about: 'payment', providerPaymentId });
  });

  it('tells that a payment was declined, with a reason', async () => {
    const { providerPaymentId } = await create(newPaymentOf());
    await harness().decline(providerPaymentId);
    const declined = await fetchAgain(providerPaymentId);
    expect(declined?.status).toBe('canceled');
    expect(declined?.cancellationReason).toMatch(/\w/);
  });

  it('knows nothing of ids that are not its own', async () => {
    for (const id of [randomUUID(), 'nothing', '..%2F..']) {
      expect(await fetchAgain(id)).toBeNull();
      expect(await harness().provider.fetchRefund(id)).toBeNull();
      expect(await harness().provider.listRefunds(id)).toEqual([]);
    }
  });

  it('refunds in parts up to the price, and once for one key', async () => {
    const payment = await createPaid(49_000);
    const refundId = randomUUID();
    const first = await refundOf(payment, 19_001, refundId);
    const { providerPaymentId } = payment;
    expect(first).toMatchObject({ providerPaymentId, status: 'succeeded', amountMinor: 19_001 });
    expect(await refundOf(payment, 19_001, refundId)).toEqual(first);
    expect(await harness().provider.fetchRefund(first.providerRefundId)).toEqual(first);
    expect(await harness().provider.listRefunds(providerPaymentId)).toEqual([first]);
    const second = await refundOf(payment, 29_999);
    const all = await harness().provider.listRefunds(providerPaymentId);
    expect(new Set(all)).toEqual(new Set([first, second]));
    await expect(refundOf(payment, 1)).rejects.toThrow(PaymentRefusedError);
    const notified = harness()
      .notifications()
      .map((body) => harness().provider.parseNotification(body));
    const { providerRefundId } = first;
    expect(notified).toContainEqual({ about: 'refund', providerRefundId, providerPaymentId });
  });

  it('refuses to refund what was not paid', async () => {
    await expect(refundOf(await create(newPaymentOf()), 100)).rejects.toThrow(PaymentRefusedError);
  });

  it('takes nothing for a notification that is none', () => {
    for (const body of [undefined, null, 'text', 1, [], {}, { event: 'payment.succeeded' }, { type: 'notification' }]) {
      expect(harness().provider.parseNotification(body)).toBeNull();
    }
    const strange = { type: 'notification', event: 'payment.succeeded', object: { id: '../../me' } };
    expect(harness().provider.parseNotification(strange)).toBeNull();
  });
}
