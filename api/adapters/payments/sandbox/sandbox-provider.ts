import { z } from 'zod';
import {
  type Checkout,
  type CheckoutProvider,
  type NotificationRequest,
  type PaymentNotification,
  PaymentRefusedError,
  type ProviderPayment,
  type ReadNotification,
  type Refunds,
} from '#api/adapters/payments/payment-provider.ts';
import { parseJson } from '#api/platform/parse-json.ts';
import { retry } from '#api/platform/retry.ts';
import type { Prisma, PrismaClient, SandboxPayment, SandboxRefund } from '#prisma/generated/client.ts';

/** The sandbox's notifications to our webhook, in the shape that real providers use. */
const sandboxNotification = z.object({
  type: z.literal('notification'),
  event: z.enum(['payment.succeeded', 'payment.canceled', 'refund.succeeded']),
  object: z.object({ id: z.uuid(), payment_id: z.uuid().optional() }),
});
export type SandboxNotification = z.infer<typeof sandboxNotification>;

interface SandboxOptions {
  db: PrismaClient;
  publicUrl: string;
  webhookUrl: string;
  /** Calls `deliver` after the transaction's commit and repeats it until it succeeds. */
  sendNotification: (tx: Prisma.TransactionClient, notification: SandboxNotification) => Promise<void>;
}

/** Behind the sandbox's payment page: the buyers' decisions and the notifications. */
export interface SandboxConsole {
  /** Null for an id that the sandbox does not know. */
  findPayment(id: string): Promise<SandboxPayment | null>;
  /** The buyer pays, or the bank refuses. Has no effect on a payment that has ended. */
  decide(id: string, decision: 'succeeded' | 'canceled'): Promise<void>;
  /** Sends a notification to our webhook. Throws when the webhook did not accept it. */
  deliver(notification: SandboxNotification): Promise<void>;
}

/** How long a payment page stays open. Real providers do the same. */
const PAGE_LIFETIME_MS = 60 * 60_000;
const DELIVERY_TIMEOUT_MS = 10_000;
/** While our database is away. Together shorter than the job's time. */
const DELIVERY_TRIES = { tries: 5, firstMs: 500, longestMs: 4_000 };

/** Our own provider, in which no money moves. It has its own books and a payment page, and sends notifications. */
export function createSandboxProvider(options: SandboxOptions): {
  provider: CheckoutProvider;
  sandbox: SandboxConsole;
} {
  return {
    provider: {
      name: 'sandbox',
      isTest: true,
      checkout: createCheckout(options),
      refunds: createRefunds(options),
      notifications: { read },
    },
    sandbox: createConsole(options),
  };
}

function createCheckout({ db, publicUrl }: SandboxOptions): Checkout {
  const present = (payment: SandboxPayment): ProviderPayment => ({
    providerPaymentId: payment.id,
    paymentId: payment.orderId,
    status: payment.status,
    amountMinor: payment.amountKopecks,
    currency: 'RUB',
    isTest: true,
    awaitsBuyer: payment.status === 'pending',
    paymentUrl: payment.status === 'pending' ? `${publicUrl}/sandbox/pay/${payment.id}` : null,
    payableUntil: new Date(payment.createdAt.getTime() + PAGE_LIFETIME_MS),
    cancellationReason: payment.cancellationReason,
  });
  return {
    async check() {
      // It answers as long as the database does.
    },
    async create({ paymentId, attempt, amountMinor, description, returnUrl }) {
      const idempotenceKey = attempt === 0 ? paymentId : `${paymentId}-${attempt}`;
      await db.sandboxPayment.createMany({
        data: { orderId: paymentId, idempotenceKey, amountKopecks: amountMinor, description, returnUrl },
        skipDuplicates: true,
      });
      return present(await db.sandboxPayment.findUniqueOrThrow({ where: { idempotenceKey } }));
    },

    async fetch(providerPaymentId) {
      const payment = await findPayment(db, providerPaymentId);
      return payment && present(payment);
    },
  };
}

function createRefunds({ db, sendNotification }: SandboxOptions): Refunds {
  async function refundOnce(
    tx: Prisma.TransactionClient,
    idempotenceKey: string,
    paymentId: string,
    amountKopecks: number,
  ): Promise<SandboxRefund> {
    await tx.$executeRaw`select from sandbox_payments where id = ${paymentId}::uuid for update`;
    const known = await tx.sandboxRefund.findUnique({ where: { idempotenceKey } });
    if (known) return known;
    const payment = await tx.sandboxPayment.findUnique({ where: { id: paymentId } });
    const refundable = payment?.status === 'succeeded' ? payment.amountKopecks - payment.refundedKopecks : 0;
    if (amountKopecks > refundable) throw new PaymentRefusedError('invalid_request');
    await tx.sandboxPayment.update({
      where: { id: paymentId },
      data: { refundedKopecks: { increment: amountKopecks } },
    });
    const refund = await tx.sandboxRefund.create({ data: { idempotenceKey, paymentId, amountKopecks } });
    const object = { id: refund.id, payment_id: paymentId };
    await sendNotification(tx, { type: 'notification', event: 'refund.succeeded', object });
    return refund;
  }

  return {
    async submit({ refundId, payment, amountMinor }) {
      return db.$transaction(async (tx) =>
        presentRefund(await refundOnce(tx, refundId, payment.providerPaymentId, amountMinor)),
      );
    },

    lookup: {
      async fetch(providerRefundId) {
        if (!z.uuid().safeParse(providerRefundId).success) return null;
        const refund = await db.sandboxRefund.findUnique({ where: { id: providerRefundId } });
        return refund && presentRefund(refund);
      },

      async list({ providerPaymentId }) {
        if (!z.uuid().safeParse(providerPaymentId).success) return [];
        return (await db.sandboxRefund.findMany({ where: { paymentId: providerPaymentId } })).map(presentRefund);
      },
    },
  };
}

function createConsole({ db, webhookUrl, sendNotification }: SandboxOptions): SandboxConsole {
  return {
    findPayment: (id) => findPayment(db, id),

    async decide(id, decision) {
      await db.$transaction(async (tx) => {
        const decided = await tx.sandboxPayment.updateMany({
          where: { id, status: 'pending' },
          data: { status: decision, cancellationReason: decision === 'canceled' ? 'general_decline' : null },
        });
        if (decided.count === 0) return;
        await sendNotification(tx, { type: 'notification', event: `payment.${decision}`, object: { id } });
      });
    },

    deliver: (notification) =>
      retry(() => callWebhook(webhookUrl, notification), {
        ...DELIVERY_TRIES,
        isWorthRetrying: (error) => error instanceof WebhookRefusal && error.status === 503,
      }),
  };
}

class WebhookRefusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`our webhook answered the sandbox with ${status}`);
    this.status = status;
  }
}

async function callWebhook(url: string, notification: SandboxNotification): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(notification),
    signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
  });
  await answer.body?.cancel();
  if (answer.status !== 200) throw new WebhookRefusal(answer.status);
}

async function findPayment(db: PrismaClient, id: string): Promise<SandboxPayment | null> {
  if (!z.uuid().safeParse(id).success) return null;
  await expirePage(db, id);
  return db.sandboxPayment.findUnique({ where: { id } });
}

/** The sender does not matter, because the facts are read from the sandbox's own books. */
function read({ body }: NotificationRequest): ReadNotification {
  const notification = readNotification(body);
  return notification ? { notification, answer: { status: 200 } } : { refusal: 'form' };
}

function readNotification(body: Buffer): PaymentNotification | null {
  const parsed = sandboxNotification.safeParse(parseJson(body.toString()));
  if (!parsed.success) return null;
  const { event, object } = parsed.data;
  if (event !== 'refund.succeeded') return { about: 'payment', providerPaymentId: object.id };
  if (!object.payment_id) return null;
  return { about: 'refund', providerRefundId: object.id, providerPaymentId: object.payment_id };
}

async function expirePage(db: PrismaClient, id: string): Promise<void> {
  await db.sandboxPayment.updateMany({
    where: { id, status: 'pending', createdAt: { lt: new Date(Date.now() - PAGE_LIFETIME_MS) } },
    data: { status: 'canceled', cancellationReason: 'expired_on_confirmation' },
  });
}

function presentRefund(refund: SandboxRefund) {
  return {
    providerRefundId: refund.id,
    providerPaymentId: refund.paymentId,
    status: 'succeeded' as const,
    amountMinor: refund.amountKopecks,
  };
}
