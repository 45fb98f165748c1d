import { z } from 'zod';
import {
  type Checkout,
  type CheckoutProvider,
  type NewPayment,
  PaymentProviderUnavailableError,
  PaymentRefusedError,
  type ProviderPayment,
  type ReadNotification,
  type ReceiptSettings,
  type RefundedPayment,
  type Refunds,
} from '#api/adapters/payments/payment-provider.ts';
import { abortAfter } from '#api/platform/with-timeout.ts';
import {
  buildFreshOrderId,
  buildOrderId,
  buildReceipt,
  isSigned,
  type Message,
  parseMessage,
  readOrderId,
  signMessage,
} from './messages.ts';

export interface TbankOptions {
  terminalKey: string;
  password: string;
  isTest: boolean;
  /** Without a trailing slash. */
  apiUrl: string;
  /** Where T-Bank sends notifications. Null leaves that to the terminal's settings. */
  notificationUrl: string | null;
  receipt: ReceiptSettings;
  /** For one call. */
  timeoutMs?: number;
}

/** T-Bank's own timeout is longer, but nobody waits that long after pressing a button. */
const DEFAULT_TIMEOUT_MS = 15_000;
/** How long the payment page stays open, whatever the terminal's settings say. */
const PAGE_LIFETIME_MS = 60 * 60_000;
const MOSCOW_OFFSET_MS = 3 * 3_600_000;
const REASON_MAX_LENGTH = 200;
/**
 * The terminal is blocked or unknown, the signature is wrong, or the bank asks to try later. None of these is about the
 * call itself.
 */
const UNCLEAR_CODES = ['99', '100', '102', '202', '204', '205', '331', '501', '9999'];
/** Answer of Init: the order id was used before. */
const ORDER_TAKEN = /^8\b/;
/**
 * T-Bank expects exactly this answer. Otherwise it repeats the notification every hour for a day, then every day for a
 * month.
 */
const ACKNOWLEDGEMENT = { status: 200, contentType: 'text/plain', body: 'OK' };

const CANCELED = ['CANCELED', 'DEADLINE_EXPIRED', 'ATTEMPTS_EXPIRED', 'REVERSED'];
const REFUNDING = ['REFUNDING', 'ASYNC_REFUNDING'];
/** The buyer has paid. Some or all of the money may have been refunded since. */
const PAID = ['CONFIRMED', 'PARTIAL_REFUNDED', 'REFUNDED', ...REFUNDING];
/** After a refusal the buyer can try another card on the same page. */
const AWAITS_BUYER = ['NEW', 'FORM_SHOWED', 'REJECTED', 'AUTH_FAIL'];

const paymentId = z.string().regex(/^\d{1,20}$/);
/** `parseMessage` keeps numbers as text. */
const kopecks = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number);
const outcome = z.object({
  Success: z.union([z.boolean(), z.literal('true'), z.literal('false')]).transform((value) => String(value) === 'true'),
  ErrorCode: z.string(),
  Message: z.string().nullish(),
  Details: z.string().nullish(),
});
const state = z.object({ PaymentId: paymentId, OrderId: z.string(), Status: z.string(), Amount: kopecks });
const opened = state.extend({ PaymentURL: z.url({ protocol: /^https?$/ }) });
const canceled = z.object({ Status: z.string(), NewAmount: kopecks });
const notification = z.object({ TerminalKey: z.string(), PaymentId: paymentId.optional(), Status: z.string() });

type State = z.output<typeof state>;

/**
 * T-Bank's internet acquiring, API v2 (developer.tbank.ru/eacq), over plain HTTP. For terminals with one-stage
 * payments.
 */
export function createTbankProvider(options: TbankOptions): CheckoutProvider {
  const client = createClient(options);
  return {
    name: 'tbank',
    isTest: options.isTest,
    checkout: createCheckout(client, options),
    refunds: createRefunds(client, options),
    notifications: { read: ({ body }) => readNotification(options, body) },
  };
}

interface TbankClient {
  /** T-Bank refuses with status 200, too. Throws PaymentRefusedError, PaymentProviderUnavailableError. */
  call<T extends z.ZodType>(method: string, body: Message, schema: T, signal?: AbortSignal): Promise<z.output<T>>;
  /** Null for a payment that T-Bank does not know. T-Bank refuses such a call although the signature is right. */
  getState(id: string, signal?: AbortSignal): Promise<State | null>;
}

function createClient({ terminalKey, password, apiUrl, timeoutMs }: TbankOptions): TbankClient {
  /** Signs and sends a message. `answer` is null when the body is not a message. */
  async function send(method: string, body: Message, signal?: AbortSignal) {
    const message = { TerminalKey: terminalKey, ...body };
    try {
      const response = await fetch(`${apiUrl}/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...message, Token: signMessage(message, password) }),
        redirect: 'error',
        signal: abortAfter(timeoutMs ?? DEFAULT_TIMEOUT_MS, signal),
      });
      return { status: response.status, answer: parseMessage(await response.text()) };
    } catch (error) {
      throw new PaymentProviderUnavailableError('T-Bank could not be reached', { cause: error });
    }
  }

  const client: TbankClient = {
    async call(method, body, schema, signal) {
      const { status, answer } = await send(method, body, signal);
      const result = outcome.safeParse(answer);
      if (status !== 200 || !result.success) {
        throw new PaymentProviderUnavailableError(
          `T-Bank answered ${method} with ${status} and nothing that can be read`,
        );
      }
      const { Success, ErrorCode, Message: message, Details } = result.data;
      if (!Success || ErrorCode !== '0') {
        const reason = [ErrorCode, message, Details].filter(Boolean).join(' ').slice(0, REASON_MAX_LENGTH);
        if (UNCLEAR_CODES.includes(ErrorCode)) throw new PaymentProviderUnavailableError(`T-Bank answered ${reason}`);
        throw new PaymentRefusedError(reason);
      }
      const parsed = schema.safeParse(answer);
      if (parsed.success) return parsed.data;
      throw new PaymentProviderUnavailableError(`T-Bank answered ${method} with something that could not be read`, {
        cause: parsed.error,
      });
    },

    async getState(id, signal) {
      if (!paymentId.safeParse(id).success) return null;
      try {
        return await client.call('GetState', { PaymentId: id }, state, signal);
      } catch (error) {
        if (error instanceof PaymentRefusedError) return null;
        throw error;
      }
    },
  };
  return client;
}

function createCheckout(client: TbankClient, options: TbankOptions): Checkout {
  const { isTest } = options;
  async function open(payment: NewPayment, orderId: string): Promise<ProviderPayment> {
    const payableUntil = new Date(Math.ceil((Date.now() + PAGE_LIFETIME_MS) / 1000) * 1000);
    const body = {
      Amount: payment.amountMinor,
      OrderId: orderId,
      Description: payment.description,
      PayType: 'O',
      Language: 'ru',
      ...(options.notificationUrl ? { NotificationURL: options.notificationUrl } : {}),
      SuccessURL: payment.returnUrl,
      FailURL: payment.returnUrl,
      RedirectDueDate: formatMoscowTime(payableUntil),
      Receipt: buildReceipt(payment, options.receipt),
    };
    const { PaymentURL, ...made } = await client.call('Init', body, opened);
    return { ...presentPayment(made, isTest), paymentUrl: PaymentURL, payableUntil };
  }

  return {
    async create(payment) {
      try {
        return await open(payment, buildOrderId(payment));
      } catch (error) {
        if (!(error instanceof PaymentRefusedError && ORDER_TAKEN.test(error.reason))) throw error;
        // The id belongs to an earlier call whose answer was lost, together with the address of its page.
        return open(payment, buildFreshOrderId(payment));
      }
    },

    async fetch(id, signal) {
      const now = await client.getState(id, signal);
      return now && presentPayment(now, isTest);
    },

    async check() {
      // A wrong signature is refused with a code of its own, whatever the payment.
      await client.getState('1');
    },
  };
}

/**
 * T-Bank has no refunds as objects. It only tells how much of a payment is left, and recognises a repeated Cancel by
 * its id.
 */
function createRefunds(client: TbankClient, { receipt }: TbankOptions): Refunds {
  return {
    async submit(refund) {
      const { refundId, payment, amountMinor } = refund;
      const id = payment.providerPaymentId;
      const before = await client.getState(id);
      // Cancel would close an unpaid payment instead of refunding it.
      if (!before || !PAID.includes(before.Status)) {
        throw new PaymentRefusedError(`not paid: ${before?.Status ?? 'unknown'}`);
      }
      const isWhole = before.Status === 'CONFIRMED' && before.Amount === amountMinor;
      const { Status, NewAmount } = await client.call(
        'Cancel',
        {
          PaymentId: id,
          Amount: amountMinor,
          // Makes a repeat harmless: T-Bank answers it with the payment's current state.
          ExternalRequestId: refundId,
          ...(isWhole ? {} : { Receipt: buildReceipt(refund, receipt) }),
        },
        canceled,
      );
      const isMade = isRefunded({ Status, Amount: NewAmount }, payment, amountMinor);
      return {
        providerRefundId: `${refundId}:${amountMinor}`,
        providerPaymentId: id,
        status: isMade ? 'succeeded' : 'pending',
        amountMinor,
      };
    },

    lookup: {
      /** Compares what is left of the payment with the other booked refunds. */
      async fetch(providerRefundId, payment) {
        const amountMinor = Number(/^[\w-]+:(\d{1,12})$/.exec(providerRefundId)?.[1]);
        const now = Number.isNaN(amountMinor) ? null : await client.getState(payment.providerPaymentId);
        if (!now) return null;
        const others = payment.booked.filter((one) => one.providerRefundId !== providerRefundId);
        const isMade = isRefunded(now, { ...payment, booked: others }, amountMinor);
        const status = isMade ? 'succeeded' : REFUNDING.includes(now.Status) ? 'pending' : 'canceled';
        return { providerRefundId, providerPaymentId: now.PaymentId, status, amountMinor };
      },

      async list(payment) {
        const now = await client.getState(payment.providerPaymentId);
        if (!now) return [];
        const providerPaymentId = now.PaymentId;
        const booked = payment.booked.map((one) => ({ ...one, providerPaymentId, status: 'succeeded' as const }));
        const left = countLeft(now, payment);
        const rest = payment.amountMinor - left - sumBooked(payment);
        if (rest <= 0) return booked;
        const providerRefundId = `${providerPaymentId}-left:${left}`;
        return [...booked, { providerRefundId, providerPaymentId, status: 'succeeded', amountMinor: rest }];
      },
    },
  };
}

function readNotification({ terminalKey, password }: TbankOptions, body: Buffer): ReadNotification {
  const message = parseMessage(body.toString());
  const told = notification.safeParse(message);
  if (!message || !told.success) return { refusal: 'form' };
  const { TerminalKey, PaymentId, Status } = told.data;
  if (TerminalKey !== terminalKey || !isSigned(message, password)) return { refusal: 'sender' };
  // T-Bank also reports bound cards and printed receipts.
  if (!PaymentId) return { notification: { about: 'nothing' }, answer: ACKNOWLEDGEMENT };
  const hasMoneyGoneBack = Status === 'REFUNDED' || Status === 'PARTIAL_REFUNDED';
  return {
    notification: hasMoneyGoneBack
      ? { about: 'refund', providerRefundId: null, providerPaymentId: PaymentId }
      : { about: 'payment', providerPaymentId: PaymentId },
    answer: ACKNOWLEDGEMENT,
  };
}

/** T-Bank returns the payment page's address only when a payment is opened, so it is null here. */
function presentPayment({ PaymentId, OrderId, Status, Amount }: State, isTest: boolean): ProviderPayment {
  const isPaid = PAID.includes(Status);
  const isCanceled = CANCELED.includes(Status);
  return {
    providerPaymentId: PaymentId,
    paymentId: readOrderId(OrderId),
    status: isPaid ? 'succeeded' : isCanceled ? 'canceled' : 'pending',
    // After a refund T-Bank tells only what is left.
    amountMinor: isPaid && Status !== 'CONFIRMED' ? null : Amount,
    currency: 'RUB',
    isTest,
    awaitsBuyer: AWAITS_BUYER.includes(Status),
    paymentUrl: null,
    payableUntil: null,
    cancellationReason: isCanceled ? Status.toLowerCase() : null,
  };
}

/** Whether a refund has been made in addition to the booked ones. */
function isRefunded(now: Pick<State, 'Status' | 'Amount'>, payment: RefundedPayment, amountMinor: number): boolean {
  if (REFUNDING.includes(now.Status)) return false;
  return payment.amountMinor - countLeft(now, payment) >= sumBooked(payment) + amountMinor;
}

/** What is left of a payment, in kopecks. While a refund is in progress this is not certain. */
function countLeft({ Status, Amount }: Pick<State, 'Status' | 'Amount'>, payment: RefundedPayment): number {
  if (Status === 'REFUNDED') return 0;
  return Status === 'PARTIAL_REFUNDED' ? Amount : payment.amountMinor - sumBooked(payment);
}

function sumBooked({ booked }: RefundedPayment): number {
  return booked.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** In T-Bank's format: 2026-11-23T15:04:05+03:00 */
function formatMoscowTime(date: Date): string {
  return `${new Date(date.getTime() + MOSCOW_OFFSET_MS).toISOString().slice(0, 19)}+03:00`;
}
