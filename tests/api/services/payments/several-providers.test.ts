import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAppContext } from '#api/app-context.ts';
import { ConfigError } from '#api/config/config.ts';
import { readBooks } from '#api/services/administration/books.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { createInvoice, getInvoice, listUnpaidInvoices } from '#api/services/payments/invoices.ts';
import { openInvoice } from '#api/services/payments/open-invoice.ts';
import { requestRefund } from '#api/services/payments/refunds.ts';
import { warnOfUnreachable } from '#api/services/payments/settle-payments.ts';
import { createAccount } from '#tests/support/factories.ts';
import { createFakeEngine } from '#tests/support/fake-engine.ts';
import {
  createPaymentHarness,
  fakeProviderEnv,
  type PaymentHarness,
  restartWith,
  SMALLEST_PACKAGE,
  sweepEverything,
} from '#tests/support/payment-harness.ts';

const ADMIN_ID = 3;

let harness: PaymentHarness;
let accountId: number;
beforeAll(async () => {
  harness = await createPaymentHarness({ PAYMENTS: 'yookassa,tbank' });
});
beforeEach(async () => {
  harness.tbank.answerRefunds('succeeded');
  harness.tbank.notifications.length = 0;
  accountId = (await createAccount(harness.app, { stars: 0 })).id;
});
afterAll(() => harness.close());

const findPayment = (id: string) => harness.app.db.payment.findUniqueOrThrow({ where: { id } });
const open = (provider?: string, more: { packageId?: number; key?: string } = {}) => {
  const { packageId = 1, key: idempotencyKey = null } = more;
  return createInvoice(harness.app, { accountId, packageId, idempotencyKey, provider });
};
const notifyTbank = (body: string) => harness.notify(body, { provider: 'tbank' });
const refundOf = (app: AppContext, paymentId: string, amountMinor: number | null = null) =>
  requestRefund(app, { paymentId, amountMinor, reason: 'Не понравилось', adminId: ADMIN_ID, idempotencyKey: null });

async function readBalance() {
  return (await harness.app.db.account.findUniqueOrThrow({ where: { id: accountId } })).starBalance;
}

const sweep = (app?: AppContext) => sweepEverything(harness, app);

describe('with two providers', () => {
  it('buyers are told of both, the usual one first', async () => {
    const answer = await harness.server.inject({ url: '/api/payments/providers' });
    expect([answer.statusCode, answer.json()]).toEqual([200, { providers: ['yookassa', 'tbank'] }]);
  });

  it('an invoice is opened with the one that the buyer has chosen, else with the usual one', async () => {
    const usual = await open();
    const chosen = await open('tbank');
    expect(await findPayment(usual.invoiceId)).toMatchObject({ provider: 'yookassa', isTest: true });
    expect(await findPayment(chosen.invoiceId)).toMatchObject({ provider: 'tbank', isTest: true });
    expect(chosen.paymentUrl).toMatch(/^https:\/\/pay\.tbank\.example\/new\//);
    // Each provider's invoice is handed out again.
    expect(await open()).toEqual(usual);
    expect(await open('yookassa')).toEqual(usual);
    expect(await open('tbank')).toEqual(chosen);
    expect((await listUnpaidInvoices(harness.app, accountId)).map(({ id }) => id)).toEqual([
      chosen.invoiceId,
      usual.invoiceId,
    ]);
  });

  it.each(['sandbox', 'telegram_stars', 'robokassa', ''])('«%s», which is not offered, opens nothing', async (name) => {
    await expect(open(name)).rejects.toMatchObject({ code: 'payment_provider_unknown' });
    expect(await harness.app.db.payment.count({ where: { accountId } })).toBe(0);
  });

  it('the same key with another provider is another request', async () => {
    const key = randomUUID();
    const first = await open('tbank', { key });
    await expect(open('yookassa', { key })).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect(await open(undefined, { key })).toEqual(first);
  });

  it('a notification to the address of the other one does nothing', async () => {
    const [yookassa, tbank] = [
      await harness.openInvoice(accountId, 1, 'yookassa'),
      await harness.openInvoice(accountId, 1, 'tbank'),
    ];
    const [ofYookassa, ofTbank] = [
      harness.yookassa.pay(yookassa.providerPaymentId),
      harness.tbank.pay(tbank.providerPaymentId),
    ];
    expect(await harness.notify(ofYookassa, { provider: 'tbank' })).toBe(400);
    expect(await harness.notify(ofTbank, { provider: 'yookassa' })).toBe(400);
    // A stranger may know the id of a payment, but not the password.
    const forged = { ...JSON.parse(ofTbank), PaymentId: yookassa.providerPaymentId };
    expect(await harness.notify(forged, { provider: 'tbank' })).toBe(400);
    expect(await harness.notify({ ...JSON.parse(ofTbank), Token: 'x' }, { provider: 'tbank' })).toBe(403);
    expect(await readBalance()).toBe(0);
    expect(await harness.notify(ofYookassa)).toBe(200);
    expect(await notifyTbank(ofTbank)).toBe(200);
    expect(await readBalance()).toBe(2 * SMALLEST_PACKAGE.stars);
  });

  it('one that cannot be reached does not keep the other from being asked', async () => {
    const bad = await Promise.all(
      [1, 2, 3, 4].map((packageId) => harness.openInvoice(accountId, packageId, 'yookassa')),
    );
    const good = await harness.openInvoice(accountId, 1, 'tbank');
    harness.tbank.pay(good.providerPaymentId);
    harness.yookassa.failNext(...bad.map(() => ({ kind: 'error' as const })));
    await sweep();
    harness.yookassa.recover();
    expect(await findPayment(good.invoiceId)).toMatchObject({ status: 'succeeded' });
  });
});

describe('T-Bank', () => {
  it('gets OK, and is believed when its claims are true, in any order', async () => {
    const { invoiceId, providerPaymentId } = await harness.openInvoice(accountId, 1, 'tbank');
    harness.tbank.pay(providerPaymentId);
    const told = harness.tbank.notifications.toReversed();
    expect(told).toHaveLength(2);
    const answers = await Promise.all(
      [...told, ...told].map((payload) =>
        harness.server.inject({
          method: 'POST',
          url: '/api/payments/webhook/tbank',
          payload,
          headers: { 'content-type': 'application/json' },
        }),
      ),
    );
    for (const { statusCode, body, headers } of answers) {
      expect([statusCode, body, headers['content-type']]).toEqual([200, 'OK', 'text/plain']);
    }
    expect(await readBalance()).toBe(SMALLEST_PACKAGE.stars);
    expect(await findPayment(invoiceId)).toMatchObject({ status: 'succeeded', providerPaymentId });
  });

  it('is not believed about a false claim, and is asked again when its answer fails', async () => {
    const { providerPaymentId } = await harness.openInvoice(accountId, 1, 'tbank');
    const claimed = harness.tbank.tell(providerPaymentId, { Status: 'CONFIRMED' });
    expect(await notifyTbank(claimed)).toBe(200);
    expect(await readBalance()).toBe(0);
    const told = harness.tbank.pay(providerPaymentId);
    for (const kind of ['error', 'html', 'cut'] as const) {
      harness.tbank.failNext({ kind });
      expect(await notifyTbank(told)).toBe(503);
    }
    expect(await notifyTbank(told)).toBe(200);
    expect(await readBalance()).toBe(SMALLEST_PACKAGE.stars);
  });

  it('is asked for one page by parallel requests of several servers, and all are led to it', async () => {
    const other = await restartWith(harness, { PAYMENTS: 'tbank', ...fakeProviderEnv(harness, ['tbank']) });
    const idempotencyKey = randomUUID();
    const request = { accountId, packageId: 1, idempotencyKey, provider: 'tbank' };
    const opened = await Promise.all(
      Array.from({ length: 12 }, (_, index) => createInvoice(index % 2 ? other.app : harness.app, request)),
    );
    await other.close();
    expect(new Set(opened.map(({ paymentUrl }) => paymentUrl)).size).toBe(1);
    const { providerPaymentId } = await findPayment(opened[0]?.invoiceId ?? '');
    expect(opened[0]?.paymentUrl).toMatch(new RegExp(`/${providerPaymentId}$`));
  });

  it('opens the page of a tab that read the invoice before the call of another tab was refused', async () => {
    harness.tbank.failNext({ method: 'Init', kind: 'refuse', code: '1051' });
    const key = randomUUID();
    await expect(open('tbank', { key })).rejects.toMatchObject({ code: 'payment_not_created' });
    const refused = await harness.app.db.payment.findFirstOrThrow({ where: { accountId } });
    expect(refused.status).toBe('canceled');
    const readBefore = {
      ...refused,
      status: 'pending' as const,
      refusals: 0,
      cancellationReason: null,
      canceledAt: null,
    };
    const paymentUrl = await openInvoice(harness.app, readBefore);
    const opened = await findPayment(refused.id);
    expect(opened).toMatchObject({ status: 'pending', canceledAt: null, cancellationReason: null, paymentUrl });
    expect(await notifyTbank(harness.tbank.pay(opened.providerPaymentId ?? ''))).toBe(200);
    expect(await readBalance()).toBe(SMALLEST_PACKAGE.stars);
  });

  it('notifies in vain of a page whose answer got lost, and the second page is paid', async () => {
    const before = new Set(harness.tbank.payments.keys());
    harness.tbank.failNext({ method: 'Init', kind: 'lose_answer' });
    const key = randomUUID();
    await expect(open('tbank', { key })).rejects.toMatchObject({ code: 'payment_not_created' });
    const { invoiceId } = await open('tbank', { key });
    const [lost = '', opened = ''] = [...harness.tbank.payments.keys()].filter((id) => !before.has(id));
    const log = harness.logLines.length;
    expect(await notifyTbank(harness.tbank.expire(lost))).toBe(200);
    expect(await findPayment(invoiceId)).toMatchObject({ status: 'pending', providerPaymentId: opened });
    expect(harness.logLines.slice(log).filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
    expect(await notifyTbank(harness.tbank.pay(opened))).toBe(200);
    expect(await readBalance()).toBe(SMALLEST_PACKAGE.stars);
  });

  it('gives money back in parts, at once or later, and what was given back by hand is booked once', async () => {
    const { invoiceId, providerPaymentId } = await harness.openInvoice(accountId, 1, 'tbank');
    await notifyTbank(harness.tbank.pay(providerPaymentId));
    expect(await refundOf(harness.app, invoiceId, 4_900)).toMatchObject({ status: 'succeeded', starsTaken: 1 });
    harness.tbank.answerRefunds('pending');
    expect(await refundOf(harness.app, invoiceId, 9_800)).toMatchObject({ status: 'pending', starsTaken: 2 });
    harness.tbank.endRefund(providerPaymentId, 'succeeded');
    await sweep();
    const byHand = harness.tbank.refundByHand(providerPaymentId, 24_500);
    const told = [...harness.tbank.notifications, byHand, byHand];
    expect(new Set(await Promise.all(told.map(notifyTbank)))).toEqual(new Set([200]));
    expect(await readBalance()).toBe(2);
    const payment = await harness.app.db.payment.findUniqueOrThrow({
      where: { id: invoiceId },
      include: { refunds: true },
    });
    expect(payment.refundedMinor).toBe(39_200);
    expect(payment.refunds.map(({ amountMinor, requestedById }) => [amountMinor, requestedById]).sort()).toEqual([
      [24_500, null],
      [4_900, ADMIN_ID],
      [9_800, ADMIN_ID],
    ]);
    harness.tbank.answerRefunds('succeeded');
    expect(await refundOf(harness.app, invoiceId)).toMatchObject({ status: 'succeeded', amountMinor: 9_800 });
    expect(harness.tbank.payments.get(providerPaymentId)).toMatchObject({ Status: 'REFUNDED', left: 0 });
    expect((await readBooks(harness.app)).discrepancies).toEqual([]);
  });

  it('notifies of a refund before its payment: both are booked', async () => {
    const { invoiceId, providerPaymentId } = await harness.openInvoice(accountId, 1, 'tbank');
    harness.tbank.pay(providerPaymentId);
    expect(await notifyTbank(harness.tbank.refundByHand(providerPaymentId, 24_500))).toBe(200);
    expect(await findPayment(invoiceId)).toMatchObject({ status: 'succeeded', refundedMinor: 24_500 });
    for (const told of harness.tbank.notifications) expect(await notifyTbank(told)).toBe(200);
    expect(await readBalance()).toBe(5);
  });

  it('that refuses a refund, or loses the answer, leaves neither money nor stars in between', async () => {
    const { invoiceId, providerPaymentId } = await harness.openInvoice(accountId, 1, 'tbank');
    await notifyTbank(harness.tbank.pay(providerPaymentId));
    harness.tbank.answerRefunds('canceled');
    await expect(refundOf(harness.app, invoiceId, 4_900)).rejects.toMatchObject({ code: 'refund_failed' });
    expect(await readBalance()).toBe(10);
    harness.tbank.answerRefunds('pending');
    await refundOf(harness.app, invoiceId, 9_800);
    harness.tbank.endRefund(providerPaymentId, 'canceled');
    await sweep();
    expect(await readBalance()).toBe(10);
    harness.tbank.answerRefunds('succeeded');
    harness.tbank.failNext({ method: 'Cancel', kind: 'lose_answer' });
    expect(await refundOf(harness.app, invoiceId, 24_500)).toMatchObject({ status: 'pending' });
    await sweep();
    expect(await findPayment(invoiceId)).toMatchObject({ refundedMinor: 24_500 });
    expect(harness.tbank.payments.get(providerPaymentId)?.left).toBe(24_500);
    expect(await readBalance()).toBe(5);
  });
});

describe('when PAYMENTS changes', () => {
  it('a payment stays with the provider that opened it: news, questions, refunds; it is offered to nobody', async () => {
    const [late, asked] = [
      await harness.openInvoice(accountId, 1, 'yookassa'),
      await harness.openInvoice(accountId, 2, 'yookassa'),
    ];
    const told = harness.yookassa.pay(late.providerPaymentId);
    harness.yookassa.pay(asked.providerPaymentId);
    const after = await restartWith(harness, { PAYMENTS: 'tbank', ...fakeProviderEnv(harness, ['tbank', 'yookassa']) });
    try {
      expect(after.app.payments.offered.map(({ name }) => name)).toEqual(['tbank']);
      expect(await listUnpaidInvoices(after.app, accountId)).toEqual([]);
      expect(await after.notify('tbank', told).then(({ statusCode }) => statusCode)).toBe(400);
      expect(await readBalance()).toBe(0);

      expect(await after.notify('yookassa', told).then(({ statusCode, body }) => [statusCode, body])).toEqual([
        200,
        '',
      ]);
      expect(await findPayment(late.invoiceId)).toMatchObject({ status: 'succeeded', provider: 'yookassa' });
      expect(await getInvoice(after.app, accountId, asked.invoiceId)).toMatchObject({ status: 'succeeded' });
      expect(await readBalance()).toBe(30);

      expect(await refundOf(after.app, late.invoiceId)).toMatchObject({ status: 'succeeded', starsTaken: 10 });
      expect(harness.yookassa.refunds.size).toBeGreaterThan(0);
      await expect(
        createInvoice(after.app, { accountId, packageId: 1, idempotencyKey: null, provider: 'yookassa' }),
      ).rejects.toMatchObject({ code: 'payment_provider_unknown' });
      await warnOfUnreachable(after.app);
      expect(after.lines.filter(({ level }) => level === 'error')).toEqual([]);
      expect(after.lines.filter(({ msg }) => String(msg).includes('without settings'))).toEqual([]);
    } finally {
      await after.close();
    }
  });

  it('a name without an adapter stops the start in words', async () => {
    const config = { ...harness.app.config, tbank: null };
    const shared = { ...harness.database, close: async () => undefined };
    const start = createAppContext(config, harness.app.log, { database: shared, engine: createFakeEngine() });
    await expect(start).rejects.toThrow('PAYMENTS: providers with an adapter (no adapter is named «tbank»)');
    await expect(start).rejects.toThrow(ConfigError);
  });

  it('payments of a provider without keys are said to be out of reach, and nothing else stops', async () => {
    const [pending, paid] = [
      await harness.openInvoice(accountId, 1, 'tbank'),
      await harness.openInvoice(accountId, 2, 'tbank'),
    ];
    const told = harness.tbank.pay(paid.providerPaymentId);
    await notifyTbank(told);
    const after = await restartWith(harness, { PAYMENTS: 'yookassa', ...fakeProviderEnv(harness, ['yookassa']) });
    try {
      await warnOfUnreachable(after.app);
      expect(after.lines.filter(({ msg }) => String(msg).includes('without settings: set its keys again'))).toEqual([
        expect.objectContaining({ level: 'warn', provider: 'tbank', payments: expect.any(Number) }),
      ]);
      expect(await after.notify('tbank', told).then(({ statusCode }) => statusCode)).toBe(404);
      await sweep(after.app);
      expect(await getInvoice(after.app, accountId, pending.invoiceId)).toMatchObject({
        status: 'pending',
        paymentUrl: null,
      });
      await expect(refundOf(after.app, paid.invoiceId)).rejects.toMatchObject({
        code: 'refund_impossible',
        message: expect.stringContaining('«Т-Банк»'),
      });
      expect(await readBalance()).toBe(20);
      expect(after.lines.filter(({ level }) => level === 'error')).toEqual([]);
    } finally {
      await after.close();
    }
    // With the keys everything works again.
    expect(await refundOf(harness.app, paid.invoiceId)).toMatchObject({ status: 'succeeded' });
  });
});
