import { PaymentProviderUnavailableError } from '#api/adapters/payments/payment-provider.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { checkPayment } from './check-payment.ts';
import { type PendingRefund, settleRefund } from './settle-refund.ts';

const BATCH = 200;
/** A younger payment may have a call in progress that must not be disturbed. */
const IN_PROGRESS_MS = 60_000;

/** After so many unanswered calls in a row the provider counts as unreachable. */
const UNANSWERED_MAX = 3;

interface Unsettled {
  ids: object;
  settle: () => Promise<void>;
}

/**
 * Checks the pending payments of each provider: first after a minute, then less often the older a payment is, finally
 * every six hours. Checks pending refunds every time.
 */
export async function settlePayments(app: AppContext, signal: AbortSignal): Promise<void> {
  for (const { name } of app.payments.all) {
    const payments = await findDuePayments(app, name);
    await settleAll(
      app,
      payments.map((paymentId) => ({ ids: { paymentId }, settle: () => settlePayment(app, paymentId) })),
      signal,
    );
    const refunds = await findPendingRefunds(app, name);
    await settleAll(
      app,
      refunds.map((refund) => ({ ids: { refundId: refund.id }, settle: () => settleRefund(app, refund) })),
      signal,
    );
  }
}

/**
 * Warns the operator about money that cannot be checked: pending payments and refunds whose provider is no longer
 * configured. The sandbox is left out, because no money moves there.
 */
export async function warnOfUnreachable(app: AppContext): Promise<void> {
  const known = ['sandbox', ...app.payments.all.map(({ name }) => name)];
  const unreachable = { provider: { notIn: known } };
  const payments = await app.db.payment.groupBy({
    by: ['provider'],
    where: { ...unreachable, status: 'pending' },
    _count: true,
  });
  const refunds = await app.db.refund.findMany({
    where: { status: 'pending', payment: unreachable },
    select: { payment: { select: { provider: true } } },
  });
  for (const provider of new Set([...payments, ...refunds.map(({ payment }) => payment)].map((one) => one.provider))) {
    app.log.warn(
      {
        provider,
        payments: payments.find((one) => one.provider === provider)?._count ?? 0,
        refunds: refunds.filter(({ payment }) => payment.provider === provider).length,
      },
      'pending payments or refunds belong to a provider without settings: set its keys again, or look in its dashboard',
    );
  }
}

/** One failure does not hold up the others. If nothing is answered, the rest waits for the next round. */
async function settleAll(app: AppContext, all: Unsettled[], signal: AbortSignal): Promise<void> {
  let unanswered = 0;
  for (const { ids, settle } of all) {
    if (signal.aborted || unanswered === UNANSWERED_MAX) return;
    try {
      await settle();
      unanswered = 0;
    } catch (error) {
      const isUnanswered = error instanceof PaymentProviderUnavailableError;
      if (isUnanswered) app.log.warn({ err: error, ...ids }, 'a pending payment or refund is left to the next look');
      else app.log.error({ err: error, ...ids }, 'a pending payment or refund could not be settled');
      unanswered = isUnanswered ? unanswered + 1 : 0;
    }
  }
}

async function settlePayment(app: AppContext, paymentId: string): Promise<void> {
  const payment = await app.db.payment.update({ where: { id: paymentId }, data: { checkedAt: new Date() } });
  if (payment.status === 'pending') await checkPayment(app, payment);
}

/** In a different order each time, so that unanswered refunds do not always come first. */
async function findPendingRefunds(app: AppContext, provider: string): Promise<PendingRefund[]> {
  const refunds = await app.db.refund.findMany({
    where: {
      status: 'pending',
      createdAt: { lt: new Date(Date.now() - IN_PROGRESS_MS) },
      payment: { provider },
    },
    include: { payment: true },
    orderBy: { createdAt: 'asc' },
    take: BATCH,
  });
  return refunds
    .map((refund) => ({ refund, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ refund }) => refund);
}

async function findDuePayments(app: AppContext, provider: string): Promise<string[]> {
  const rows = await app.db.$queryRaw<{ id: string }[]>`
    select id from payments
    where status = 'pending' and provider = ${provider}
      and coalesce(checked_at, created_at)
        < now() - greatest(interval '1 minute', least((now() - created_at) / 10, interval '6 hours'))
    order by coalesce(checked_at, created_at) limit ${BATCH}`;
  return rows.map(({ id }) => id);
}
