import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type Checkout,
  type CheckoutProvider,
  type NewPayment,
  type NewRefund,
  type PaymentNotification,
  PaymentProviderUnavailableError,
  PaymentRefusedError,
  type ProviderPayment,
  type ProviderRefund,
  type ReceiptSettings,
  type Refunds,
} from '#api/adapters/payments/payment-provider.ts';
import { createAddressList } from '#api/platform/address-list.ts';
import { parseJson } from '#api/platform/parse-json.ts';
import { abortAfter } from '#api/platform/with-timeout.ts';

export interface YookassaOptions {
  shopId: string;
  secretKey: string;
  isTest: boolean;
  /** Without a trailing slash. */
  apiUrl: string;
  /** Addresses and CIDR ranges that may send notifications. Empty allows everybody. */
  webhookAddresses: string[];
  receipt: ReceiptSettings;
  /** For one call. */
  timeoutMs?: number;
}

/** YooKassa's own timeout is 30 s, but nobody waits that long after pressing a button. */
const DEFAULT_TIMEOUT_MS = 15_000;
/** Other statuses are about the shop's keys and rights, rate limits or failures, not about the call itself. */
const REFUSAL_STATUSES = [400, 404];
/** How long the payment page stays open, whatever the method of payment. */
const PAGE_LIFETIME_MS = 60 * 60_000;

/** YooKassa's format of amounts. */
const ROUBLES = /^\d{1,12}\.\d{2}$/;

const amount = z.object({ value: z.string().regex(ROUBLES), currency: z.string() });
const cancellation = z.object({ party: z.string(), reason: z.string() });

const yookassaPayment = z.object({
  id: z.string(),
  status: z.enum(['pending', 'waiting_for_capture', 'succeeded', 'canceled']),
  paid: z.boolean(),
  amount,
  confirmation: z.object({ confirmation_url: z.string().optional() }).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  created_at: z.iso.datetime({ offset: true }).optional(),
  cancellation_details: cancellation.optional(),
  test: z.boolean().default(false),
});

const yookassaRefund = z.object({
  id: z.string(),
  payment_id: z.string(),
  status: z.enum(['pending', 'succeeded', 'canceled']),
  amount,
});

const yookassaRefunds = z.object({ items: z.array(z.unknown()) });

const yookassaError = z.object({ code: z.string(), parameter: z.string().optional() });

/** Ids become parts of URLs. All of YooKassa's have this form. */
const objectId = z.string().regex(/^[\w-]{1,64}$/);
const notification = z.object({
  type: z.literal('notification'),
  event: z.string(),
  object: z.object({ id: objectId, payment_id: objectId.optional() }),
});

/** YooKassa, API v3 (yookassa.ru/developers), over plain HTTP, because there is no official library for Node. */
export function createYookassaProvider(options: YookassaOptions): CheckoutProvider {
  const addresses = createAddressList(options.webhookAddresses);
  const call = createCaller(options);
  return {
    name: 'yookassa',
    isTest: options.isTest,
    checkout: createCheckout(call, options.receipt),
    refunds: createRefunds(call, options.receipt),
    notifications: {
      // YooKassa signs nothing. The sender's address is the only check, and the facts are read back.
      read({ body, address }) {
        if (options.webhookAddresses.length > 0 && !addresses.includes(address)) return { refusal: 'sender' };
        const about = readNotification(body);
        return about ? { notification: about, answer: { status: 200 } } : { refusal: 'form' };
      },
    },
  };
}

interface CallOptions {
  post?: { body: object; idempotenceKey: string };
  signal?: AbortSignal | undefined;
}

/** Null for 404. */
type Call = (path: string, options?: CallOptions) => Promise<unknown>;

function createCaller({ shopId, secretKey, apiUrl, timeoutMs }: YookassaOptions): Call {
  const authorization = `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`;
  return async (path, { post, signal } = {}) => {
    const request: RequestInit = post
      ? {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json', 'idempotence-key': post.idempotenceKey },
          body: JSON.stringify(post.body),
        }
      : { headers: { authorization } };
    let status: number;
    let body: unknown;
    try {
      const answer = await fetch(apiUrl + path, {
        ...request,
        redirect: 'error',
        signal: abortAfter(timeoutMs ?? DEFAULT_TIMEOUT_MS, signal),
      });
      status = answer.status;
      body = parseJson(await answer.text());
    } catch (error) {
      throw new PaymentProviderUnavailableError('YooKassa could not be reached', { cause: error });
    }
    if (status === 200) return body;
    if (status === 404 && !post) return null;
    const error = yookassaError.safeParse(body).data;
    const reason = error ? describeError(status, error) : String(status);
    if (post && error && REFUSAL_STATUSES.includes(status)) throw new PaymentRefusedError(reason);
    throw new PaymentProviderUnavailableError(`YooKassa answered ${reason}`);
  };
}

function createCheckout(call: Call, receipt: ReceiptSettings): Checkout {
  return {
    async create(payment) {
      const { paymentId, attempt } = payment;
      const body = {
        amount: buildAmount(payment.amountMinor),
        capture: true,
        confirmation: { type: 'redirect', return_url: payment.returnUrl },
        description: payment.description,
        metadata: { order_id: paymentId },
        receipt: buildReceipt(receipt, payment),
      };
      // YooKassa repeats a refusal for the same key, so each attempt needs its own.
      const idempotenceKey = attempt === 0 ? paymentId : `${paymentId}-${attempt}`;
      return presentPayment(await call('/payments', { post: { body, idempotenceKey } }));
    },

    async fetch(providerPaymentId, signal) {
      const answer = await call(`/payments/${encodeURIComponent(providerPaymentId)}`, { signal });
      return answer === null ? null : presentPayment(answer);
    },

    async check() {
      // Wrong keys are refused before the payment is looked for.
      await call(`/payments/${randomUUID()}`);
    },
  };
}

function createRefunds(call: Call, receipt: ReceiptSettings): Refunds {
  return {
    async submit(refund) {
      const body = {
        payment_id: refund.payment.providerPaymentId,
        amount: buildAmount(refund.amountMinor),
        description: refund.description,
        receipt: buildReceipt(receipt, refund),
      };
      return presentRefund(await call('/refunds', { post: { body, idempotenceKey: refund.refundId } }));
    },

    lookup: {
      async fetch(providerRefundId) {
        const answer = await call(`/refunds/${encodeURIComponent(providerRefundId)}`);
        return answer === null ? null : presentRefund(answer);
      },

      async list({ providerPaymentId }) {
        const query = new URLSearchParams({ payment_id: providerPaymentId, limit: '100' });
        const answer = await call(`/refunds?${query}`);
        return answer === null ? [] : read(yookassaRefunds, answer).items.map(presentRefund);
      },
    },
  };
}

function buildReceipt(
  { vatCode, subject, mode, taxSystem }: ReceiptSettings,
  { receiptItem, buyerEmail, amountMinor }: NewPayment | NewRefund,
) {
  return {
    customer: { email: buyerEmail },
    ...(taxSystem === undefined ? {} : { tax_system_code: taxSystem }),
    items: [
      {
        description: receiptItem,
        quantity: 1,
        amount: buildAmount(amountMinor),
        vat_code: vatCode,
        payment_mode: mode,
        payment_subject: subject,
        measure: 'piece',
      },
    ],
  };
}

function readNotification(body: Buffer): PaymentNotification | null {
  const parsed = notification.safeParse(parseJson(body.toString()));
  if (!parsed.success) return null;
  const { event, object } = parsed.data;
  if (event.startsWith('payment.')) return { about: 'payment', providerPaymentId: object.id };
  if (event !== 'refund.succeeded') return { about: 'nothing' };
  if (!object.payment_id) return null;
  return { about: 'refund', providerRefundId: object.id, providerPaymentId: object.payment_id };
}

function buildAmount(kopecks: number) {
  return { value: formatRoubles(kopecks), currency: 'RUB' };
}

function presentPayment(answer: unknown): ProviderPayment {
  const payment = read(yookassaPayment, answer);
  const isPaid = payment.status === 'succeeded' && payment.paid;
  return {
    providerPaymentId: payment.id,
    paymentId: payment.metadata?.order_id ?? null,
    status: isPaid ? 'succeeded' : payment.status === 'canceled' ? 'canceled' : 'pending',
    amountMinor: parseRoubles(payment.amount.value),
    currency: payment.amount.currency,
    isTest: payment.test,
    awaitsBuyer: payment.status === 'pending',
    paymentUrl: payment.confirmation?.confirmation_url ?? null,
    payableUntil: payment.created_at ? new Date(Date.parse(payment.created_at) + PAGE_LIFETIME_MS) : null,
    cancellationReason: payment.cancellation_details?.reason ?? null,
  };
}

function presentRefund(answer: unknown): ProviderRefund {
  const refund = read(yookassaRefund, answer);
  return {
    providerRefundId: refund.id,
    providerPaymentId: refund.payment_id,
    status: refund.status,
    amountMinor: parseRoubles(refund.amount.value),
  };
}

/** An answer that differs from the documentation does not tell whether the call took effect. */
function read<T extends z.ZodType>(schema: T, answer: unknown): z.output<T> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new PaymentProviderUnavailableError('YooKassa answered something that could not be read', {
    cause: parsed.error,
  });
}

/** For example `400 invalid_request (receipt)`. */
function describeError(status: number, { code, parameter }: z.output<typeof yookassaError>): string {
  return `${status} ${code}${parameter ? ` (${parameter})` : ''}`;
}

/** 49000 kopecks are «490.00». */
function formatRoubles(kopecks: number): string {
  return `${Math.floor(kopecks / 100)}.${String(kopecks % 100).padStart(2, '0')}`;
}

/** `value` has to match ROUBLES: «490.00» becomes 49000 kopecks. */
function parseRoubles(value: string): number {
  return Number(value.replace('.', ''));
}
