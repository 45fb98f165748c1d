import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';

const roubles = z.number().nonnegative();

export const starPackage = z.object({
  id: z.int(),
  name: z.string(),
  stars: z.int().positive(),
  /** Roubles; kopecks are its fraction. */
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

/**
 * Only the package counts; price, stars and buyer are the server's to know. Takes an Idempotency-Key, and as
 * X-Agreed-Price the price in kopecks that the buyer has seen: at another one nothing is opened.
 */
export const createInvoice = defineEndpoint({
  method: 'POST',
  path: '/api/payments/create-invoice',
  summary: 'Opens an invoice at the payment provider',
  access: 'verified',
  body: z.object({ packageId: z.int32() }),
  answer: z.object({
    /** Where the browser goes to pay. */
    paymentUrl: z.string(),
    invoiceId: z.uuid(),
  }),
  errors: [
    'package_unknown',
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
});
export type Invoice = z.infer<typeof invoice>;

/** The provider's return address carries the id, so that the result page also works in a browser without the session. */
export const getInvoice = defineEndpoint({
  method: 'GET',
  path: '/api/payments/invoices/:id',
  summary: 'What became of an invoice; whoever knows its unguessable id may ask',
  access: 'public',
  params: z.object({ id: z.string().max(64) }),
  answer: invoice,
  errors: ['invoice_not_found', 'too_many_requests'],
});

/** For a return without the id, and for the `purchase` event. */
export const getLastInvoice = defineEndpoint({
  method: 'GET',
  path: '/api/payments/last-invoice',
  summary: 'The newest invoice of the account; null when there is none',
  access: 'account',
  answer: z.object({ invoice: invoice.nullable() }),
});

/** Notifications carry no signature; what they claim is read back from the provider. The body is the provider's own. */
export const receivePaymentNotification = defineEndpoint({
  method: 'POST',
  path: '/api/payments/webhook/:provider',
  summary: 'A notification of the payment provider',
  access: 'public',
  params: z.object({ provider: z.string().max(40) }),
  body: z.unknown(),
});
