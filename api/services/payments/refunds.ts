import { PaymentProviderUnavailableError } from '#api/adapters/payments/payment-provider.ts';
import { commitWithOutcomeCheck } from '#api/database/commit-with-outcome-check.ts';
import { createRowId, type Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { isUuid } from '#api/platform/uuid.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { recordAudit } from '#api/services/core/audit.ts';
import { takeRefundedStars } from '#api/services/stars/ledger.ts';
import type { Payment, Prisma, Refund } from '#prisma/generated/client.ts';
import { namePaymentProvider } from '#shared/rules/payment-providers.ts';
import { countRefundedStars } from '#shared/rules/refunded-stars.ts';
import { lockPayment } from './lock-payment.ts';
import { type PendingRefund, settleRefund } from './settle-refund.ts';

export interface RefundRequest {
  paymentId: string;
  /** Null for everything that has not been refunded yet. */
  amountMinor: number | null;
  reason: string;
  adminId: number;
  /** A repeat of the request with this key returns the refund that was made. Null: no repeat is recognised. */
  idempotencyKey: string | null;
}

/**
 * Refunds money. The stars that it had bought are first taken off the balance as far as they are unspent (`starsTaken`
 * of `stars`), and returned if the provider refuses. A refund without an answer is returned as pending and followed in
 * the background. Throws AppError payment_not_found, refund_impossible, idempotency_key_reused, refund_failed.
 */
export async function requestRefund(app: AppContext, request: RefundRequest): Promise<Refund> {
  const payment = isUuid(request.paymentId)
    ? await app.db.payment.findUnique({ where: { id: request.paymentId } })
    : null;
  if (!payment) throw new AppError('payment_not_found');
  const { refund, isFirstCall } = await commitWithOutcomeCheck(app.db, async (tx) => {
    await lockPayment(tx, payment);
    const repeated = await findRepeated(tx, request);
    return { refund: repeated ?? (await writeRefund(app, tx, request)), isFirstCall: !repeated };
  });
  if (refund.status === 'pending') await trySettling(app, { ...refund, payment }, isFirstCall);
  const settled = await app.db.refund.findUniqueOrThrow({ where: { id: refund.id } });
  if (settled.status === 'canceled') throw new AppError('refund_failed');
  return settled;
}

async function trySettling(app: AppContext, refund: PendingRefund, isFirstCall: boolean): Promise<void> {
  try {
    await settleRefund(app, refund, { isFirstCall });
  } catch (error) {
    if (!(error instanceof PaymentProviderUnavailableError)) throw error;
    app.log.warn({ err: error, refundId: refund.id }, 'a refund waits for the provider');
  }
}

function refuseWithoutSettings(provider: string): AppError {
  return new AppError('refund_impossible', {
    message: `Платёж принят через «${namePaymentProvider(provider)}», но настроек этой платёжной системы больше нет. Верните их или оформите возврат в её кабинете`,
  });
}

async function findRepeated(tx: Tx, request: RefundRequest): Promise<Refund | null> {
  const { paymentId, idempotencyKey, amountMinor, reason } = request;
  if (idempotencyKey === null) return null;
  const repeated = await tx.refund.findUnique({ where: { paymentId_idempotencyKey: { paymentId, idempotencyKey } } });
  if (!repeated) return null;
  const isSame = repeated.reason === reason && (amountMinor ?? repeated.amountMinor) === repeated.amountMinor;
  if (!isSame) throw new AppError('idempotency_key_reused');
  return repeated;
}

async function writeRefund(app: AppContext, tx: Tx, request: RefundRequest): Promise<Refund> {
  const payment = await tx.payment.findUniqueOrThrow({ where: { id: request.paymentId } });
  if (!app.payments.find(payment.provider)?.refunds) throw refuseWithoutSettings(payment.provider);
  const { amountMinor: going } = await sumRefunds(tx, payment.id);
  const rest = payment.providerPaymentId !== null && payment.status === 'succeeded' ? payment.amountMinor - going : 0;
  const amountMinor = request.amountMinor ?? rest;
  // Telegram refunds only whole payments.
  const isTooLittle = payment.currency === 'XTR' && amountMinor < payment.amountMinor;
  if (amountMinor < 1 || amountMinor > rest || isTooLittle) throw new AppError('refund_impossible');
  const { reason, adminId, idempotencyKey } = request;
  const refund = await insertRefund(tx, payment, { amountMinor, reason, requestedById: adminId, idempotencyKey });
  const { stars, starsTaken } = refund;
  await recordAudit(tx, {
    adminId,
    action: 'refund_requested',
    accountId: payment.accountId,
    details: {
      paymentId: payment.id,
      amountRub: amountMinor / 100,
      stars,
      starsTaken,
      reason,
      currency: payment.currency === 'XTR' ? 'XTR' : 'RUB',
    },
  });
  return refund;
}

type NewRefund = Pick<Prisma.RefundUncheckedCreateInput, 'amountMinor' | 'reason'> &
  Partial<Omit<Prisma.RefundUncheckedCreateInput, 'id' | 'paymentId' | 'stars' | 'starsTaken'>>;

/** Writes a refund and takes its stars. The balance must be locked. */
export async function insertRefund(tx: Tx, payment: Payment, refund: NewRefund): Promise<Refund> {
  const id = createRowId();
  const { id: paymentId, accountId } = payment;
  const before = await sumRefunds(tx, paymentId);
  const stars = Math.max(0, countRefundedStars(payment, before.amountMinor + refund.amountMinor) - before.stars);
  const starsTaken = await takeRefundedStars(tx, { refundId: id, paymentId, accountId, stars });
  return tx.refund.create({ data: { ...refund, id, paymentId, stars, starsTaken } });
}

async function sumRefunds(tx: Tx, paymentId: string): Promise<{ amountMinor: number; stars: number }> {
  const { _sum } = await tx.refund.aggregate({
    where: { paymentId, status: { not: 'canceled' } },
    _sum: { amountMinor: true, stars: true },
  });
  return { amountMinor: _sum.amountMinor ?? 0, stars: _sum.stars ?? 0 };
}
