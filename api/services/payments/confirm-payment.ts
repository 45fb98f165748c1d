import type { ProviderPayment } from '#api/adapters/payments/payment-provider.ts';
import type { Tx } from '#api/database/database.ts';
import { isUuid } from '#api/platform/uuid.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { wakeLine } from '#api/services/core/wake-line.ts';
import { creditPurchase } from '#api/services/stars/ledger.ts';
import type { Payment } from '#prisma/generated/client.ts';
import { lockPayment } from './lock-payment.ts';

export type Confirmation =
  | 'credited'
  | 'canceled'
  /** Nothing to do: not decided yet, or booked before. */
  | 'unchanged'
  /** The data does not match. A person has to look at it. */
  | 'refused';

/**
 * The only way from money to stars. Takes the provider's own data about a payment (read from the provider, never from a
 * notification) and books it. A repeat changes nothing. Money that arrived counts, whatever was reported before.
 */
export async function confirmPayment(
  app: AppContext,
  provider: string,
  providerPayment: ProviderPayment,
): Promise<Confirmation> {
  const { providerPaymentId, paymentId } = providerPayment;
  const log = app.log.child({ provider, providerPaymentId, paymentId });
  const known = paymentId && isUuid(paymentId) ? await app.db.payment.findUnique({ where: { id: paymentId } }) : null;
  if (!known || known.provider !== provider) {
    log.error('a payment for an order that is not ours');
    return 'refused';
  }
  const book = async (tx: Tx): Promise<Confirmation> => {
    const payment = await lockPayment(tx, known);
    const isOther = payment.providerPaymentId !== null && payment.providerPaymentId !== providerPaymentId;
    // A call whose answer was lost may have opened a payment that nobody can pay. It expires on its own.
    if (isOther && providerPayment.status !== 'succeeded') return 'unchanged';
    // If two payments for one order are reported at the same moment, only the first is ours.
    const difference = isOther ? 'id of the payment' : findDifference(payment, providerPayment);
    if (difference) log.error({ providerPayment, difference }, 'a payment that is not the one we asked for');
    if (difference) return 'refused';
    if (providerPayment.status === 'pending') return 'unchanged';
    return providerPayment.status === 'succeeded'
      ? credit(app, tx, payment, providerPayment)
      : cancel(tx, payment, providerPayment);
  };
  const outcome = await app.db.$transaction(book);
  if (outcome === 'credited') {
    const { accountId, packageId, stars, amountMinor } = known;
    log.info({ action: 'purchase_stars', accountId, packageId, stars, amountMinor }, 'stars purchased');
  } else if (outcome === 'canceled') {
    log.info({ reason: providerPayment.cancellationReason }, 'payment canceled');
  } else if (outcome === 'unchanged') {
    const { status } = providerPayment;
    log.info({ status }, status === 'pending' ? 'payment is not decided yet' : 'payment is decided already');
  }
  return outcome;
}

function findDifference(payment: Payment, providerPayment: ProviderPayment): string | null {
  const { amountMinor } = providerPayment;
  if (amountMinor !== null && amountMinor !== payment.amountMinor) return 'amount';
  if (providerPayment.currency !== payment.currency) return 'currency';
  return providerPayment.isTest === payment.isTest ? null : 'test flag';
}

async function credit(
  app: AppContext,
  tx: Tx,
  payment: Payment,
  providerPayment: ProviderPayment,
): Promise<Confirmation> {
  if (payment.status === 'succeeded') return 'unchanged';
  await tx.payment.update({
    where: { id: payment.id },
    data: {
      status: 'succeeded',
      providerPaymentId: providerPayment.providerPaymentId,
      paidAt: new Date(),
      canceledAt: null,
      cancellationReason: null,
    },
  });
  await creditPurchase(tx, payment);
  await wakeLine(app, tx, payment.accountId);
  // The bot notifies its own buyers.
  if (payment.currency === 'RUB') await app.queue.send(tx, 'send-receipt', { paymentId: payment.id });
  return 'credited';
}

async function cancel(tx: Tx, payment: Payment, providerPayment: ProviderPayment): Promise<Confirmation> {
  if (payment.status !== 'pending') return 'unchanged';
  await tx.payment.update({
    where: { id: payment.id },
    data: {
      status: 'canceled',
      providerPaymentId: providerPayment.providerPaymentId,
      cancellationReason: providerPayment.cancellationReason,
      canceledAt: new Date(),
    },
  });
  return 'canceled';
}
