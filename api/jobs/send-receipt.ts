import type { AppContext } from '#api/services/app-context.ts';
import { sendPurchaseReceipt, sendRefundReceipt } from '#api/services/payments/receipts.ts';

/** Mails what was paid, or what goes back. */
export function workOnReceipts(app: AppContext): Promise<void> {
  return app.queue.work('send-receipt', { concurrency: 1 }, (what) =>
    'paymentId' in what ? sendPurchaseReceipt(app, what.paymentId) : sendRefundReceipt(app, what.refundId),
  );
}
