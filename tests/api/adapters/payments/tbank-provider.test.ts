import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type CheckoutProvider,
  PaymentProviderUnavailableError,
  PaymentRefusedError,
  type ProviderRefund,
} from '#api/adapters/payments/payment-provider.ts';
import { parseMessage, signMessage } from '#api/adapters/payments/tbank/messages.ts';
import { createTbankProvider, type TbankOptions } from '#api/adapters/payments/tbank/tbank-provider.ts';
import { createFakeTbank, FAKE_TERMINAL, type FakeTbank, type TbankFault } from '#tests/support/fake-tbank.ts';
import { describePaymentProvider, newPaymentOf, newRefundOf, notificationOf } from './payment-provider.contract.ts';

const NOTIFICATION_URL = 'https://podium.example/api/payments/webhook/tbank';
const HEARD = { status: 200, contentType: 'text/plain', body: 'OK' };

let tbank: FakeTbank;
let provider: CheckoutProvider;

beforeAll(async () => {
  tbank = await createFakeTbank();
  provider = create();
});
afterEach(() => {
  tbank.recover();
  tbank.answerRefunds('succeeded');
  tbank.refuseRepeatedOrders(true);
});
afterAll(() => tbank.close());

function create(options: Partial<TbankOptions> = {}): CheckoutProvider {
  return createTbankProvider({
    ...FAKE_TERMINAL,
    apiUrl: tbank.apiUrl,
    notificationUrl: NOTIFICATION_URL,
    receipt: { vatCode: 1, subject: 'service', mode: 'full_payment', taxSystem: 2 },
    ...options,
  });
}

const findAtBank = (id: string) => {
  const payment = tbank.payments.get(id);
  if (!payment) throw new Error(`the fake has no ${id}`);
  return payment;
};
const read = (body: string) => provider.notifications?.read(notificationOf({ body }));
const submit = (...refund: Parameters<typeof newRefundOf>) => {
  if (!provider.refunds) throw new Error('T-Bank gives no money back');
  return provider.refunds.submit(newRefundOf(...refund));
};
const lookUp = (id: string, booked: ProviderRefund[] = []) => {
  const payment = { providerPaymentId: id, amountMinor: 49_000, booked };
  return {
    fetch: (refund: ProviderRefund) => provider.refunds?.lookup?.fetch(refund.providerRefundId, payment),
    list: () => provider.refunds?.lookup?.list(payment),
  };
};
async function createPaid() {
  const payment = await provider.checkout.create(newPaymentOf());
  tbank.pay(payment.providerPaymentId);
  return payment;
}

describe('T-Bank', () => {
  describePaymentProvider(() => ({
    provider,
    pay: async (id) => void tbank.pay(id),
    decline: async (id) => void tbank.expire(id),
    notifications: () => tbank.notifications.map((body) => ({ body })),
    answer: HEARD,
    lacks: { idempotence: true, pageAgain: true, refundIds: true, expiry: false, refundLookup: false },
    orderIds: {
      maxLength: 36,
      sent: () => tbank.calls.flatMap(({ body: { OrderId } }) => (OrderId ? [String(OrderId)] : [])),
    },
  }));

  it('gets requests in its own format, with a receipt by 54-ФЗ and a signature', async () => {
    const receipt = { vatCode: 11, subject: 'payment', mode: 'full_prepayment' as const, taxSystem: 6 };
    const payment = newPaymentOf(49_005);
    const { payableUntil } = await create({ receipt }).checkout.create(payment);
    const { method, body } = tbank.calls.at(-1) ?? {};
    expect(method).toBe('Init');
    expect(body).toEqual({
      TerminalKey: FAKE_TERMINAL.terminalKey,
      Amount: 49_005,
      OrderId: payment.paymentId,
      Description: payment.description,
      PayType: 'O',
      Language: 'ru',
      NotificationURL: NOTIFICATION_URL,
      SuccessURL: payment.returnUrl,
      FailURL: payment.returnUrl,
      RedirectDueDate: expect.stringMatching(/\+03:00$/),
      Receipt: {
        FfdVersion: '1.2',
        Email: 'buyer@example.com',
        Taxation: 'patent',
        Items: [
          {
            Name: 'Пакет «Примерка»: 10 звёзд',
            Price: 49_005,
            Quantity: 1,
            Amount: 49_005,
            Tax: 'vat22',
            PaymentMethod: 'full_prepayment',
            PaymentObject: 'payment',
            MeasurementUnit: 'шт',
          },
        ],
      },
      Token: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(Date.parse(String(body?.RedirectDueDate))).toBe(payableUntil?.getTime());
  });

  it('gets no address for notifications when our server cannot be reached', async () => {
    await create({ notificationUrl: null }).checkout.create(newPaymentOf());
    expect(tbank.calls.at(-1)?.body).not.toHaveProperty('NotificationURL');
  });

  it.each([
    [{ kind: 'error' }],
    [{ kind: 'html' }],
    [{ kind: 'hang' }],
    [{ kind: 'cut' }],
    [{ kind: 'lose_answer' }],
    ...['99', '202', '204', '205', '501', '9999'].map((code) => [{ kind: 'refuse', code }]),
  ] as TbankFault[][])(
    'after %j the outcome of the payment is unknown, and the call may be repeated',
    async (fault) => {
      const payment = newPaymentOf();
      tbank.failNext(...(fault ? [fault] : []));
      const hasty = fault?.kind === 'hang' ? create({ timeoutMs: 300 }) : provider;
      await expect(hasty.checkout.create(payment)).rejects.toThrow(PaymentProviderUnavailableError);
      expect(await provider.checkout.create(payment)).toMatchObject({
        paymentId: payment.paymentId,
        awaitsBuyer: true,
      });
    },
  );

  it('refuses in its own words, and after a wrong password the outcome is unknown', async () => {
    tbank.failNext({ kind: 'refuse', code: '308', message: 'Поле Receipt' });
    const refused = await provider.checkout.create(newPaymentOf()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PaymentRefusedError);
    expect(refused).toMatchObject({ reason: '308 Поле Receipt' });
    const stranger = create({ password: 'another-password' });
    await expect(stranger.checkout.create(newPaymentOf())).rejects.toThrow(PaymentProviderUnavailableError);
    await expect(stranger.checkout.fetch('4000000001')).rejects.toThrow(PaymentProviderUnavailableError);
    await expect(stranger.checkout.check()).rejects.toThrow(PaymentProviderUnavailableError);
  });

  it.each([true, false])(
    'opens another page after a lost answer, where used order ids are refused: %s',
    async (refuses) => {
      tbank.refuseRepeatedOrders(refuses);
      const payment = newPaymentOf();
      tbank.failNext({ kind: 'lose_answer' });
      await expect(provider.checkout.create(payment)).rejects.toThrow(PaymentProviderUnavailableError);
      expect(await provider.checkout.create(payment)).toMatchObject({
        paymentId: payment.paymentId,
        awaitsBuyer: true,
      });
      const orders = tbank.calls.filter(({ body }) => String(body.Description).endsWith(payment.paymentId));
      for (const { body } of orders) expect(String(body.OrderId).length).toBeLessThanOrEqual(36);
      expect(orders).toHaveLength(refuses ? 3 : 2);
    },
  );

  it.each([
    ['NEW', 'pending', true],
    ['FORM_SHOWED', 'pending', true],
    ['REJECTED', 'pending', true],
    ['AUTH_FAIL', 'pending', true],
    ['AUTHORIZING', 'pending', false],
    ['3DS_CHECKING', 'pending', false],
    ['AUTHORIZED', 'pending', false],
    ['CONFIRMING', 'pending', false],
    ['SOMETHING_NEW', 'pending', false],
    ['CONFIRMED', 'succeeded', false],
    ['REFUNDING', 'succeeded', false],
    ['ASYNC_REFUNDING', 'succeeded', false],
    ['PARTIAL_REFUNDED', 'succeeded', false],
    ['REFUNDED', 'succeeded', false],
    ['CANCELED', 'canceled', false],
    ['REVERSED', 'canceled', false],
    ['DEADLINE_EXPIRED', 'canceled', false],
  ] as const)('%s is %s, and waits for the buyer: %s', async (Status, status, awaitsBuyer) => {
    const { providerPaymentId } = await provider.checkout.create(newPaymentOf());
    findAtBank(providerPaymentId).Status = Status;
    expect(await provider.checkout.fetch(providerPaymentId)).toMatchObject({ status, awaitsBuyer });
  });

  it('no longer says what was paid after a partial refund', async () => {
    const { providerPaymentId } = await createPaid();
    expect(await provider.checkout.fetch(providerPaymentId)).toMatchObject({ amountMinor: 49_000 });
    tbank.refundByHand(providerPaymentId, 100);
    expect(await provider.checkout.fetch(providerPaymentId)).toMatchObject({ status: 'succeeded', amountMinor: null });
  });

  it('has test terminals', () => {
    expect(provider.isTest).toBe(true);
    expect(create({ isTest: false }).isTest).toBe(false);
  });
});

describe('a refund of T-Bank', () => {
  it('of everything goes without a receipt, a part with one of its own', async () => {
    const [whole, parts] = [await createPaid(), await createPaid()];
    await submit(whole, 49_000);
    expect(tbank.calls.at(-1)).toMatchObject({ method: 'Cancel', body: { Amount: 49_000 } });
    expect(tbank.calls.at(-1)?.body).not.toHaveProperty('Receipt');
    const refundId = randomUUID();
    await submit(parts, 20_000, { refundId });
    expect(tbank.calls.at(-1)?.body).toMatchObject({
      PaymentId: parts.providerPaymentId,
      Amount: 20_000,
      ExternalRequestId: refundId,
      Receipt: { Taxation: 'usn_income', Items: [{ Price: 20_000, Amount: 20_000 }] },
    });
  });

  it('whose answer gets lost is made once, even when it is requested again', async () => {
    const payment = await createPaid();
    const refundId = randomUUID();
    tbank.failNext({ method: 'Cancel', kind: 'lose_answer' });
    await expect(submit(payment, 20_000, { refundId })).rejects.toThrow(PaymentProviderUnavailableError);
    for (let again = 0; again < 3; again++) {
      expect(await submit(payment, 20_000, { refundId })).toMatchObject({ status: 'succeeded', amountMinor: 20_000 });
    }
    expect(findAtBank(payment.providerPaymentId).left).toBe(29_000);
  });

  it('that takes time is pending until the bank makes or refuses it', async () => {
    for (const end of ['succeeded', 'canceled'] as const) {
      const payment = await createPaid();
      const id = payment.providerPaymentId;
      const first = await submit(payment, 9_000);
      tbank.answerRefunds('pending');
      const second = await submit(payment, 20_000, { booked: [first] });
      expect(second.status).toBe('pending');
      expect(await lookUp(id, [first]).fetch(second)).toEqual(second);
      expect(await lookUp(id, [first]).list()).toEqual([first]);
      tbank.endRefund(id, end);
      expect(await lookUp(id, [first]).fetch(second)).toEqual({ ...second, status: end });
      tbank.answerRefunds('succeeded');
    }
  });

  it('made by hand is the refunded amount beyond the booked refunds', async () => {
    const payment = await createPaid();
    const id = payment.providerPaymentId;
    const ours = await submit(payment, 9_000);
    tbank.refundByHand(id, 15_000);
    const all = await lookUp(id, [ours]).list();
    expect(all).toEqual([ours, expect.objectContaining({ status: 'succeeded', amountMinor: 15_000 })]);
    tbank.refundByHand(id, 25_000);
    const later = await lookUp(id, all).list();
    expect(later).toEqual([...(all ?? []), expect.objectContaining({ status: 'succeeded', amountMinor: 25_000 })]);
    expect(new Set(later?.map(({ providerRefundId }) => providerRefundId)).size).toBe(3);
  });

  it('that the bank refuses, or whose payment it does not know, is refused', async () => {
    tbank.answerRefunds('canceled');
    await expect(submit(await createPaid(), 20_000)).rejects.toThrow(PaymentRefusedError);
    await expect(submit({ providerPaymentId: '1', amountMinor: 49_000 }, 100)).rejects.toThrow(PaymentRefusedError);
  });
});

describe('a signature of T-Bank', () => {
  it.each([
    [
      '72dd466f8ace0a37a1f740ce5fb78101712bc0665d91a8108c7c8a0ccd426db2',
      '11111111111111',
      {
        TerminalKey: 'MerchantTerminalKey',
        Amount: 19_200,
        OrderId: '00000',
        Description: 'Подарочная карта на 1000 рублей',
        DATA: { Phone: '+7' },
        Receipt: { Items: [] },
        Token: 'x',
      },
    ],
    [
      '38881719f51ca7f84ad2846655ee38f0ce41dae2ac05a8ec24cf39d5e4bc78ba',
      'secret',
      { TerminalKey: 'TESTDEMO', PaymentId: '13660' },
    ],
    [
      'c7d10d504e0fe4ce5c41626bcc6fc34bf811cc4d3348b5ba4b60bf037585aace',
      'secret',
      {
        TerminalKey: 'TESTDEMO',
        OrderId: '21050',
        Success: true,
        Status: 'CONFIRMED',
        PaymentId: 13_660,
        ErrorCode: '0',
        Amount: 100_000,
        CardId: 10_452_089,
        Pan: '430000******0777',
        ExpDate: '0124',
      },
    ],
  ])('is %s', (token, password, message) => {
    expect(signMessage(message, password)).toBe(token);
  });

  it('covers numbers as they were written, with any number of digits', () => {
    const text = '{"PaymentId":12345678901234567891,"Amount":100.0,"Nested":{"a":1e2}}';
    expect(parseMessage(text)).toEqual({ PaymentId: '12345678901234567891', Amount: '100.0', Nested: { a: '1e2' } });
    for (const none of ['', '[]', 'null', '1', '{']) expect(parseMessage(none)).toBeNull();
  });
});

describe('a notification of T-Bank', () => {
  const told = (extra: Record<string, unknown> = {}) => tbank.tell(id, extra);
  let id: string;
  beforeAll(async () => {
    id = (await createPaid()).providerPaymentId;
  });

  it('is accepted with any fields that the bank adds, and answered with OK', () => {
    const payment = { notification: { about: 'payment', providerPaymentId: id }, answer: HEARD };
    expect(read(told())).toEqual(payment);
    expect(read(told({ RebillId: 145_919, SpAccumulationId: '7', Nothing: null, Data: { a: 1 } }))).toEqual(payment);
    expect(read(told({ PaymentId: String(id) }))).toEqual(payment);
    expect(read(told({ Status: 'REFUNDED' }))).toMatchObject({
      notification: { about: 'refund', providerRefundId: null },
    });
  });

  it('about a linked card is genuine and ignored', () => {
    expect(read(told({ PaymentId: undefined, NotificationType: 'LINKCARD' }))).toEqual({
      notification: { about: 'nothing' },
      answer: HEARD,
    });
  });

  it('is refused when it was changed on its way, is unsigned, or names another terminal', () => {
    const genuine = JSON.parse(told()) as Record<string, unknown>;
    for (const change of [
      { Amount: 1 },
      { Status: 'REFUNDED' },
      { PaymentId: 1 },
      { Extra: 'x' },
      { Token: undefined },
      { Token: '' },
      { Token: 'a'.repeat(64) },
      { Token: { length: 64 } },
    ]) {
      expect([change, read(JSON.stringify({ ...genuine, ...change }))]).toEqual([change, { refusal: 'sender' }]);
    }
    expect(read(told({ TerminalKey: 'Another' }))).toEqual({ refusal: 'sender' });
  });
});
