import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSandboxProvider, type SandboxNotification } from '#api/adapters/payments/sandbox/sandbox-provider.ts';
import { borrowTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { listen } from '#tests/support/listen.ts';
import { describePaymentProvider, newPaymentOf } from './payment-provider.contract.ts';

let database: TestDatabase;
let sandbox: ReturnType<typeof createSandboxProvider>;
const notifications: SandboxNotification[] = [];

beforeAll(async () => {
  database = await borrowTestDatabase();
  sandbox = createSandboxProvider({
    db: database.db,
    publicUrl: 'http://localhost:3000',
    webhookUrl: 'http://localhost:3000/api/payments/webhook/sandbox',
    sendNotification: async (_tx, notification) => void notifications.push(notification),
  });
});
afterAll(() => database.close());

describe('the sandbox', () => {
  describePaymentProvider(() => ({
    provider: sandbox.provider,
    pay: (id) => sandbox.sandbox.decide(id, 'succeeded'),
    decline: (id) => sandbox.sandbox.decide(id, 'canceled'),
    notifications: () => notifications.map((one) => ({ body: JSON.stringify(one) })),
    answer: { status: 200 },
    lacks: { idempotence: false, pageAgain: false, refundIds: false, expiry: false, refundLookup: false },
    orderIds: null,
  }));

  it('keeps to the first decision, and notifies of it once', async () => {
    const { providerPaymentId: id } = await sandbox.provider.checkout.create(newPaymentOf());
    await Promise.all([sandbox.sandbox.decide(id, 'succeeded'), sandbox.sandbox.decide(id, 'succeeded')]);
    await sandbox.sandbox.decide(id, 'canceled');
    expect(await sandbox.provider.checkout.fetch(id)).toMatchObject({ status: 'succeeded' });
    expect(notifications.filter(({ object }) => object.id === id)).toHaveLength(1);
  });

  it('tells a webhook that is busy again, and gives up one that refuses', async () => {
    const answers = [503, 503, 200, 500];
    const server = createServer((_request, response) => response.writeHead(answers.shift() ?? 404).end());
    const { port, close } = await listen(server);
    onTestFinished(close);
    const { sandbox: told } = createSandboxProvider({
      db: database.db,
      publicUrl: 'http://localhost:3000',
      webhookUrl: `http://127.0.0.1:${port}`,
      sendNotification: async () => undefined,
    });
    const notification = { type: 'notification', event: 'payment.succeeded', object: { id: randomUUID() } } as const;
    await told.deliver(notification);
    expect(answers).toEqual([500]);
    await expect(told.deliver(notification)).rejects.toThrow('our webhook answered the sandbox with 500');
    expect(answers).toEqual([]);
  });

  it('closes a payment page that was left open for an hour', async () => {
    const { providerPaymentId: id } = await sandbox.provider.checkout.create(newPaymentOf());
    const createdAt = new Date(Date.now() - 61 * 60_000);
    await database.db.sandboxPayment.update({ where: { id }, data: { createdAt } });
    const expired = { status: 'canceled', cancellationReason: 'expired_on_confirmation', paymentUrl: null };
    expect(await sandbox.provider.checkout.fetch(id)).toMatchObject(expired);
    await sandbox.sandbox.decide(id, 'succeeded');
    expect(await sandbox.provider.checkout.fetch(id)).toMatchObject(expired);
  });
});
