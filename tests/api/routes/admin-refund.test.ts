import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAccount } from '#tests/support/factories.ts';
import { createPaymentHarness, type PaymentHarness } from '#tests/support/payment-harness.ts';
import { createAdmin, type TestUser } from '#tests/support/users.ts';

let harness: PaymentHarness;
let admin: TestUser;
beforeAll(async () => {
  harness = await createPaymentHarness();
  admin = await createAdmin(harness);
});
afterAll(() => harness.close());

const refund = (id: string, payload: object, key = randomUUID()) =>
  harness.server.inject({
    method: 'POST',
    url: `/api/admin/payments/${id}/refund`,
    headers: { cookie: admin.cookie, 'idempotency-key': key },
    payload,
  });

it('a refund says what it took and what was spent already, once for a double click, and is in the audit', async () => {
  const { id: accountId } = await createAccount(harness.app, { stars: 0 });
  const { invoiceId } = await harness.buy(accountId);
  await harness.server.inject({
    method: 'POST',
    url: `/api/admin/users/${accountId}/correction`,
    headers: { cookie: admin.cookie },
    payload: { delta: -6, reason: 'Потрачено' },
  });
  const key = randomUUID();
  const body = { reason: 'Просьба покупателя' };
  const [first, second] = await Promise.all([refund(invoiceId, body, key), refund(invoiceId, body, key)]);
  expect(first.statusCode).toBe(200);
  expect(first.json()).toMatchObject({
    status: 'succeeded',
    amountRub: 490,
    stars: 10,
    starsTaken: 4,
    starsMissing: 6,
  });
  expect(second.json()).toEqual(first.json());

  const headers = { cookie: admin.cookie };
  const url = `/api/admin/payments?accountId=${accountId}`;
  const { payments } = (await harness.server.inject({ method: 'GET', url, headers })).json();
  expect(payments).toMatchObject([{ refundedRub: 490, refunds: [{ reason: 'Просьба покупателя', starsTaken: 4 }] }]);
  const entries = await harness.app.db.auditEntry.findMany({ where: { accountId, action: 'refund_requested' } });
  expect(entries).toMatchObject([{ adminId: admin.account.id, details: { amountRub: 490, reason: body.reason } }]);

  const again = await refund(invoiceId, body);
  expect([again.statusCode, again.json().code]).toEqual([409, 'refund_impossible']);
});

it('a refund that was refused stays refused under its key, and another key tries again', async () => {
  const { id: accountId } = await createAccount(harness.app, { stars: 0 });
  const { invoiceId } = await harness.buy(accountId);
  const [body, key] = [{ reason: 'Просьба покупателя' }, randomUUID()];
  harness.yookassa.answerRefunds('canceled');
  const refused = await refund(invoiceId, body, key);
  harness.yookassa.answerRefunds('succeeded');
  expect([refused.statusCode, refused.json().code]).toEqual([502, 'refund_failed']);
  expect((await refund(invoiceId, body, key)).json().code).toBe('refund_failed');
  expect((await refund(invoiceId, body)).json()).toMatchObject({ status: 'succeeded', starsTaken: 10 });
});

it('an amount is roubles with at most two decimals, and a reason is asked for', async () => {
  const { id: accountId } = await createAccount(harness.app, { stars: 0 });
  const { invoiceId } = await harness.buy(accountId);
  for (const payload of [
    { amountRub: 0.001, reason: 'Просьба' },
    { amountRub: 0, reason: 'Просьба' },
    { amountRub: -1, reason: 'Просьба' },
    { amountRub: '49', reason: 'Просьба' },
    { amountRub: 49, reason: '  ' },
    { amountRub: 49 },
  ]) {
    expect([payload, (await refund(invoiceId, payload)).statusCode]).toEqual([payload, 400]);
  }
  const part = await refund(invoiceId, { amountRub: 49.05, reason: 'Просьба' });
  expect(part.json()).toMatchObject({ amountRub: 49.05, stars: 1, starsTaken: 1, starsMissing: 0 });
});

it.each([randomUUID(), 'oops'])('a refund of the unknown payment %s answers 404', async (id) => {
  const response = await refund(id, { reason: 'Просьба' });
  expect([response.statusCode, response.json().code]).toEqual([404, 'payment_not_found']);
});
