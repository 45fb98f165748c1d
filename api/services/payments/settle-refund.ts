import {
  PaymentProviderUnavailableError,
  PaymentRefusedError,
  type ProviderRefund,
  type RefundedPayment,
  type Refunds,
} from '#api/adapters/payments/payment-provider.ts';
import type { Tx } from '#api/database/database.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { returnRefundedStars } from '#api/services/stars/ledger.ts';
import type { Payment, Refund } from '#prisma/generated/client.ts';
import { PROVIDER_MEMORY_MS } from './check-payment.ts';
import { lockPayment } from './lock-payment.ts';
import { describePurchase } from './open-invoice.ts';

export type PendingRefund = Refund & { payment: Payment };

/**
 * Submits a refund to the provider, or asks about it, and books the answer. May be repeated at any time. Only a refusal
 * of the first call returns the stars at once: a refusal of a repeat says nothing about an earlier call whose answer
 * was lost, so the refund is searched among the provider's. It stays pending until the provider has forgotten its key.
 * Throws PaymentProviderUnavailableError.
 */
export async function settleRefund(
  app: AppContext,
  refund: PendingRefund,
  { isFirstCall = false } = {},
): Promise<void> {
  const log = app.log.child({ refundId: refund.id });
  const isForgotten = Date.now() - refund.createdAt.getTime() > PROVIDER_MEMORY_MS;
  if (!refund.providerRefundId && isForgotten) {
    if (await settleUnanswered(app, refund)) return;
    log.error('a refund was never answered; look for it in the provider’s office');
    await cancelRefund(app, refund);
    return;
  }
  try {
    const providerRefund = await ask(app, refund);
    if (providerRefund) await bookAnswer(app, refund, providerRefund);
    else log.error('the provider does not know a refund that it made');
  } catch (error) {
    if (!(error instanceof PaymentRefusedError)) throw error;
    log.warn({ err: error, isFirstCall }, 'the provider refused a refund');
    if (isFirstCall) await cancelRefund(app, refund);
    else await settleUnanswered(app, refund);
  }
}

/**
 * Searches the provider's refunds for one whose answer was lost: the same amount, not booked otherwise. If the others
 * leave no room for it, it was not made. Returns false when this stays undecided.
 */
async function settleUnanswered(app: AppContext, refund: PendingRefund): Promise<boolean> {
  const { payment, amountMinor } = refund;
  const lookup = getRefunds(app, payment).lookup;
  if (!lookup) return false;
  const all = await lookup.list(await describeRefundedPayment(app, payment));
  const standing = all.filter(({ status }) => status !== 'canceled');
  // Refunds that were not canceled come first.
  const unbooked = await excludeBooked(app, [...standing, ...all]);
  const made = unbooked.find((one) => one.amountMinor === amountMinor);
  const going = standing.reduce((sum, one) => sum + one.amountMinor, amountMinor);
  if (made) await bookAnswer(app, refund, made);
  else if (going > payment.amountMinor) await cancelRefund(app, refund);
  return made !== undefined || going > payment.amountMinor;
}

async function excludeBooked(app: AppContext, refunds: ProviderRefund[]): Promise<ProviderRefund[]> {
  const booked = await app.db.refund.findMany({
    where: { providerRefundId: { in: refunds.map(({ providerRefundId }) => providerRefundId) } },
    select: { providerRefundId: true },
  });
  const ids = new Set(booked.map(({ providerRefundId }) => providerRefundId));
  return refunds.filter(({ providerRefundId }) => !ids.has(providerRefundId));
}

function getRefunds(app: AppContext, payment: Payment): Refunds {
  const refunds = app.payments.find(payment.provider)?.refunds;
  if (!refunds) throw new PaymentProviderUnavailableError(`${payment.provider} has no settings any more`);
  return refunds;
}

/** The facts about a payment that a provider needs to tell its refunds apart. */
export async function describeRefundedPayment(app: AppContext, payment: Payment): Promise<RefundedPayment> {
  const booked = await app.db.refund.findMany({
    where: { paymentId: payment.id, status: 'succeeded', providerRefundId: { not: null } },
    select: { providerRefundId: true, amountMinor: true },
    orderBy: { id: 'asc' },
  });
  return {
    providerPaymentId: getProviderPaymentId(payment),
    amountMinor: payment.amountMinor,
    booked: booked.map(({ providerRefundId, amountMinor }) => ({
      providerRefundId: providerRefundId ?? '',
      amountMinor,
    })),
  };
}

function getProviderPaymentId(payment: Payment): string {
  if (!payment.providerPaymentId) throw new Error('a payment without the provider’s id cannot be refunded');
  return payment.providerPaymentId;
}

async function ask(app: AppContext, refund: PendingRefund): Promise<ProviderRefund | null> {
  const { payment } = refund;
  const { submit, lookup } = getRefunds(app, payment);
  const { providerRefundId, amountMinor } = refund;
  const refunded = await describeRefundedPayment(app, payment);
  if (providerRefundId) return (await lookup?.fetch(providerRefundId, refunded)) ?? null;
  const buyer = await app.db.account.findUniqueOrThrow({
    where: { id: payment.accountId },
    select: { email: true },
  });
  const receiptItem = describePurchase(payment);
  return submit({
    refundId: refund.id,
    payment: refunded,
    amountMinor,
    description: `Возврат: ${receiptItem}`,
    receiptItem,
    buyerEmail: buyer.email,
  });
}

async function bookAnswer(app: AppContext, refund: PendingRefund, providerRefund: ProviderRefund): Promise<void> {
  const log = app.log.child({ refundId: refund.id, providerRefundId: providerRefund.providerRefundId });
  if (providerRefund.amountMinor !== refund.amountMinor) {
    log.error({ providerRefund }, 'a refund of another amount than we asked for');
    return;
  }
  if (providerRefund.status === 'canceled') {
    await cancelRefund(app, refund, providerRefund.providerRefundId);
    log.warn('the provider canceled a refund');
    return;
  }
  if (providerRefund.status === 'pending') {
    await app.db.refund.updateMany({
      where: { id: refund.id, status: 'pending' },
      data: { providerRefundId: providerRefund.providerRefundId },
    });
    return;
  }
  const isBooked = await app.db.$transaction(async (tx) => {
    await lockPayment(tx, refund.payment);
    const { count } = await tx.refund.updateMany({
      where: { id: refund.id, status: 'pending' },
      data: { status: 'succeeded', providerRefundId: providerRefund.providerRefundId, finishedAt: new Date() },
    });
    if (count === 1) await bookMoneyBack(app, tx, refund);
    return count === 1;
  });
  if (isBooked) log.info({ amountMinor: refund.amountMinor, starsTaken: refund.starsTaken }, 'payment refunded');
}

/** Records on the payment that the money has been returned, and mails the buyer. */
export async function bookMoneyBack(
  app: AppContext,
  tx: Tx,
  refund: Pick<Refund, 'id' | 'paymentId' | 'amountMinor'>,
): Promise<void> {
  const payment = await tx.payment.update({
    where: { id: refund.paymentId },
    data: { refundedMinor: { increment: refund.amountMinor } },
  });
  // Telegram notifies its own buyers.
  if (payment.currency === 'RUB') await app.queue.send(tx, 'send-receipt', { refundId: refund.id });
}

async function cancelRefund(app: AppContext, refund: PendingRefund, providerRefundId?: string): Promise<void> {
  await app.db.$transaction(async (tx) => {
    const { accountId } = await lockPayment(tx, refund.payment);
    const { count } = await tx.refund.updateMany({
      where: { id: refund.id, status: 'pending' },
      data: { status: 'canceled', finishedAt: new Date(), ...(providerRefundId ? { providerRefundId } : {}) },
    });
    if (count === 0) return;
    // More may have been taken since it was read.
    const { starsTaken: stars } = await tx.refund.findUniqueOrThrow({ where: { id: refund.id } });
    const { id: refundId, paymentId } = refund;
    await returnRefundedStars(tx, { refundId, paymentId, accountId, stars });
  });
}
