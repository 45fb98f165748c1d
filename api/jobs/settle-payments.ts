import type { AppContext } from '#api/services/app-context.ts';
import { reconcileStarSales } from '#api/services/payments/reconcile-telegram-stars.ts';
import { settlePayments, warnOfUnreachable } from '#api/services/payments/settle-payments.ts';

/** Asks the providers about everything that no notification has decided. */
export async function workOnPayments(app: AppContext): Promise<void> {
  await warnOfUnreachable(app);
  await app.queue.work('settle-payments', { concurrency: 1 }, (_payload, signal) => settlePayments(app, signal));
  await app.queue.work('reconcile-star-sales', { concurrency: 1 }, (_payload, signal) =>
    reconcileStarSales(app, signal),
  );
}
