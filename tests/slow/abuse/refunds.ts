import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { FakeFal } from '#tests/support/fake-fal.ts';
import { modelError } from '#tests/support/fake-fal-rules.ts';
import { createFakeYookassa } from '#tests/support/fake-yookassa.ts';
import { fakeProviderEnv } from '#tests/support/payment-harness.ts';
import type { RunningServer } from '#tests/support/running-server.ts';
import { type AbuseCase, AbuseFixture, describeAnswer } from './abuse-fixture.ts';
import { Administrator } from './administrator.ts';
import { Customer, withPaidEngine } from './paid-engine.ts';

interface Sale {
  customer: Customer;
  fal: FakeFal;
  /** Gives back all the money of the customer's only payment. Returns what is said of it. */
  refund(): Promise<string>;
}

/** A shop in which somebody has bought ten stars for 490 ₽. */
async function withSale(attempt: (sale: Sale) => Promise<string>): Promise<string> {
  const yookassa = await createFakeYookassa();
  const settings = { PAYMENTS: 'yookassa', ...fakeProviderEnv({ yookassa } as never, ['yookassa']) };
  const notify = async (server: RunningServer, body: object) => {
    const answer = await new AbuseFixture(server).post('/api/payments/webhook/yookassa', body);
    if (answer.status !== 200) throw new Error(`a notification was answered with ${answer.status}`);
  };
  try {
    return await withPaidEngine(async ({ server, fal }) => {
      const customer = await Customer.enter(server, 'buyer@example.com');
      const order = { packageId: 1 };
      const { invoiceId } = await customer.json<{ invoiceId: string }>('POST', '/api/payments/create-invoice', order);
      const [paymentId = ''] = yookassa.payments.keys();
      await notify(server, yookassa.pay(paymentId));
      const refund = async () => {
        const fixture = new AbuseFixture(server);
        const administrator = new Administrator(server.dataDir);
        const cookie = await administrator.enter(fixture);
        await administrator.confirm(fixture, cookie);
        const headers = { 'idempotency-key': randomUUID() };
        const path = `/api/admin/payments/${invoiceId}/refund`;
        const answer = await fixture.post(path, { reason: 'Не понравилось' }, { cookie, headers });
        for (const notification of yookassa.notifications.splice(0)) await notify(server, notification);
        const given = [...yookassa.refunds.values()].reduce((sum, { amount }) => sum + Number(amount.value), 0);
        return `${await describeAnswer(answer)} with ${given} ₽`;
      };
      return attempt({ customer, fal, refund });
    }, settings);
  } finally {
    await yookassa.close();
  }
}

async function waitForOrder(fal: FakeFal): Promise<void> {
  while (fal.countTaken() === 0) await wait(100);
}

/** Orders that hold three stars, one more than the present. Returns their ids. */
async function orderForThree(customer: Customer): Promise<string[]> {
  const session = await customer.startPhotosession();
  const { request_id } = (await (await customer.change()).json()) as { request_id: string };
  return [session, request_id];
}

/** Stars that are kept although their money has been given back. Two of twelve are the present for the registration. */
export const REFUND_CASES: AbuseCase[] = [
  {
    name: 'a full refund while stars are held, whose order is cancelled afterwards',
    expected: '12 stars, 9 beside the held ones, 200 with 490 ₽, 0 left, cancelled, cancelled, 2 left',
    try: () =>
      withSale(async ({ customer, fal, refund }) => {
        const balance = () => customer.readBalance();
        // Queued at the provider, where an order can still be cancelled.
        fal.behave({ fate: { kind: 'queued' }, times: 6 });
        const seen = [`${await balance()} stars`];
        const ids = await orderForThree(customer);
        seen.push(`${await balance()} beside the held ones`);
        await waitForOrder(fal);
        seen.push(await refund(), `${await balance()} left`);
        for (const id of ids) {
          const { outcome } = await customer.json<{ outcome: string }>('POST', `/api/generations/${id}/cancel`);
          seen.push(outcome);
        }
        await customer.waitForEnd();
        return [...seen, `${await balance()} left`].join(', ');
      }),
  },
  {
    name: 'a full refund while stars are held, whose order fails afterwards',
    expected: '200 with 490 ₽, 0 left, 2 left',
    try: () =>
      withSale(async ({ customer, fal, refund }) => {
        fal.behave({ fate: { kind: 'running' }, times: 6 });
        await orderForThree(customer);
        await waitForOrder(fal);
        const seen = [await refund(), `${await customer.readBalance()} left`];
        fal.recover();
        const fate = { kind: 'failed', answer: modelError('content_policy_violation') } as const;
        fal.behave({ fate, times: 6 });
        for (const job of fal.jobs) job.fate = fate;
        await Promise.all(fal.jobs.map(({ id }) => fal.finish(id)));
        await customer.waitForEnd();
        return [...seen, `${await customer.readBalance()} left`].join(', ');
      }),
  },
];
