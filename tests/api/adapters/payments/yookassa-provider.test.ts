import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CheckoutProvider,
  type NotificationRequest,
  PaymentProviderUnavailableError,
  PaymentRefusedError,
} from '#api/adapters/payments/payment-provider.ts';
import { createYookassaProvider, type YookassaOptions } from '#api/adapters/payments/yookassa/yookassa-provider.ts';
import { createFakeYookassa, FAKE_SHOP, type FakeYookassa, type Fault } from '#tests/support/fake-yookassa.ts';
import { describePaymentProvider, newPaymentOf, notificationOf } from './payment-provider.contract.ts';

let yookassa: FakeYookassa;
let provider: CheckoutProvider;

beforeAll(async () => {
  yookassa = await createFakeYookassa();
  provider = create();
});
afterAll(() => yookassa.close());

function create(options: Partial<YookassaOptions> = {}): CheckoutProvider {
  return createYookassaProvider({
    ...FAKE_SHOP,
    apiUrl: yookassa.apiUrl,
    webhookAddresses: [],
    receipt: { vatCode: 1, subject: 'service', mode: 'full_payment' },
    ...options,
  });
}

describe('YooKassa', () => {
  describePaymentProvider(() => ({
    provider,
    pay: async (id) => void yookassa.pay(id),
    decline: async (id) => void yookassa.cancel(id),
    notifications: () => yookassa.notifications.map((one) => ({ body: JSON.stringify(one) })),
    answer: { status: 200 },
    lacks: { idempotence: false, pageAgain: false, refundIds: false, expiry: false, refundLookup: false },
    orderIds: null,
  }));

  it('gets requests in its own format, with a receipt by 54-ФЗ', async () => {
    const receipt = { vatCode: 11, subject: 'payment', mode: 'full_prepayment' as const, taxSystem: 2 };
    const order = newPaymentOf(49_005);
    await create({ receipt }).checkout.create(order);
    const call = yookassa.calls.at(-1);
    expect(call).toMatchObject({ method: 'POST', path: '/payments', idempotenceKey: order.paymentId });
    expect(call?.body).toEqual({
      amount: { value: '490.05', currency: 'RUB' },
      capture: true,
      confirmation: { type: 'redirect', return_url: order.returnUrl },
      description: order.description,
      metadata: { order_id: order.paymentId },
      receipt: {
        customer: { email: 'buyer@example.com' },
        tax_system_code: 2,
        items: [
          {
            description: 'Пакет «Примерка»: 10 звёзд',
            quantity: 1,
            amount: { value: '490.05', currency: 'RUB' },
            vat_code: 11,
            payment_mode: 'full_prepayment',
            payment_subject: 'payment',
            measure: 'piece',
          },
        ],
      },
    });
  });

  const unclear: Fault[] = [
    { kind: 'error' },
    { kind: 'html' },
    { kind: 'hang' },
    { kind: 'cut' },
    { kind: 'lose_answer' },
  ];
  it.each(unclear)('after $kind the same key goes on with the same payment', async (fault) => {
    const order = newPaymentOf();
    yookassa.failNext(fault);
    const hasty = fault.kind === 'hang' ? create({ timeoutMs: 300 }) : provider;
    await expect(hasty.checkout.create(order)).rejects.toThrow(PaymentProviderUnavailableError);
    const opened = await provider.checkout.create(order);
    const ofOrder = [...yookassa.payments.values()].filter(({ metadata }) => metadata.order_id === order.paymentId);
    expect(ofOrder.map(({ id }) => id)).toEqual([opened.providerPaymentId]);
  });

  it.each([
    [400, 'invalid_request'],
    [404, 'not_found'],
  ])('%i is a refusal with its reason', async (status, code) => {
    yookassa.failNext({ kind: 'refuse', status, code });
    const refused = await provider.checkout.create(newPaymentOf()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PaymentRefusedError);
    expect(refused).toMatchObject({ reason: `${status} ${code}` });
  });

  it.each([
    [401, 'invalid_credentials'],
    [403, 'forbidden'],
    [405, 'method_not_allowed'],
    [415, 'unsupported_media_type'],
    [429, 'too_many_requests'],
  ])('%i leaves the outcome of the payment open: the same key continues it', async (status, code) => {
    const order = newPaymentOf();
    yookassa.failNext({ kind: 'refuse', status, code });
    await expect(provider.checkout.create(order)).rejects.toThrow(PaymentProviderUnavailableError);
    expect(await provider.checkout.create(order)).toMatchObject({ paymentId: order.paymentId, status: 'pending' });
  });

  it('the same key with another order is refused', async () => {
    const order = newPaymentOf();
    await provider.checkout.create(order);
    await expect(provider.checkout.create({ ...order, buyerEmail: 'other@example.com' })).rejects.toThrow(
      PaymentRefusedError,
    );
  });

  it('a payment counts as paid only when it succeeded and is paid, and as a test when it says so', async () => {
    const { providerPaymentId } = await provider.checkout.create(newPaymentOf());
    const payment = yookassa.payments.get(providerPaymentId);
    for (const [fields, status] of [
      [{ status: 'waiting_for_capture', paid: true }, 'pending'],
      [{ status: 'succeeded', paid: false }, 'pending'],
      [{ status: 'succeeded', paid: true }, 'succeeded'],
    ] as const) {
      Object.assign(payment ?? {}, fields);
      expect(await provider.checkout.fetch(providerPaymentId)).toMatchObject({ status, isTest: true });
    }
    Object.assign(payment ?? {}, { test: undefined });
    expect(await provider.checkout.fetch(providerPaymentId)).toMatchObject({ isTest: false });
    expect(create({ isTest: false }).isTest).toBe(false);
    expect(provider.isTest).toBe(true);
  });

  it('other events of a shop are genuine and ignored', () => {
    const notification = { type: 'notification', event: 'payout.succeeded', object: { id: 'po-1' } };
    expect(read(provider, notificationOf({ body: JSON.stringify(notification) }))).toEqual({
      notification: { about: 'nothing' },
      answer: { status: 200 },
    });
  });

  it('notifications come from the listed addresses only, and from anywhere when none is listed', () => {
    const listed = create({ webhookAddresses: ['185.71.76.0/27', '77.75.156.11', '2a02:5180::/32'] });
    const body = JSON.stringify({ type: 'notification', event: 'payment.succeeded', object: { id: 'p-1' } });
    const taken = { notification: { about: 'payment', providerPaymentId: 'p-1' }, answer: { status: 200 } };
    for (const ip of ['185.71.76.1', '185.71.76.31', '::ffff:185.71.76.31', '77.75.156.11', '2a02:5180:0:2::9']) {
      expect([ip, read(listed, notificationOf({ body }, ip))]).toEqual([ip, taken]);
    }
    for (const ip of ['185.71.76.32', '77.75.156.12', '127.0.0.1', '::1', '2a02:5181::1', '::ffff:8.8.8.8', '']) {
      expect([ip, read(listed, notificationOf({ body }, ip))]).toEqual([ip, { refusal: 'sender' }]);
      expect(read(provider, notificationOf({ body }, ip))).toEqual(taken);
    }
  });
});

function read({ notifications }: CheckoutProvider, request: NotificationRequest) {
  return notifications?.read(request);
}
