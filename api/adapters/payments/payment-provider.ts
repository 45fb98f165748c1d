/** An invoice to be opened. */
export interface NewPayment {
  /** Our payment's id. */
  orderId: string;
  /** Makes a repeat of the call open nothing new; at most 64 characters. */
  idempotenceKey: string;
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
  /** Null for a payment that is not ours. */
  orderId: string | null;
  status: 'pending' | 'succeeded' | 'canceled';
  amountMinor: number;
  /** ISO 4217. */
  currency: string;
  /** No money moves: a test shop, or the sandbox. */
  isTest: boolean;
  /** Pending, and the provider has taken no money yet, nor put any aside: the buyer still has to pay. */
  awaitsBuyer: boolean;
  /** Where the buyer pays, while it is pending. */
  paymentUrl: string | null;
  /** Until when; null where the provider does not say. */
  payableUntil: Date | null;
  cancellationReason: string | null;
}

export interface NewRefund {
  /** Our refund's id; a repeat of the call refunds nothing more. */
  refundId: string;
  providerPaymentId: string;
  amountMinor: number;
  /** One line, at most 128 characters. */
  description: string;
  receiptItem: string;
  /** Null for a buyer of Telegram. */
  buyerEmail: string | null;
}

export interface ProviderRefund {
  providerRefundId: string;
  providerPaymentId: string;
  status: 'pending' | 'succeeded' | 'canceled';
  amountMinor: number;
}

/** What a notification is about; nothing else of it is believed. */
export type PaymentNotification =
  | { about: 'payment'; providerPaymentId: string }
  | { about: 'refund'; providerRefundId: string; providerPaymentId: string }
  /** Genuine in form, but of no concern to us. */
  | { about: 'nothing' };

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

/**
 * Somebody who takes money for us. Every call may be repeated, and then changes nothing more. All but parseNotification
 * throw PaymentRefusedError and PaymentProviderUnavailableError.
 */
export interface PaymentProvider {
  /** In addresses and in the table of payments. */
  readonly name: string;
  /** Whether its payments are tests, in which no money moves. */
  readonly isTest: boolean;
  create(payment: NewPayment): Promise<ProviderPayment>;
  /** Null for an id that the provider does not know. A call that `signal` aborts throws PaymentProviderUnavailableError. */
  fetch(providerPaymentId: string, signal?: AbortSignal): Promise<ProviderPayment | null>;
  refund(refund: NewRefund): Promise<ProviderRefund>;
  /** Null for an id that the provider does not know. */
  fetchRefund(providerRefundId: string): Promise<ProviderRefund | null>;
  /** Every refund of a payment, whoever made it; none for an id that the provider does not know. */
  listRefunds(providerPaymentId: string): Promise<ProviderRefund[]>;
  /** Whether notifications are taken from this address. */
  isTrustedAddress(ip: string): boolean;
  /** Null for a body that is no notification of this provider. */
  parseNotification(body: unknown): PaymentNotification | null;
}
