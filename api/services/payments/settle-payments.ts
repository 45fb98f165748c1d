import { PaymentProviderUnavailableError } from '#api/adapters/payments/payment-provider.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { checkPayment } from './check-payment.ts';
import { type PendingRefund, settleRefund } from './settle-refund.ts';

const BATCH = 200;
/** A call that is still under way is not to be disturbed. */
const UNDER_WAY_MS = 60_000;

/** So many calls in a row that nobody answers, and the provider is taken to be out of reach. */
const UNANSWERED_MAX = 3;

interface Unsettled {
  /** For the log. */
  ids: object;
  settle: () => Promise<void>;
}

/**
 * Asks each provider about its pending payments, each after a minute, then ever more rarely the older it is, at last every
 * six hours; and about pending refunds every time.
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
 * Tells the operator of money that nobody can be asked about: payments and refunds whose provider has no settings any
 * more. The sandbox is not meant; no money moves there.
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

/** The others must not wait for one that cannot be settled, unless none can: then the rest is left to the next look. */
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

/** In another order each time, so that some that are never answered do not always stand before all others. */
async function findPendingRefunds(app: AppContext, provider: string): Promise<PendingRefund[]> {
  const refunds = await app.db.refund.findMany({
    where: {
      status: 'pending',
      createdAt: { lt: new Date(Date.now() - UNDER_WAY_MS) },
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
