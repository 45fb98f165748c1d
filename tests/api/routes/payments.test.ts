import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { settlePayments } from '#api/services/payments/settle-payments.ts';
import type { Fault } from '#tests/support/fake-yookassa.ts';
import { createPaymentHarness, type PaymentHarness, SMALLEST_PACKAGE } from '#tests/support/payment-harness.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

let harness: PaymentHarness;
let buyer: TestUser;
beforeAll(async () => {
  harness = await createPaymentHarness();
});
beforeEach(async () => {
  buyer = await registerVerified(harness);
});
afterAll(() => harness.close());

const get = (url: string, cookie = '') => harness.server.inject({ url, headers: { cookie } });

function createInvoice(payload: unknown, options: { cookie?: string; key?: string; agreed?: string } = {}) {
  const { cookie = buyer.cookie, key, agreed } = options;
  return harness.server.inject({
    method: 'POST',
    url: '/api/payments/create-invoice',
    headers: {
      cookie,
      'content-type': 'application/json',
      ...(key ? { 'idempotency-key': key } : {}),
      ...(agreed ? { 'x-agreed-price': agreed } : {}),
    },
    payload: JSON.stringify(payload) ?? '',
  });
}

const withKey = (key: string) => ({ keys: { some: { key } } });
const findPayment = (id: string) => harness.app.db.payment.findUniqueOrThrow({ where: { id } });

describe('an invoice', () => {
  it('is opened at the provider for what the package costs, whatever the client says of price, stars and buyer', async () => {
    const answer = await createInvoice({ packageId: 1, priceRub: 1, stars: 1000, userId: 3, accountId: 3 });
    expect(answer.statusCode).toBe(200);
    const { paymentUrl, invoiceId } = answer.json();
    const payment = await findPayment(invoiceId);
    expect(payment).toMatchObject({
      accountId: buyer.account.id,
      packageId: 1,
      packageName: 'Примерка',
      stars: 10,
      amountMinor: 49_000,
      status: 'pending',
      provider: 'yookassa',
      isTest: true,
      paymentUrl,
    });
    expect(harness.yookassa.payments.get(payment.providerPaymentId ?? '')).toMatchObject({
      amount: { value: '490.00', currency: 'RUB' },
      metadata: { order_id: invoiceId },
      confirmation: {
        confirmation_url: paymentUrl,
        return_url: `${harness.app.config.publicUrl}/payment/success?invoice=${invoiceId}`,
      },
    });
  });

  it.each([
    [undefined],
    [{}],
    [{ packageId: '1' }],
    [{ packageId: 1.5 }],
    [{ packageId: 1e12 }],
    [{ packageId: null }],
    [[]],
  ])('%j is 400', async (payload) => {
    expect((await createInvoice(payload)).statusCode).toBe(400);
  });

  it('of a package that is unknown or no longer sold is 400', async () => {
    const hidden = await harness.app.db.starPackage.create({
      data: { name: 'Архив', stars: 5, priceKopecks: 100, isActive: false },
    });
    for (const packageId of [0, -1, 999, hidden.id]) {
      const answer = await createInvoice({ packageId });
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'package_unknown']);
    }
  });

  it('is opened for the price in kopecks that the buyer has seen and for no other', async () => {
    const { db } = harness.app;
    const { id: packageId } = await db.starPackage.create({ data: { name: 'Дороже', stars: 3, priceKopecks: 9950 } });
    const asked = { key: randomUUID() };
    const at = (agreed: string, more = asked) => createInvoice({ packageId }, { ...more, agreed });
    for (const seen of ['9949', '9951', '99', '0']) {
      const refused = await at(seen);
      expect([refused.statusCode, refused.json().code]).toEqual([409, 'price_changed']);
      expect(refused.json().message).toMatch(/^Цена пакета изменилась/);
    }
    for (const nonsense of ['99.50', '-1', 'дорого', '99999999999']) expect((await at(nonsense)).statusCode).toBe(400);
    expect(await db.payment.count({ where: { packageId } })).toBe(0);

    const opened = (await at('9950')).json();
    expect(await findPayment(opened.invoiceId)).toMatchObject({ amountMinor: 9950 });
    await db.starPackage.update({ where: { id: packageId }, data: { priceKopecks: 12_000 } });
    // The invoice keeps the agreed price, although the package has another one now.
    expect((await at('9950')).json()).toEqual(opened);
    expect((await at('12000')).json().code).toBe('price_changed');
    expect((await at('9950', { key: randomUUID() })).json().code).toBe('price_changed');
    await db.starPackage.update({ where: { id: packageId }, data: { isActive: false } });
  });

  it('stays one under its key, sent twice or twenty times at once', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => createInvoice({ packageId: 2 }, { key })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    const bodies = [...answers, await createInvoice({ packageId: 2 }, { key })].map((answer) => answer.body);
    expect(new Set(bodies).size).toBe(1);
    expect(await harness.app.db.payment.count({ where: withKey(key) })).toBe(1);
  });

  it('of another package under the same key is 409; another person’s key is another key', async () => {
    const key = randomUUID();
    const first = (await createInvoice({ packageId: 1 }, { key })).json();
    const other = await createInvoice({ packageId: 2 }, { key });
    expect([other.statusCode, other.json().code]).toEqual([409, 'idempotency_key_reused']);
    const { cookie } = await registerVerified(harness);
    const foreign = await createInvoice({ packageId: 2 }, { key, cookie });
    expect(foreign.statusCode).toBe(200);
    expect(foreign.json().invoiceId).not.toBe(first.invoiceId);
  });

  it('that no provider can be reached for is 502, with a line for each payment', async () => {
    // Nothing listens on port 1.
    const unreachable = await createPaymentHarness({ YOOKASSA_API_URL: 'http://127.0.0.1:1' });
    try {
      const accounts = await Promise.all([registerVerified(unreachable), registerVerified(unreachable)]);
      for (const { cookie } of accounts) {
        const answer = await unreachable.server.inject({
          method: 'POST',
          url: '/api/payments/create-invoice',
          headers: { cookie },
          payload: { packageId: 1 },
        });
        expect([answer.statusCode, answer.json().code]).toEqual([502, 'payment_not_created']);
      }
      const payments = await unreachable.app.db.payment.findMany({ select: { id: true } });
      const told = unreachable.logLines.filter(({ msg }) => msg === 'an invoice could not be opened');
      expect(told.map(({ paymentId }) => paymentId).toSorted()).toEqual(payments.map(({ id }) => id).toSorted());
      expect(told).toHaveLength(2);
    } finally {
      await unreachable.close();
    }
  });

  const faults: Fault[] = [
    { kind: 'error' },
    { kind: 'html' },
    { kind: 'cut' },
    { kind: 'lose_answer' },
    { kind: 'refuse', status: 400, code: 'invalid_request' },
    { kind: 'refuse', status: 429, code: 'too_many_requests' },
  ];
  it.each(faults)(
    'that the provider fails on ($kind $status) is 502, is not lost and goes on under its key',
    async (fault) => {
      const key = randomUUID();
      harness.yookassa.failNext(fault);
      const failed = await createInvoice({ packageId: 1 }, { key });
      expect([failed.statusCode, failed.json()]).toMatchObject([
        502,
        { code: 'payment_not_created', message: 'Не удалось создать платеж' },
      ]);
      const [written] = await harness.app.db.payment.findMany({ where: withKey(key) });
      const again = await createInvoice({ packageId: 1 }, { key });
      expect(again.json()).toMatchObject({ invoiceId: written?.id });
      expect(await findPayment(again.json().invoiceId)).toMatchObject({ status: 'pending', cancellationReason: null });
      const atProvider = [...harness.yookassa.payments.values()].filter(
        ({ metadata }) => metadata.order_id === written?.id,
      );
      expect(atProvider).toHaveLength(1);
    },
  );

  it('that is decided leads to its result instead of a page to pay on', async () => {
    const key = randomUUID();
    const { invoiceId, paymentUrl } = (await createInvoice({ packageId: 1 }, { key })).json();
    const { providerPaymentId } = await findPayment(invoiceId);
    await harness.notify(harness.yookassa.cancel(providerPaymentId ?? ''));
    const again = (await createInvoice({ packageId: 1 }, { key })).json();
    const resultPage = `${harness.app.config.publicUrl}/payment/success?invoice=${invoiceId}`;
    expect(again).toEqual({ invoiceId, paymentUrl: resultPage });
    expect(paymentUrl).not.toBe(resultPage);
  });

  it('is refused while ten others wait to be paid, also in parallel requests', async () => {
    const packages = await harness.app.db.starPackage.createManyAndReturn({
      data: Array.from({ length: 12 }, (_, index) => ({ name: `№ ${index}`, stars: 1, priceKopecks: 100 })),
    });
    const answers = await Promise.all(
      packages.map(({ id: packageId }) => createInvoice({ packageId }, { key: randomUUID() })),
    );
    await harness.app.db.starPackage.updateMany({
      where: { id: { in: packages.map(({ id }) => id) } },
      data: { isActive: false },
    });
    const refused = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(refused.map((answer) => [answer.statusCode, answer.json().code])).toEqual([
      [409, 'too_many_invoices'],
      [409, 'too_many_invoices'],
    ]);
    const { invoiceId } = answers.find(({ statusCode }) => statusCode === 200)?.json() ?? {};
    const { providerPaymentId } = await findPayment(invoiceId);
    await harness.notify(harness.yookassa.pay(providerPaymentId ?? ''));
    expect((await createInvoice({ packageId: 1 })).statusCode).toBe(200);
  });

  it('may be opened 60 times a minute at most', async () => {
    // The limit counts per minute. The clock stands still, because a busy machine may take longer than that.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const answers = await Promise.all(Array.from({ length: 65 }, () => createInvoice({ packageId: 1 }, { key: 'k' })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([
      ...Array.from({ length: 60 }, () => 200),
      ...Array.from({ length: 5 }, () => 429),
    ]);
  });

  it('may be asked about by its buyer, and by a visitor who knows its id, but by no other account', async () => {
    const { invoiceId } = (await createInvoice({ packageId: 3 })).json();
    const answer = await get(`/api/payments/invoices/${invoiceId}`);
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        id: invoiceId,
        status: 'pending',
        packageName: 'Показ',
        stars: 50,
        amountRub: 1990,
        createdAt: expect.stringMatching(/^\d{4}-/),
        paymentUrl: expect.stringMatching(/^https:/),
        payableUntil: expect.stringMatching(/^\d{4}-/),
        isUnpaid: true,
        isDismissed: false,
      },
    ]);
    expect((await get(`/api/payments/invoices/${invoiceId}`, buyer.cookie)).statusCode).toBe(200);
    const { cookie } = await registerVerified(harness);
    const refused = await get(`/api/payments/invoices/${invoiceId}`, cookie);
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      { code: 'invoice_forbidden', message: expect.stringMatching(/другому аккаунту/) },
    ]);
    for (const id of [randomUUID(), 'nothing', '1']) {
      expect((await get(`/api/payments/invoices/${id}`)).json().code).toBe('invoice_not_found');
    }
    expect((await get('/api/payments/last-invoice', buyer.cookie)).json().invoice.id).toBe(invoiceId);
    expect((await get('/api/payments/last-invoice', cookie)).json()).toEqual({ invoice: null });
  });

  it('that is read is checked at the provider, so that nobody waits for a late notification', async () => {
    const { invoiceId, providerPaymentId } = await harness.openInvoice(buyer.account.id);
    const look = async () => (await get(`/api/payments/invoices/${invoiceId}`)).json();
    const letTimePass = (ms: number) =>
      harness.app.db.payment.update({ where: { id: invoiceId }, data: { checkedAt: new Date(Date.now() - ms) } });
    harness.yookassa.pay(providerPaymentId);
    harness.yookassa.failNext({ kind: 'error' });
    expect(await look()).toMatchObject({ status: 'pending', isUnpaid: false });
    // With this time of the last check another request counts as asking at this moment.
    await letTimePass(-60_000);
    expect(await look()).toMatchObject({ status: 'pending', isUnpaid: false });
    await letTimePass(2000);
    expect(await look()).toMatchObject({ status: 'succeeded', isUnpaid: false, paymentUrl: null, payableUntil: null });
  });

  it('of a buyer who has come back without paying is reported as unpaid at once, but not while the money is on its way', async () => {
    const { invoiceId, paymentUrl } = (await createInvoice({ packageId: 1 })).json();
    expect((await get(`/api/payments/invoices/${invoiceId}`)).json()).toMatchObject({ isUnpaid: true, paymentUrl });
    const { providerPaymentId } = await findPayment(invoiceId);
    Object.assign(harness.yookassa.payments.get(providerPaymentId ?? '') ?? {}, { status: 'waiting_for_capture' });
    await harness.app.db.payment.update({ where: { id: invoiceId }, data: { checkedAt: null } });
    expect((await get('/api/payments/last-invoice', buyer.cookie)).json().invoice).toMatchObject({
      id: invoiceId,
      status: 'pending',
      isUnpaid: false,
    });
  });
});

describe('the sweep', () => {
  const sweep = () => settlePayments(harness.app, new AbortController().signal);
  const makeOlder = (id: string, ms: number) =>
    harness.app.db.payment.update({ where: { id }, data: { createdAt: new Date(Date.now() - ms), checkedAt: null } });

  it('books what no notification told', async () => {
    const { account } = await registerVerified(harness);
    const [paid, canceled] = [await harness.openInvoice(account.id, 1), await harness.openInvoice(account.id, 2)];
    harness.yookassa.pay(paid.providerPaymentId);
    harness.yookassa.cancel(canceled.providerPaymentId, 'expired_on_confirmation');
    await sweep();
    expect(await findPayment(paid.invoiceId)).toMatchObject({ status: 'pending' });
    for (const { invoiceId } of [paid, canceled]) await makeOlder(invoiceId, 2 * 60_000);
    await sweep();
    expect(await findPayment(paid.invoiceId)).toMatchObject({ status: 'succeeded' });
    expect(await findPayment(canceled.invoiceId)).toMatchObject({
      status: 'canceled',
      cancellationReason: 'expired_on_confirmation',
    });
    expect(await harness.app.db.account.findUniqueOrThrow({ where: { id: account.id } })).toMatchObject({
      starBalance: 2 + SMALLEST_PACKAGE.stars,
    });
  });

  it('opens again what was never answered, under the same key, and cancels it after a day', async () => {
    const leaveUnanswered = async (packageId: number) => {
      const key = randomUUID();
      harness.yookassa.failNext({ kind: 'lose_answer' });
      expect((await createInvoice({ packageId }, { key })).statusCode).toBe(502);
      return (await harness.app.db.payment.findFirstOrThrow({ where: withKey(key) })).id;
    };
    const [young, old] = [await leaveUnanswered(1), await leaveUnanswered(2)];
    await makeOlder(young, 2 * 60_000);
    await makeOlder(old, 25 * 3_600_000);
    await sweep();
    const opened = await findPayment(young);
    expect(harness.yookassa.payments.get(opened.providerPaymentId ?? '')?.metadata.order_id).toBe(young);
    expect(await findPayment(old)).toMatchObject({ status: 'canceled', cancellationReason: 'never_opened' });
  });

  it('leaves everything as it is while the provider cannot be reached', async () => {
    const { invoiceId } = await harness.openInvoice(buyer.account.id);
    await makeOlder(invoiceId, 2 * 60_000);
    harness.yookassa.failNext({ kind: 'error' });
    await sweep();
    expect(await findPayment(invoiceId)).toMatchObject({ status: 'pending' });
  });
});
