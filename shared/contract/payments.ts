import * as z from 'zod/mini';
import { defineEndpoint } from './endpoint.ts';

const roubles = z.number().check(z.nonnegative());

export const starPackage = z.object({
  id: z.int(),
  name: z.string(),
  stars: z.int().check(z.positive()),
  /** In roubles, with kopecks as fraction. */
  priceRub: roubles,
});
export type StarPackage = z.infer<typeof starPackage>;

export const listStarPackages = defineEndpoint({
  method: 'GET',
  path: '/api/payments/star-packages',
  summary: 'Packages of stars that are for sale, the smallest first',
  access: 'public',
  answer: z.array(starPackage),
});

export const listPaymentProviders = defineEndpoint({
  method: 'GET',
  path: '/api/payments/providers',
  summary: 'Payment providers that a buyer can choose among, by name, the usual one first',
  access: 'public',
  answer: z.object({ providers: z.array(z.string()).check(z.minLength(1)) }),
});

/**
 * The client names the package, and the provider if the buyer has chosen one. The server knows price, stars and buyer.
 * Takes an Idempotency-Key, and as X-Agreed-Price the price in kopecks that the buyer has seen; at another price
 * nothing is opened.
 */
export const createInvoice = defineEndpoint({
  method: 'POST',
  path: '/api/payments/create-invoice',
  summary: 'Opens an invoice at the payment provider',
  access: 'verified',
  body: z.object({
    packageId: z.int32('Пожалуйста, выберите пакет звезд'),
    /** One of the offered providers. The default if absent. */
    provider: z.optional(z.string().check(z.maxLength(40))),
  }),
  answer: z.object({
    paymentUrl: z.string(),
    invoiceId: z.uuid(),
  }),
  errors: [
    'package_unknown',
    'payment_provider_unknown',
    'price_changed',
    'too_many_invoices',
    'payment_not_created',
    'idempotency_key_reused',
    'too_many_requests',
  ],
});

export const INVOICE_STATUSES = ['pending', 'succeeded', 'canceled'] as const;
export const invoice = z.object({
  id: z.uuid(),
  status: z.enum(INVOICE_STATUSES),
  packageName: z.string(),
  stars: z.int(),
  amountRub: roubles,
  createdAt: z.iso.datetime(),
  /** Where and until when the buyer can still pay. Null when that is over or the invoice was dismissed. */
  paymentUrl: z.nullable(z.string()),
  payableUntil: z.nullable(z.iso.datetime()),
});
export type Invoice = z.infer<typeof invoice>;

const lookedUpInvoice = z.extend(invoice, {
  /** The provider has just confirmed that it waits for the buyer: nothing is paid or in progress. */
  isUnpaid: z.boolean(),
  isDismissed: z.boolean(),
});
export type LookedUpInvoice = z.infer<typeof lookedUpInvoice>;

const invoiceParams = z.object({ id: z.string().check(z.maxLength(64)) });

/**
 * The provider's return address contains the id, so the result page also works in a browser without the session.
 * Signed-in people may only ask about their own invoices.
 */
export const getInvoice = defineEndpoint({
  method: 'GET',
  path: '/api/payments/invoices/:id',
  summary: 'What became of an invoice; a visitor who knows its unguessable id may ask, of accounts only its own',
  access: 'public',
  params: invoiceParams,
  answer: lookedUpInvoice,
  errors: ['invoice_not_found', 'invoice_forbidden', 'too_many_requests'],
});

/** For a return without the id. */
export const getLastInvoice = defineEndpoint({
  method: 'GET',
  path: '/api/payments/last-invoice',
  summary: 'The newest invoice of the account; null when there is none',
  access: 'account',
  answer: z.object({ invoice: z.nullable(lookedUpInvoice) }),
});

export const listUnpaidInvoices = defineEndpoint({
  method: 'GET',
  path: '/api/payments/unpaid-invoices',
  summary: 'Invoices of the account that it can go on paying, the newest first',
  access: 'account',
  answer: z.object({ invoices: z.array(invoice) }),
});

/**
 * Somebody with the payment page open can still pay, and that counts, because no provider cancels an unpaid invoice.
 */
export const dismissInvoice = defineEndpoint({
  method: 'POST',
  path: '/api/payments/invoices/:id/dismiss',
  summary: 'The buyer does not want to pay an invoice any more; again changes nothing',
  access: 'account',
  params: invoiceParams,
  errors: ['invoice_not_found', 'invoice_forbidden', 'invoice_paid'],
});

/** The facts are read back from the provider. Body, content type and answer follow the provider's format. */
export const receivePaymentNotification = defineEndpoint({
  method: 'POST',
  path: '/api/payments/webhook/:provider',
  summary: 'A notification of the payment provider',
  access: 'public',
  params: z.object({ provider: z.string().check(z.maxLength(40)) }),
  body: z.unknown(),
});
