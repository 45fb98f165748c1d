import { z } from 'zod';
import { getConsent } from '#pwa/lib/consent.ts';
import { readStored, writeStored } from '#pwa/lib/storage.ts';
import { trackEvent } from '#pwa/lib/tag-manager.ts';
import type { Invoice } from '#shared/contract/payments.ts';

const KEY = 'reportedPurchase';

/** Adds a paid invoice to the data layer, once however often its page is opened; nothing before cookies are accepted. */
export async function reportPurchase(userId: number, invoice: Invoice): Promise<void> {
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
