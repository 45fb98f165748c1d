import {
  type PaymentNotification,
  type PaymentProvider,
  PaymentProviderUnavailableError,
  type ProviderRefund,
} from '#api/adapters/payments/payment-provider.ts';
import { findViolatedConstraint, type Tx } from '#api/database/database.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { Payment } from '#prisma/generated/client.ts';
import { confirmPayment } from './confirm-payment.ts';
import { lockPayment } from './lock-payment.ts';
import { insertRefund } from './refunds.ts';
import { bookMoneyBack, describeRefundedPayment, settleRefund } from './settle-refund.ts';

const ID_CONSTRAINT = 'refunds_provider_refund_id_key';
const REASON = 'Оформлен в кабинете платёжной системы';

/**
 * Books the refund of a notification: our own, or one made in the provider's dashboard. Throws
 * PaymentProviderUnavailableError, PaymentRefusedError.
 */
export async function handleRefundNotification(
  app: AppContext,
  provider: PaymentProvider,
  { providerRefundId, providerPaymentId }: Extract<PaymentNotification, { about: 'refund' }>,
): Promise<void> {
  const log = app.log.child({ provider: provider.name, providerRefundId, providerPaymentId });
  const where = { provider: provider.name, providerPaymentId };
  await settleOwnRefunds(app, where, providerRefundId);
  if (providerRefundId && (await app.db.refund.count({ where: { providerRefundId } })) > 0) {
    log.info('refund is one of ours');
    return;
  }
  const payment = await findPaid(app, provider, providerPaymentId);
  if (!payment) {
    log.error('a refund of a payment that is not ours');
    return;
  }
  const unbooked = await findUnbooked(app, provider, payment, providerRefundId);
  if (unbooked.length === 0) log[providerRefundId ? 'warn' : 'info']('no refund that was not booked before');
  for (const providerRefund of unbooked) {
    const outcome = await insertExternalRefund(app, provider.name, providerRefund);
    const { amountMinor } = providerRefund;
    if (outcome === 'booked') log.info({ amountMinor }, 'payment refunded in the provider’s dashboard');
    else log.error({ outcome, providerRefund }, 'a refund that cannot be booked');
  }
}

/** The answer to our own call may be on its way or lost, so it is repeated first. */
async function settleOwnRefunds(
  app: AppContext,
  payment: { provider: string; providerPaymentId: string },
  providerRefundId: string | null,
): Promise<void> {
  const pending = await app.db.refund.findMany({
    where: {
      status: 'pending',
      payment,
      ...(providerRefundId ? { OR: [{ providerRefundId: null }, { providerRefundId }] } : {}),
    },
    include: { payment: true },
  });
  for (const refund of pending) await settleRefund(app, refund);
}

/** The refunded payment. Its own notification may still be on its way. Null for one that is not ours. */
async function findPaid(
  app: AppContext,
  provider: PaymentProvider,
  providerPaymentId: string,
): Promise<Payment | null> {
  const find = () =>
    app.db.payment.findFirst({ where: { provider: provider.name, providerPaymentId, status: 'succeeded' } });
  const known = await find();
  if (known) return known;
  const providerPayment = await provider.checkout?.fetch(providerPaymentId);
  if (!providerPayment) return null;
  await confirmPayment(app, provider.name, providerPayment);
  return find();
}

async function findUnbooked(
  app: AppContext,
  { refunds }: PaymentProvider,
  payment: Payment,
  providerRefundId: string | null,
): Promise<ProviderRefund[]> {
  if (!refunds?.lookup) return [];
  const paid = await describeRefundedPayment(app, payment);
  const named = providerRefundId && (await refunds.lookup.fetch(providerRefundId, paid));
  const found = named ? [named] : providerRefundId ? [] : await refunds.lookup.list(paid);
  const booked = new Set(paid.booked.map((one) => one.providerRefundId));
  return found.filter((one) => one.status === 'succeeded' && !booked.has(one.providerRefundId));
}

/**
 * Books a refund that was made outside. One of ours is booked already. A repeat changes nothing. Throws
 * PaymentProviderUnavailableError while a refund of ours is pending.
 */
export async function recordExternalRefund(
  app: AppContext,
  provider: string,
  providerRefund: ProviderRefund,
): Promise<void> {
  const { providerPaymentId } = providerRefund;
  const own = { status: { not: 'canceled' as const }, payment: { provider, providerPaymentId } };
  if ((await app.db.refund.count({ where: own })) > 0) return;
  const outcome = await insertExternalRefund(app, provider, providerRefund);
  const log = app.log.child({ provider, providerPaymentId });
  if (outcome === 'booked') log.info('payment refunded by its provider');
  else log.error({ outcome, providerRefund }, 'a refund that cannot be booked');
}

/** Throws PaymentProviderUnavailableError while it cannot be told from one of ours. */
async function insertExternalRefund(
  app: AppContext,
  provider: string,
  providerRefund: ProviderRefund,
): Promise<'booked' | 'unknown payment' | 'amount'> {
  const { providerRefundId, providerPaymentId, amountMinor } = providerRefund;
  const known = await app.db.payment.findUnique({
    where: { provider_providerPaymentId: { provider, providerPaymentId } },
  });
  if (known?.status !== 'succeeded') return 'unknown payment';
  try {
    const book = async (tx: Tx): Promise<'booked' | 'amount'> => {
      const payment = await lockPayment(tx, known);
      if (payment.refundedMinor + amountMinor > payment.amountMinor) return 'amount';
      await assertNoOwnRefundPending(tx, payment, amountMinor);
      const refund = await insertRefund(tx, payment, {
        status: 'succeeded',
        providerRefundId,
        amountMinor,
        reason: REASON,
        finishedAt: new Date(),
      });
      await bookMoneyBack(app, tx, refund);
      return 'booked';
    };
    return await app.db.$transaction(book);
  } catch (error) {
    // The same notification arrived twice at once.
    if (findViolatedConstraint(error) === ID_CONSTRAINT) return 'booked';
    throw error;
  }
}

/**
 * A pending refund of ours may be this very one, or will fail because of it and return stars that this one has to take.
 * Throws PaymentProviderUnavailableError, so that the notification is repeated when ours is decided.
 */
async function assertNoOwnRefundPending(tx: Tx, payment: Payment, amountMinor: number): Promise<void> {
  const pending = await tx.refund.findMany({ where: { paymentId: payment.id, status: 'pending' } });
  if (pending.length === 0) return;
  const isPerhapsThis = pending.some((own) => own.providerRefundId === null && own.amountMinor === amountMinor);
  const going = pending.reduce((sum, own) => sum + own.amountMinor, payment.refundedMinor + amountMinor);
  if (isPerhapsThis || going > payment.amountMinor) {
    throw new PaymentProviderUnavailableError('a refund of ours is not decided yet');
  }
}
