import * as z from 'zod/mini';
import { toast } from '#pwa/components/toast.ts';
import { ignoreFailure, readStored, writeStored } from '#pwa/device/storage.ts';
import { listenToTabs, tellTabs } from '#pwa/device/tab-channel.ts';
import { cookieConsent } from '#pwa/features/consent/consent.ts';
import { trackEvent } from '#pwa/features/consent/tag-manager.ts';
import type { Invoice } from '#shared/contract/payments.ts';
import { settlePaymentReturn } from './payment-return.ts';
import { PAYMENT_TEXTS } from './payment-texts.ts';

const KEY = 'reportedPurchase';
const CHANNEL = 'podium.purchases';
const purchaseNews = z.object({ userId: z.int() });

/** Announces a paid invoice: shows a toast, makes every open tab refresh its data, and tracks the purchase. */
export function announcePurchase(userId: number, paid: Invoice): void {
  toast({ title: PAYMENT_TEXTS.succeeded, description: PAYMENT_TEXTS.succeededHint, tone: 'success' });
  tellTabs(CHANNEL, { userId } satisfies z.infer<typeof purchaseNews>);
  ignoreFailure(reportPurchase(userId, paid));
  ignoreFailure(settlePaymentReturn(userId, paid.id));
}

/**
 * Adds a paid invoice to the data layer, once, however often its page is opened. Does nothing before cookies are
 * accepted.
 */
async function reportPurchase(userId: number, invoice: Invoice): Promise<void> {
  if (cookieConsent.get() !== 'accepted') return;
  if ((await readStored(userId, KEY, z.string())) === invoice.id) return;
  await writeStored(userId, KEY, invoice.id);
  trackEvent('purchase', {
    transaction_id: invoice.id,
    value: invoice.amountRub,
    currency: 'RUB',
    items: [{ item_name: invoice.packageName, price: invoice.amountRub, quantity: 1, stars: invoice.stars }],
  });
}

/** Calls the listener with the buyer's id. Returns the function that unsubscribes. */
export function subscribePurchases(listener: (userId: number) => void): () => void {
  return listenToTabs(CHANNEL, (message) => {
    const news = purchaseNews.safeParse(message);
    if (news.success) listener(news.data.userId);
  });
}
