import type { IncomingHttpHeaders } from 'node:http';

export interface NewPayment {
  /**
   * `paymentId`: our payment's UUID. `attempt`: how often opening it was refused before. Each pair has its own order
   * id, in the provider's format. The provider sends `paymentId` back, inside the order id or in another field.
   */
  paymentId: string;
  attempt: number;
  /** In kopecks, because buyers on the site pay in roubles. */
  amountMinor: number;
  /** One line for the buyer, at most 128 characters. */
  description: string;
  /** Where the buyer returns to, paid or not. */
  returnUrl: string;
  /** The only item on the receipt of 54-ФЗ, at most 128 characters. `buyerEmail`: where the receipt goes. */
  receiptItem: string;
  buyerEmail: string;
}

export interface ProviderPayment {
  providerPaymentId: string;
  /** Our id. Null for a payment that is not ours. */
  paymentId: string | null;
  status: 'pending' | 'succeeded' | 'canceled';
  /** In minor units of the currency. Null when the provider only tells what is left after refunds. */
  amountMinor: number | null;
  /** ISO 4217, or XTR. */
  currency: string;
  /** No money moves: a test shop or the sandbox. */
  isTest: boolean;
  /** The payment is pending and the provider has neither taken nor reserved money, so the buyer still has to pay. */
  awaitsBuyer: boolean;
  /**
   * Where the buyer pays while the payment is pending. Some providers return it only from the call that opens the
   * payment.
   */
  paymentUrl: string | null;
  /** When the page expires. Null when the provider does not say. */
  payableUntil: Date | null;
  cancellationReason: string | null;
}

/** Takes money on a page of the provider. All calls throw PaymentRefusedError and PaymentProviderUnavailableError. */
export interface Checkout {
  /**
   * Opens a payment. A repeat of the same attempt returns the same payment. A provider that cannot do that returns a
   * new one that nobody has seen, and the caller keeps the first.
   */
  create(payment: NewPayment): Promise<ProviderPayment>;
  /** Null for an id that the provider does not know. Throws PaymentProviderUnavailableError when `signal` aborts. */
  fetch(providerPaymentId: string, signal?: AbortSignal): Promise<ProviderPayment | null>;
  /** Resolves when the provider answers and knows our keys. Changes nothing. Throws PaymentProviderUnavailableError. */
  check(): Promise<void>;
}

export interface NewRefund {
  /** Our refund's id. Repeating the call refunds nothing more. */
  refundId: string;
  payment: RefundedPayment;
  /** In minor units of the payment's currency. */
  amountMinor: number;
  /** One line, at most 128 characters. */
  description: string;
  receiptItem: string;
  /** Null for a buyer in Telegram. */
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

/** A payment with refunds: what was paid, and which refunds are booked as made. */
export interface RefundedPayment {
  providerPaymentId: string;
  amountMinor: number;
  booked: Pick<ProviderRefund, 'providerRefundId' | 'amountMinor'>[];
}

/** Gives money back. All calls throw PaymentRefusedError and PaymentProviderUnavailableError. */
export interface Refunds {
  submit(refund: NewRefund): Promise<ProviderRefund>;
  /** Absent when a refund is made or refused at once and cannot be looked up later. */
  readonly lookup?: RefundLookup;
}

export interface RefundLookup {
  /** The state of a pending refund. Null for one that the provider does not know. */
  fetch(providerRefundId: string, payment: RefundedPayment): Promise<ProviderRefund | null>;
  /**
   * Every refund of a payment, whoever made it. Empty for an id that the provider does not know. A provider that only
   * tells the total returns the booked refunds, and the amount beyond them as one more.
   */
  list(payment: RefundedPayment): Promise<ProviderRefund[]>;
}

/** What a notification is about. Nothing else in it is trusted. */
export type PaymentNotification =
  | { about: 'payment'; providerPaymentId: string }
  /** `providerRefundId` is null when the provider has no ids for refunds. */
  | { about: 'refund'; providerRefundId: string | null; providerPaymentId: string }
  /** Genuine, but irrelevant to us. */
  | { about: 'nothing' };

/** The fields of a receipt of 54-ФЗ as the operator sets them. They are YooKassa's codes for every provider. */
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

export interface NotificationRequest {
  headers: IncomingHttpHeaders;
  /** The raw bytes, because a signature may cover them. */
  body: Buffer;
  /** The sender's address, as far as the proxies in front of us can be trusted. */
  address: string;
}

/** The answer that the sender expects once the notification is booked. After any other answer it sends again. */
export interface NotificationAnswer {
  status: number;
  contentType?: string;
  body?: string;
}

export type ReadNotification =
  | { notification: PaymentNotification; answer: NotificationAnswer }
  /** `sender`: the sender or the signature is unknown. `form`: not a notification of this provider. */
  | { refusal: 'sender' | 'form' };

export interface Notifications {
  read(request: NotificationRequest): ReadNotification;
}

/** The provider refused, and would refuse the same call again. `reason`: the provider's own words. */
export class PaymentRefusedError extends Error {
  readonly reason: string;
  constructor(reason: string, options?: ErrorOptions) {
    super(`the payment provider refused: ${reason}`, options);
    this.name = 'PaymentRefusedError';
    this.reason = reason;
  }
}

/** The provider could not be reached, or its answer could not be read. Whether the call took effect is unknown. */
export class PaymentProviderUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PaymentProviderUnavailableError';
  }
}

/**
 * Takes money for us. The optional parts say what a provider supports. Every call may be repeated, and repeats change
 * nothing.
 */
export interface PaymentProvider {
  /** Used in addresses and in the table of payments. */
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

export interface PaymentRegistry {
  /** The providers in PAYMENTS, which open new payments. The first is the default. */
  readonly offered: readonly CheckoutProvider[];
  /**
   * These and the others that may have taken money for us. The others are asked about their payments but offer no new
   * ones.
   */
  readonly all: readonly PaymentProvider[];
  /** Null for a provider that is not configured. */
  find(name: string): PaymentProvider | null;
}
