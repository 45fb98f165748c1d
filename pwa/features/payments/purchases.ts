import * as z from 'zod/mini';
import { toast } from '#pwa/components/toast.ts';
import { ignoreFailure, readStored, writeStored } from '#pwa/device/storage.ts';
import { getConsent } from '#pwa/features/consent/consent.ts';
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
  broadcastPurchase(userId);
  ignoreFailure(reportPurchase(userId, paid));
  ignoreFailure(settlePaymentReturn(userId, paid.id));
}

/**
 * Adds a paid invoice to the data layer, once, however often its page is opened. Does nothing before cookies are
 * accepted.
 */
async function reportPurchase(userId: number, invoice: Invoice): Promise<void> {
  if (getConsent() !== 'accepted') return;
  if ((await readStored(userId, KEY, z.string())) === invoice.id) return;
  await writeStored(userId, KEY, invoice.id);
  trackEvent('purchase', {
    transaction_id: invoice.id,
    value: invoice.amountRub,
    currency: 'RUB',
    items: [{ item_name: invoice.packageName, price: invoice.amountRub, quantity: 1, stars: invoice.stars }],
  });
}

/** Notifies every open tab of this browser, including this one, of the account's purchase. */
function broadcastPurchase(userId: number): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ userId } satisfies z.infer<typeof purchaseNews>);
  channel.close();
}

/** Calls the listener with the buyer's id. Returns the function that unsubscribes. */
export function subscribePurchases(listener: (userId: number) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    const news = purchaseNews.safeParse(data);
    if (news.success) listener(news.data.userId);
  };
  return () => channel.close();
}
