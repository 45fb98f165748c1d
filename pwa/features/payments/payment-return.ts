import { z } from 'zod';
import { readStored, writeStored } from '#pwa/lib/storage.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

const KEY = 'paymentReturn';

const paymentReturn = z.object({
  invoiceId: z.string(),
  /** A path of this site with its query. */
  path: z.string().regex(/^\/(?![/\\])/),
  title: z.string(),
  /** The person has been told what became of the invoice. */
  isSettled: z.boolean(),
});
/** The newest invoice that this device went to pay, and the page on which it did. */
export type PaymentReturn = z.infer<typeof paymentReturn>;

export function savePaymentReturn(userId: number, place: PaymentReturn): Promise<void> {
  return writeStored(userId, KEY, place);
}

/** Null when nothing was bought on this device. */
export function readPaymentReturn(userId: number): Promise<PaymentReturn | null> {
  return readStored(userId, KEY, paymentReturn);
}

/** The person knows what became of the invoice. */
export async function settlePaymentReturn(userId: number, invoiceId: string): Promise<void> {
  const place = await readPaymentReturn(userId);
  if (place?.invoiceId === invoiceId && !place.isSettled)
    await savePaymentReturn(userId, { ...place, isSettled: true });
}

/** The page to go on with after an invoice; null for the main page, to which a button leads anyway. */
export function findWayBack(place: PaymentReturn | null, invoiceId: string): PaymentReturn | null {
  if (place?.invoiceId !== invoiceId) return null;
  const [pathname = ''] = place.path.split(/[?#]/);
  return pathname === PATHS.app || pathname.startsWith('/payment/') ? null : place;
}
