import { PaymentProviderUnavailableError } from '#api/adapters/payments/payment-provider.ts';
import type { AppContext } from '#api/app-context.ts';
import { checkPayment } from './check-payment.ts';
import { pursueRefund } from './refund-outcome.ts';

const BATCH = 200;
/** A call that is still under way is not to be disturbed. */
const UNDER_WAY_MS = 60_000;

/**
 * Asks the provider about pending payments, each after a minute, then ever more rarely the older it is, at last every
 * six hours; and about pending refunds every time. Stops early when the provider cannot be reached.
 */
export async function settlePayments(app: AppContext, signal: AbortSignal): Promise<void> {
  try {
    for (const paymentId of await findDuePayments(app)) {
      if (signal.aborted) return;
      await settleOne(app, { paymentId }, () => settlePayment(app, paymentId));
    }
    for (const refund of await findPendingRefunds(app)) {
      if (signal.aborted) return;
      await settleOne(app, { refundId: refund.id }, () => pursueRefund(app, refund));
    }
  } catch (error) {
    if (!(error instanceof PaymentProviderUnavailableError)) throw error;
    app.log.warn({ err: error }, 'pending payments are left to the next look');
  }
}

/** The others must not wait for one that cannot be settled, unless none can. */
async function settleOne(app: AppContext, ids: object, settle: () => Promise<void>): Promise<void> {
  try {
    await settle();
  } catch (error) {
    if (error instanceof PaymentProviderUnavailableError) throw error;
    app.log.error({ err: error, ...ids }, 'a pending payment or refund could not be settled');
  }
}

async function settlePayment(app: AppContext, paymentId: string): Promise<void> {
  const payment = await app.db.payment.update({ where: { id: paymentId }, data: { checkedAt: new Date() } });
  if (payment.status === 'pending') await checkPayment(app, payment);
}

function findPendingRefunds(app: AppContext) {
  return app.db.refund.findMany({
    where: {
      status: 'pending',
      createdAt: { lt: new Date(Date.now() - UNDER_WAY_MS) },
      payment: { provider: app.payments.name },
    },
    include: { payment: true },
    orderBy: { createdAt: 'asc' },
    take: BATCH,
  });
}

async function findDuePayments(app: AppContext): Promise<string[]> {
  const rows = await app.db.$queryRaw<{ id: string }[]>`
    select id from payments
    where status = 'pending' and provider = ${app.payments.name}
      and coalesce(checked_at, created_at)
        < now() - greatest(interval '1 minute', least((now() - created_at) / 10, interval '6 hours'))
    order by checked_at nulls first limit ${BATCH}`;
  return rows.map(({ id }) => id);
}
