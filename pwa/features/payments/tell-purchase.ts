import { toast } from '#pwa/components/toast.ts';
import { ignoreFailure } from '#pwa/lib/storage.ts';
import type { Invoice } from '#shared/contract/payments.ts';
import { settlePaymentReturn } from './payment-return.ts';
import { PAYMENT_TEXTS } from './payment-texts.ts';
import { announcePurchase } from './purchase-news.ts';
import { reportPurchase } from './report-purchase.ts';

/** Says that the stars have come, has every open tab ask for what they change, and counts the purchase. */
export function tellPurchase(userId: number, paid: Invoice): void {
  toast({ title: PAYMENT_TEXTS.succeeded, description: PAYMENT_TEXTS.succeededHint, tone: 'success' });
  announcePurchase(userId);
  ignoreFailure(reportPurchase(userId, paid));
  ignoreFailure(settlePaymentReturn(userId, paid.id));
}
