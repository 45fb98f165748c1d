import * as z from 'zod/mini';
import { readStored, writeStored } from '#pwa/device/storage.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { isOwnPath } from '#shared/rules/own-path.ts';

const KEY = 'paymentReturn';

const paymentReturn = z.object({
  invoiceId: z.string(),
  /** A path of this site with its query. */
  path: z.string().check(z.refine(isOwnPath)),
  /** The text of the link to it. */
  label: z.string(),
  /** What the stars were bought for: «Фотосессия по 1 фото», «Скачать видео». */
  purpose: z.string(),
  /** Whether the person knows the outcome of the invoice. */
  isSettled: z.boolean(),
});
/** The newest invoice paid from this device, and where its buyer goes on. */
export type PaymentReturn = z.infer<typeof paymentReturn>;

export function savePaymentReturn(userId: number, place: PaymentReturn): Promise<void> {
  return writeStored(userId, KEY, place);
}

/** Null when no payment has begun on this device. */
export function readPaymentReturn(userId: number): Promise<PaymentReturn | null> {
  return readStored(userId, KEY, paymentReturn);
}

/** Records that the person knows the outcome of the invoice. */
export async function settlePaymentReturn(userId: number, invoiceId: string): Promise<void> {
  const place = await readPaymentReturn(userId);
  if (place?.invoiceId === invoiceId && !place.isSettled)
    await savePaymentReturn(userId, { ...place, isSettled: true });
}

/** Pages from which stars are bought for nothing in particular. The main page has a button of its own. */
const PLACES_WITHOUT_PURPOSE: readonly string[] = [PATHS.app, PATHS.stars, PATHS.settings];

/** The page to continue with after a payment; null for a page that needed no stars. */
export function findWayBack(place: PaymentReturn | null, invoiceId: string): PaymentReturn | null {
  if (place?.invoiceId !== invoiceId) return null;
  const [pathname = ''] = place.path.split(/[?#]/);
  return PLACES_WITHOUT_PURPOSE.includes(pathname) || pathname.startsWith('/payment/') ? null : place;
}
