import type { AppContext } from '#api/app-context.ts';
import { settlePayments } from '#api/services/settle-payments.ts';

/** Asks the provider about everything that no notification has decided. */
export function workOnPayments(app: AppContext): Promise<void> {
  return app.queue.work('settle-payments', { concurrency: 1 }, (_payload, signal) => settlePayments(app, signal));
}
