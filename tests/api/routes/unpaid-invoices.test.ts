import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PaymentProviderUnavailableError } from '#api/adapters/payments/payment-provider.ts';
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
const findPayment = (id: string) => harness.app.db.payment.findUniqueOrThrow({ where: { id } });

async function open(packageId = 1, key = randomUUID() as string): Promise<{ invoiceId: string; paymentUrl: string }> {
  const answer = await harness.server.inject({
    method: 'POST',
    url: '/api/payments/create-invoice',
    headers: { cookie: buyer.cookie, 'idempotency-key': key },
    payload: { packageId },
  });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

describe('an unpaid invoice', () => {
  const list = async (cookie = buyer.cookie) =>
    (await get('/api/payments/unpaid-invoices', cookie)).json().invoices.map(({ id }: { id: string }) => id);
  const dismiss = (id: string) =>
    harness.server.inject({
      method: 'POST',
      url: `/api/payments/invoices/${id}/dismiss`,
      headers: { cookie: buyer.cookie },
    });
  const pay = async (id: string) => {
    const { providerPaymentId } = await findPayment(id);
    return harness.yookassa.pay(providerPaymentId ?? '');
  };

  it('is handed out again when the same package is asked for, also by many tabs at once', async () => {
    const keys = Array.from({ length: 8 }, () => randomUUID());
    const opened = await Promise.all(keys.map((key) => open(1, key)));
    expect(new Set(opened.map(({ invoiceId }) => invoiceId)).size).toBe(1);
    expect(new Set(opened.map(({ paymentUrl }) => paymentUrl)).size).toBe(1);
    expect(await open()).toEqual(opened[0]);
    expect((await open(2)).invoiceId).not.toBe(opened[0]?.invoiceId);
    expect(await harness.app.db.payment.count({ where: { accountId: buyer.account.id } })).toBe(2);

    // Each key keeps leading to this invoice.
    await harness.notify(await pay(opened[0]?.invoiceId ?? ''));
    for (const key of keys) expect((await open(1, key)).invoiceId).toBe(opened[0]?.invoiceId);
    expect((await open()).invoiceId).not.toBe(opened[0]?.invoiceId);
  });

  it.each<[change: string, data: object]>([
    ['its link has died', { payableUntil: new Date(Date.now() - 1000) }],
    ['its link is about to die', { payableUntil: new Date(Date.now() + 60_000) }],
    ['it has another price', { amountMinor: 48_000 }],
    ['it has another number of stars', { stars: 9 }],
    ['it is of another provider', { provider: 'sandbox' }],
    ['it is not a test', { isTest: false }],
    ['its buyer has dismissed it', { dismissedAt: new Date() }],
  ])('is not handed out again when %s', async (_change, data) => {
    const { invoiceId } = await open();
    await harness.app.db.payment.update({ where: { id: invoiceId }, data });
    expect((await open()).invoiceId).not.toBe(invoiceId);
  });

  it('that the provider has declined meanwhile makes room for a new one; one that is paid leads to its result', async () => {
    const declined = await open();
    harness.yookassa.cancel((await findPayment(declined.invoiceId)).providerPaymentId ?? '');
    const next = await open();
    expect(next.invoiceId).not.toBe(declined.invoiceId);
    await pay(next.invoiceId);
    const key = randomUUID();
    const resultPage = `${harness.app.config.publicUrl}/payment/success?invoice=${next.invoiceId}`;
    for (const _ of [1, 2]) {
      expect(await open(1, key)).toEqual({ invoiceId: next.invoiceId, paymentUrl: resultPage });
    }
    expect(await findPayment(next.invoiceId)).toMatchObject({ status: 'succeeded' });
  });

  it('is handed out again when the provider cannot be asked about it', async () => {
    const opened = await open();
    harness.yookassa.failNext({ kind: 'error' });
    expect(await open()).toEqual(opened);
  });

  it('is handed out again when the provider says nothing, long before the buyer has lost patience', async () => {
    const opened = await open();
    const limits: number[] = [];
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      limits.push(ms);
      return AbortSignal.abort();
    });
    // Like a real adapter, this ends only for a caller that can give up.
    const [yookassa] = harness.app.payments.offered;
    if (!yookassa) throw new Error('nobody takes money');
    const fetch = vi.spyOn(yookassa.checkout, 'fetch').mockImplementation(async (_id, signal) => {
      if (!signal) await new Promise(() => undefined);
      throw new PaymentProviderUnavailableError('given up');
    });
    try {
      expect(await open()).toEqual(opened);
      expect(fetch).toHaveBeenCalledTimes(1);
      // The result page waits this long for an answer.
      expect(Math.max(...limits)).toBeLessThan(10_000);
    } finally {
      for (const spy of [timeout, fetch]) spy.mockRestore();
    }
  });

  it('is asked about once for many tabs that want the same at once', async () => {
    const { invoiceId } = await open();
    const { providerPaymentId } = await findPayment(invoiceId);
    // The clock stands still, because a busy machine may take longer than the pause between two questions.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    await Promise.all(Array.from({ length: 5 }, () => open()));
    const asked = harness.yookassa.calls.filter(({ path }) => path.endsWith(`/payments/${providerPaymentId}`));
    expect(asked).toHaveLength(1);
  });

  it('is listed with its link until it is paid, dismissed or expired, for its buyer alone', async () => {
    const [first, second, third] = [await open(1), await open(2), await open(3)];
    expect((await get('/api/payments/unpaid-invoices', buyer.cookie)).json().invoices).toMatchObject([
      { id: third.invoiceId, paymentUrl: third.paymentUrl, packageName: 'Показ', stars: 50, amountRub: 1990 },
      { id: second.invoiceId },
      { id: first.invoiceId },
    ]);
    await harness.notify(await pay(first.invoiceId));
    expect((await dismiss(second.invoiceId)).statusCode).toBe(204);
    expect(await list()).toEqual([third.invoiceId]);
    await harness.app.db.payment.update({ where: { id: third.invoiceId }, data: { payableUntil: new Date() } });
    expect(await list()).toEqual([]);
    const stranger = await registerVerified(harness);
    expect(await list(stranger.cookie)).toEqual([]);
  });

  it('can be dismissed any number of times, and not after it is paid', async () => {
    const { invoiceId } = await open();
    for (const _ of [1, 2]) expect((await dismiss(invoiceId)).statusCode).toBe(204);
    const told = harness.logLines.filter((line) => line.action === 'dismiss_invoice' && line.paymentId === invoiceId);
    expect(told).toHaveLength(1);
    expect((await get(`/api/payments/invoices/${invoiceId}`)).json()).toMatchObject({
      status: 'pending',
      isUnpaid: true,
      isDismissed: true,
      paymentUrl: null,
    });
    const { invoiceId: paid } = await open();
    await harness.notify(await pay(paid));
    const late = await dismiss(paid);
    expect([late.statusCode, late.json().code]).toEqual([409, 'invoice_paid']);
  });

  it('that was dismissed is still credited and announced when it is paid', async () => {
    const { invoiceId } = await open();
    await dismiss(invoiceId);
    const notification = await pay(invoiceId);
    const [told] = await Promise.all([harness.notify(notification), dismiss(invoiceId)]);
    expect(told).toBe(200);
    expect(await findPayment(invoiceId)).toMatchObject({ status: 'succeeded' });
    expect((await get('/api/stars/balance', buyer.cookie)).json()).toEqual({ balance: 2 + SMALLEST_PACKAGE.stars });
    const { rows } = await harness.database.pool.query(
      "SELECT data FROM pgboss.job WHERE name = 'send-receipt' AND data->>'paymentId' = $1",
      [invoiceId],
    );
    expect(rows).toHaveLength(1);
  });
});
