import type { AppContext } from '#api/app-context.ts';
import { reconcileStarSales } from '#api/services/reconcile-star-sales.ts';
import { settlePayments } from '#api/services/settle-payments.ts';

/** Asks the providers about everything that no notification has decided. */
export async function workOnPayments(app: AppContext): Promise<void> {
  await app.queue.work('settle-payments', { concurrency: 1 }, (_payload, signal) => settlePayments(app, signal));
  await app.queue.work('reconcile-star-sales', { concurrency: 1 }, (_payload, signal) =>
    reconcileStarSales(app, signal),
  );
}
