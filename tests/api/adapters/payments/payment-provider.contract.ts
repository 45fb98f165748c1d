import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  type CheckoutProvider,
  type NewPayment,
  type NewRefund,
  type NotificationAnswer,
  type NotificationRequest,
  PaymentRefusedError,
  type ProviderPayment,
  type ProviderRefund,
  type RefundedPayment,
} from '#api/adapters/payments/payment-provider.ts';

/** A provider under test, with the actions of its buyers. */
export interface ProviderHarness {
  provider: CheckoutProvider;
  pay(providerPaymentId: string): Promise<void>;
  decline(providerPaymentId: string): Promise<void>;
  /** The notifications sent so far, oldest first. */
  notifications(): SentNotification[];
  /** The answer that the provider expects to a notification. */
  answer: NotificationAnswer;
  /** What the provider lacks. The product makes up for it. */
  lacks: {
    /** A repeated call opens another payment. */
    idempotence: boolean;
    /** Only the call that opened a payment gets the address of its page. */
    pageAgain: boolean;
    /** Refunds have no ids of the provider's own. */
    refundIds: boolean;
    /** The provider does not say how long a payment can be paid. */
    expiry: boolean;
    /** A refund is made or refused at once, and cannot be looked up. */
    refundLookup: boolean;
  };
  /** Null when the provider takes no order ids. `sent` lists those of the payments opened so far, oldest first. */
  orderIds: { maxLength: number; sent(): string[] } | null;
}

/** A notification as it arrives, with the headers that the provider sets. */
export type SentNotification = Partial<Pick<NotificationRequest, 'headers'>> & { body: string | Buffer };

export function newPaymentOf(amountMinor = 49_000): NewPayment {
  const paymentId = randomUUID();
  return {
    paymentId,
    attempt: 0,
    amountMinor,
    description: `Пакет «Примерка»: 10 звёзд, заказ ${paymentId}`,
    returnUrl: `https://podium.example/payment/success?invoice=${paymentId}`,
    receiptItem: 'Пакет «Примерка»: 10 звёзд',
    buyerEmail: 'buyer@example.com',
  };
}

/** A request for a refund of a payment. `booked` lists its refunds so far. */
export function newRefundOf(
  { providerPaymentId, amountMinor: paid }: Pick<ProviderPayment, 'providerPaymentId' | 'amountMinor'>,
  amountMinor: number,
  { refundId = randomUUID() as string, booked = [] as ProviderRefund[] } = {},
): NewRefund {
  return {
    refundId,
    amountMinor,
    payment: { providerPaymentId, amountMinor: paid ?? 0, booked },
    description: 'Возврат',
    receiptItem: 'Пакет «Примерка»',
    buyerEmail: 'buyer@example.com',
  };
}

export function notificationOf({ headers, body }: SentNotification, address = '185.71.76.1'): NotificationRequest {
  return { headers: { 'content-type': 'application/json', ...headers }, body: Buffer.from(body), address };
}

const STRANGE = { type: 'notification', event: 'payment.succeeded', object: { id: '../../me' } };
/** Bodies that are no notification of any provider. */
const JUNK = [
  '',
  '{',
  '<xml/>',
  '\u0000',
  ...[null, 'text', 1, [], {}, { event: 'payment.succeeded' }, { type: 'notification' }, STRANGE].map((value) =>
    JSON.stringify(value),
  ),
];

/** The contract of every payment provider with a payment page. Each provider's tests run it. */
export function describePaymentProvider(harness: () => ProviderHarness): void {
  const checkout = () => harness().provider.checkout;
  const refunds = () => {
    const { refunds } = harness().provider;
    if (!refunds) throw new Error('the provider gives no money back');
    return refunds;
  };
  const findLookup = () => {
    const { lookup } = refunds();
    expect(lookup === undefined).toBe(harness().lacks.refundLookup);
    return lookup;
  };
  const readNotifications = () =>
    harness()
      .notifications()
      .map((sent) => harness().provider.notifications?.read(notificationOf(sent)));
  const createPaid = async (amountMinor?: number) => {
    const payment = await checkout().create(newPaymentOf(amountMinor));
    await harness().pay(payment.providerPaymentId);
    return payment;
  };

  it('is checked without opening anything', async () => {
    await expect(checkout().check()).resolves.toBeUndefined();
  });

  it('opens a payment with a page to pay on, and reads it back the same', async () => {
    const payment = newPaymentOf(199_050);
    const opened = await checkout().create(payment);
    expect(opened).toMatchObject({
      paymentId: payment.paymentId,
      status: 'pending',
      amountMinor: 199_050,
      currency: 'RUB',
      isTest: harness().provider.isTest,
      awaitsBuyer: true,
      cancellationReason: null,
    });
    if (harness().lacks.expiry) expect(opened.payableUntil).toBeNull();
    else {
      const minutesToPay = ((opened.payableUntil?.getTime() ?? 0) - Date.now()) / 60_000;
      expect(Math.abs(minutesToPay - 60)).toBeLessThan(10);
    }
    expect(URL.canParse(opened.paymentUrl ?? '')).toBe(true);
    const page = harness().lacks.pageAgain ? { paymentUrl: null, payableUntil: null } : {};
    expect(await checkout().fetch(opened.providerPaymentId)).toEqual({ ...opened, ...page });
  });

  it('opens one payment for parallel requests of one attempt, or says that each payment is ours', async () => {
    const payment = newPaymentOf();
    const opened = await Promise.all(Array.from({ length: 5 }, () => checkout().create(payment)));
    const ids = new Set(opened.map(({ providerPaymentId }) => providerPaymentId));
    expect(ids.size).toBe(harness().lacks.idempotence ? 5 : 1);
    for (const one of opened) expect(one).toMatchObject({ paymentId: payment.paymentId, awaitsBuyer: true });
    for (const another of [newPaymentOf(), { ...payment, attempt: 1 }]) {
      expect(ids).not.toContain((await checkout().create(another)).providerPaymentId);
    }
  });

  it('reads the id of our payment back from its own payment, at any attempt', async () => {
    const payment = newPaymentOf();
    for (const attempt of [0, 1, 12, 999]) {
      const { providerPaymentId } = await checkout().create({ ...payment, attempt });
      expect(await checkout().fetch(providerPaymentId)).toMatchObject({ paymentId: payment.paymentId });
    }
  });

  it('gets a new order id for every attempt, within the length that it accepts', async () => {
    const payment = newPaymentOf();
    for (const attempt of [0, 1, 999]) await checkout().create({ ...payment, attempt });
    const { orderIds } = harness();
    if (!orderIds) return;
    const ids = orderIds.sent().slice(-3);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id.length).toBeLessThanOrEqual(orderIds.maxLength);
  });

  it('says that a payment was paid, and notifies', async () => {
    const { providerPaymentId } = await createPaid();
    const paid = await checkout().fetch(providerPaymentId);
    expect(paid).toMatchObject({ status: 'succeeded', awaitsBuyer: false, amountMinor: 49_000 });
    expect(readNotifications()).toContainEqual({
      notification: { about: 'payment', providerPaymentId },
      answer: harness().answer,
    });
  });

  it('says that a payment was declined, with a reason', async () => {
    const { providerPaymentId } = await checkout().create(newPaymentOf());
    await harness().decline(providerPaymentId);
    const declined = await checkout().fetch(providerPaymentId);
    expect(declined).toMatchObject({ status: 'canceled', awaitsBuyer: false });
    expect(declined?.cancellationReason).toMatch(/\w/);
  });

  it('knows nothing of ids that are not its own', async () => {
    for (const providerPaymentId of [randomUUID(), 'nothing', '..%2F..', '999999999999']) {
      const payment = { providerPaymentId, amountMinor: 100, booked: [] };
      expect(await checkout().fetch(providerPaymentId)).toBeNull();
      const lookup = findLookup();
      if (!lookup) continue;
      expect(await lookup.fetch(providerPaymentId, payment)).toBeNull();
      expect(await lookup.list(payment)).toEqual([]);
    }
  });

  it('refunds in parts up to the price, and once for one id', async () => {
    const payment = await createPaid(49_000);
    const { providerPaymentId } = payment;
    const refundId = randomUUID();
    const lookup = findLookup();
    const paidWith = (...booked: ProviderRefund[]): RefundedPayment => ({
      providerPaymentId,
      amountMinor: 49_000,
      booked,
    });
    const first = await refunds().submit(newRefundOf(payment, 19_001, { refundId }));
    expect(first).toMatchObject({ providerPaymentId, status: 'succeeded', amountMinor: 19_001 });
    expect(await refunds().submit(newRefundOf(payment, 19_001, { refundId }))).toEqual(first);
    if (lookup) {
      expect(await lookup.fetch(first.providerRefundId, paidWith())).toEqual(first);
      expect(await lookup.fetch(first.providerRefundId, paidWith(first))).toEqual(first);
      expect(await lookup.list(paidWith(first))).toEqual([first]);
      expect(await lookup.list(paidWith())).toMatchObject([{ status: 'succeeded', amountMinor: 19_001 }]);
    }
    const second = await refunds().submit(newRefundOf(payment, 29_999, { booked: [first] }));
    expect(second).toMatchObject({ providerPaymentId, status: 'succeeded', amountMinor: 29_999 });
    if (lookup) expect(new Set(await lookup.list(paidWith(first, second)))).toEqual(new Set([first, second]));
    await expect(refunds().submit(newRefundOf(payment, 100, { booked: [first, second] }))).rejects.toThrow(
      PaymentRefusedError,
    );
    expect(await checkout().fetch(providerPaymentId)).toMatchObject({ status: 'succeeded' });
    const providerRefundId = harness().lacks.refundIds ? null : first.providerRefundId;
    expect(readNotifications()).toContainEqual({
      notification: { about: 'refund', providerRefundId, providerPaymentId },
      answer: harness().answer,
    });
  });

  it('refuses to refund what was not paid, which can still be paid afterwards', async () => {
    const payment = await checkout().create(newPaymentOf());
    await expect(refunds().submit(newRefundOf(payment, 100))).rejects.toThrow(PaymentRefusedError);
    expect(await checkout().fetch(payment.providerPaymentId)).toMatchObject({ awaitsBuyer: true });
  });

  it('refuses every body that is no notification', () => {
    for (const body of JUNK) {
      const read = harness().provider.notifications?.read(notificationOf({ body }));
      expect([body, read]).toEqual([body, { refusal: 'form' }]);
    }
  });
}
