import type { ProviderPayment } from '#api/adapters/payments/payment-provider.ts';
import type { Tx } from '#api/db.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { isUuid } from '#api/services/ground/uuid.ts';
import { creditPurchase, lockBalance } from '#api/services/stars/ledger.ts';
import type { Payment } from '#prisma/generated/client.ts';

export type Confirmation =
  /** The stars are on the balance, now. */
  | 'credited'
  | 'canceled'
  /** Nothing to be done: not decided yet, or booked before. */
  | 'unchanged'
  /** Not believed; a person has to look at it. */
  | 'refused';

/**
 * The only way from money to stars. Takes what the provider itself says of a payment (asked for, never sent by somebody)
 * and books it; the same again changes nothing. Money that came counts, whatever was said before.
 */
export async function confirmPayment(app: AppContext, provider: string, said: ProviderPayment): Promise<Confirmation> {
  const { providerPaymentId, orderId } = said;
  const log = app.log.child({ provider, providerPaymentId, paymentId: orderId });
  const known = orderId && isUuid(orderId) ? await app.db.payment.findUnique({ where: { id: orderId } }) : null;
  if (!known || known.provider !== provider) {
    log.error('a payment for an order that is not ours');
    return 'refused';
  }
  const outcome = await app.db.$transaction(async (tx) => {
    await lockBalance(tx, known.accountId);
    const payment = await tx.payment.findUniqueOrThrow({ where: { id: known.id } });
    // Of two payments for one order, told of at the same moment, only the first is ours.
    const difference = findDifference(payment, said);
    if (difference) log.error({ said, difference }, 'a payment that is not the one we asked for');
    if (difference) return 'refused';
    if (said.status === 'pending') return 'unchanged';
    return said.status === 'succeeded' ? credit(app, tx, payment, said) : cancel(tx, payment, said);
  });
  if (outcome === 'credited') {
    const { accountId, packageId, stars, amountKopecks } = known;
    log.info({ action: 'purchase_stars', accountId, packageId, stars, amountKopecks }, 'stars purchased');
  } else if (outcome === 'canceled') {
    log.info({ reason: said.cancellationReason }, 'payment canceled');
  } else if (outcome === 'unchanged') {
    log.info(
      { said: said.status },
      said.status === 'pending' ? 'payment is not decided yet' : 'payment was booked before',
    );
  }
  return outcome;
}

/** In what the provider's payment differs from our order. */
function findDifference(payment: Payment, said: ProviderPayment): string | null {
  if (said.amountKopecks !== payment.amountKopecks) return 'amount';
  if (said.currency !== payment.currency) return 'currency';
  if (said.isTest !== payment.isTest) return 'test flag';
  const isOther = payment.providerPaymentId !== null && payment.providerPaymentId !== said.providerPaymentId;
  return isOther ? 'id of the payment' : null;
}

async function credit(app: AppContext, tx: Tx, payment: Payment, said: ProviderPayment): Promise<Confirmation> {
  if (payment.status === 'succeeded') return 'unchanged';
  await tx.payment.update({
    where: { id: payment.id },
    data: {
      status: 'succeeded',
      providerPaymentId: said.providerPaymentId,
      paidAt: new Date(),
      canceledAt: null,
      cancellationReason: null,
    },
  });
  await creditPurchase(tx, payment);
  // The bot tells its own buyers.
  if (payment.currency === 'RUB') await app.queue.send(tx, 'send-receipt', { paymentId: payment.id });
  return 'credited';
}

async function cancel(tx: Tx, payment: Payment, said: ProviderPayment): Promise<Confirmation> {
  if (payment.status !== 'pending') return 'unchanged';
  await tx.payment.update({
    where: { id: payment.id },
    data: {
      status: 'canceled',
      providerPaymentId: said.providerPaymentId,
      cancellationReason: said.cancellationReason,
      canceledAt: new Date(),
    },
  });
  return 'canceled';
}
