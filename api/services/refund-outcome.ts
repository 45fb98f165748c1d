import { PaymentRefusedError, type ProviderRefund } from '#api/adapters/payments/payment-provider.ts';
import type { AppContext } from '#api/app-context.ts';
import type { Tx } from '#api/db.ts';
import type { Payment, Refund } from '#prisma/generated/client.ts';
import { PROVIDER_MEMORY_MS } from './check-payment.ts';
import { describePurchase } from './open-invoice.ts';
import { lockBalance, returnRefundedStars } from './stars.ts';

export type PendingRefund = Refund & { payment: Payment };

/**
 * Asks the provider for a refund, or what became of it, and books the answer; may be repeated at any time. One that was
 * never answered is given up when the provider has forgotten its key: had it been made all the same, its notification
 * books it. Throws PaymentProviderUnavailableError.
 */
export async function pursueRefund(app: AppContext, refund: PendingRefund): Promise<void> {
  const isForgotten = Date.now() - refund.createdAt.getTime() > PROVIDER_MEMORY_MS;
  if (!refund.providerRefundId && isForgotten) {
    app.log.error({ refundId: refund.id }, 'a refund was never answered; look for it in the provider’s office');
    await cancelRefund(app, refund);
    return;
  }
  try {
    const said = await ask(app, refund);
    if (said) await bookAnswer(app, refund, said);
    else app.log.error({ refundId: refund.id }, 'the provider does not know a refund that it made');
  } catch (error) {
    if (!(error instanceof PaymentRefusedError)) throw error;
    app.log.warn({ err: error, refundId: refund.id }, 'the provider refused a refund');
    await cancelRefund(app, refund);
  }
}

async function ask(app: AppContext, refund: PendingRefund): Promise<ProviderRefund | null> {
  const { payment } = refund;
  if (refund.providerRefundId) return app.payments.fetchRefund(refund.providerRefundId);
  if (!payment.providerPaymentId) throw new Error('a payment without the provider’s id cannot be refunded');
  const { email } = await app.db.account.findUniqueOrThrow({
    where: { id: payment.accountId },
    select: { email: true },
  });
  const receiptItem = describePurchase(payment);
  return app.payments.refund({
    refundId: refund.id,
    providerPaymentId: payment.providerPaymentId,
    amountKopecks: refund.amountKopecks,
    description: `Возврат: ${receiptItem}`,
    receiptItem,
    buyerEmail: email,
  });
}

async function bookAnswer(app: AppContext, refund: PendingRefund, said: ProviderRefund): Promise<void> {
  const log = app.log.child({ refundId: refund.id, providerRefundId: said.providerRefundId });
  if (said.amountKopecks !== refund.amountKopecks) {
    log.error({ said }, 'a refund of another amount than we asked for');
    return;
  }
  if (said.status === 'canceled') {
    await cancelRefund(app, refund, said.providerRefundId);
    log.warn('the provider canceled a refund');
    return;
  }
  if (said.status === 'pending') {
    await app.db.refund.updateMany({
      where: { id: refund.id, status: 'pending' },
      data: { providerRefundId: said.providerRefundId },
    });
    return;
  }
  const isBooked = await app.db.$transaction(async (tx) => {
    await lockBalance(tx, refund.payment.accountId);
    const { count } = await tx.refund.updateMany({
      where: { id: refund.id, status: 'pending' },
      data: { status: 'succeeded', providerRefundId: said.providerRefundId, finishedAt: new Date() },
    });
    if (count === 1) await bookMoneyBack(app, tx, refund);
    return count === 1;
  });
  if (isBooked) log.info({ amountKopecks: refund.amountKopecks, starsTaken: refund.starsTaken }, 'payment refunded');
}

/** The money has gone back: the payment says so, and the buyer gets a mail. */
export async function bookMoneyBack(
  app: AppContext,
  tx: Tx,
  refund: Pick<Refund, 'id' | 'paymentId' | 'amountKopecks'>,
): Promise<void> {
  await tx.payment.update({
    where: { id: refund.paymentId },
    data: { refundedKopecks: { increment: refund.amountKopecks } },
  });
  await app.queue.send(tx, 'send-receipt', { refundId: refund.id });
}

async function cancelRefund(app: AppContext, refund: PendingRefund, providerRefundId?: string): Promise<void> {
  const { accountId } = refund.payment;
  await app.db.$transaction(async (tx) => {
    await lockBalance(tx, accountId);
    const { count } = await tx.refund.updateMany({
      where: { id: refund.id, status: 'pending' },
      data: { status: 'canceled', finishedAt: new Date(), ...(providerRefundId ? { providerRefundId } : {}) },
    });
    if (count === 0) return;
    const { id: refundId, paymentId, starsTaken: stars } = refund;
    await returnRefundedStars(tx, { refundId, paymentId, accountId, stars });
  });
}
