import type { IncomingHttpHeaders } from 'node:http';

/** An invoice to be opened. */
export interface NewPayment {
  /**
   * Our payment's id, a UUID, and how often opening it was refused before. Of both a provider makes an order id in its own
   * form and length, and finds the payment's id again in what it is told of that order.
   */
  paymentId: string;
  attempt: number;
  /** In kopecks: buyers of the site pay in roubles. */
  amountMinor: number;
  /** One line for the buyer, at most 128 characters. */
  description: string;
  /** Where the buyer is sent afterwards, paid or not. */
  returnUrl: string;
  /** The one thing on the receipt of 54-ФЗ, at most 128 characters, and who gets it. */
  receiptItem: string;
  buyerEmail: string;
}

/** A payment as its provider knows it. */
export interface ProviderPayment {
  providerPaymentId: string;
  /** Ours; null for a payment that is not. */
  paymentId: string | null;
  status: 'pending' | 'succeeded' | 'canceled';
  /** In minor units of the currency; null where the provider tells only what is left after refunds. */
  amountMinor: number | null;
  /** ISO 4217, or XTR. */
  currency: string;
  /** No money moves: a test shop, or the sandbox. */
  isTest: boolean;
  /** Pending, and the provider has taken no money yet, nor put any aside: the buyer still has to pay. */
  awaitsBuyer: boolean;
  /** Where the buyer pays, while it is pending. Some providers tell it only to the call that has opened the payment. */
  paymentUrl: string | null;
  /** Until when; null where the provider does not say. */
  payableUntil: Date | null;
  cancellationReason: string | null;
}

/** Takes money on a page of the provider's. All calls throw PaymentRefusedError and PaymentProviderUnavailableError. */
export interface Checkout {
  /**
   * Opens a payment. A repeat with the same attempt answers the same payment, or, where the provider cannot do that, one
   * that nobody else has seen: the caller keeps the first.
   */
  create(payment: NewPayment): Promise<ProviderPayment>;
  /** Null for an id that the provider does not know. A call that `signal` aborts throws PaymentProviderUnavailableError. */
  fetch(providerPaymentId: string, signal?: AbortSignal): Promise<ProviderPayment | null>;
}

export interface NewRefund {
  /** Our refund's id; a repeat of the call refunds nothing more. */
  refundId: string;
  payment: RefundedPayment;
  /** In minor units of the payment's currency. */
  amountMinor: number;
  /** One line, at most 128 characters. */
  description: string;
  receiptItem: string;
  /** Null for a buyer of Telegram. */
  buyerEmail: string | null;
}

export interface ProviderRefund {
  /** Unique among all providers. */
  providerRefundId: string;
  providerPaymentId: string;
  status: 'pending' | 'succeeded' | 'canceled';
  /** In minor units of the payment's currency. */
  amountMinor: number;
}

/** A payment that is refunded: what was paid, and which of its refunds are booked as made. */
export interface RefundedPayment {
  providerPaymentId: string;
  amountMinor: number;
  booked: Pick<ProviderRefund, 'providerRefundId' | 'amountMinor'>[];
}

/** Gives money back. All calls throw PaymentRefusedError and PaymentProviderUnavailableError. */
export interface Refunds {
  submit(refund: NewRefund): Promise<ProviderRefund>;
  /** Absent where a refund is made or refused at once, and cannot be asked about afterwards. */
  readonly lookup?: RefundLookup;
}

export interface RefundLookup {
  /** What became of a refund that was pending; null for one that the provider does not know. */
  fetch(providerRefundId: string, payment: RefundedPayment): Promise<ProviderRefund | null>;
  /**
   * Every refund of a payment, whoever made it; none for an id that the provider does not know. A provider that tells only
   * how much went back in all answers the booked ones, and what is beyond them as one more.
   */
  list(payment: RefundedPayment): Promise<ProviderRefund[]>;
}

/** What a notification is about; nothing else of it is believed. */
export type PaymentNotification =
  | { about: 'payment'; providerPaymentId: string }
  /** `providerRefundId` is null where the provider gives its refunds no ids. */
  | { about: 'refund'; providerRefundId: string | null; providerPaymentId: string }
  /** Genuine, but of no concern to us. */
  | { about: 'nothing' };

/** The fields of a receipt of 54-ФЗ, as the operator sets them: in YooKassa's codes, whatever the provider. */
export interface ReceiptSettings {
  /** `vat_code`. */
  vatCode: number;
  /** `payment_subject`. */
  subject: string;
  /** `payment_mode`. */
  mode: 'full_payment' | 'full_prepayment';
  /** `tax_system_code`. */
  taxSystem?: number | undefined;
}

/** A request to our webhook, as it came. */
export interface NotificationRequest {
  headers: IncomingHttpHeaders;
  /** The bytes that a signature may be about. */
  body: Buffer;
  /** The sender's, as far as the proxies before us can be trusted. */
  address: string;
}

/** What the sender waits for, once the notification is booked. Anything else makes it send again. */
export interface NotificationAnswer {
  status: number;
  contentType?: string;
  body?: string;
}

export type ReadNotification =
  | { notification: PaymentNotification; answer: NotificationAnswer }
  /** Sent by somebody else, or signed by nobody we know; or no notification of this provider at all. */
  | { refusal: 'sender' | 'form' };

/** Hears from the provider by itself. */
export interface Notifications {
  read(request: NotificationRequest): ReadNotification;
}

/** The provider refused, for good: the same call would be refused again. `reason` is the provider's own word. */
export class PaymentRefusedError extends Error {
  readonly reason: string;
  constructor(reason: string, options?: ErrorOptions) {
    super(`the payment provider refused: ${reason}`, options);
    this.name = 'PaymentRefusedError';
    this.reason = reason;
  }
}

/** The provider could not be asked, or its answer could not be read: what became of the call is unknown. */
export class PaymentProviderUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PaymentProviderUnavailableError';
  }
}

/** Somebody who takes money for us, with the parts that it has. Every call may be repeated, and then changes nothing more. */
export interface PaymentProvider {
  /** In addresses and in the table of payments. */
  readonly name: string;
  /** Whether its payments are tests, in which no money moves. */
  readonly isTest: boolean;
  readonly checkout?: Checkout;
  readonly refunds?: Refunds;
  /** At /api/payments/webhook/<name>. */
  readonly notifications?: Notifications;
}

/** A provider that buyers of the site can be sent to. */
export type CheckoutProvider = PaymentProvider & { readonly checkout: Checkout };

/** All providers whose settings are there. */
export interface PaymentRegistry {
  /** Those of PAYMENTS, which new payments are opened with; the first is the usual one. */
  readonly offered: readonly CheckoutProvider[];
  /** These and all others that may have taken money for us: they are asked about their payments, and offered to nobody. */
  readonly all: readonly PaymentProvider[];
  /** Null for a provider whose settings are not there. */
  find(name: string): PaymentProvider | null;
}
