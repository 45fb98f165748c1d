import { PaymentRefusedError, type ProviderPayment } from '#api/adapters/payments/payment-provider.ts';
import { getOwnEmail } from '#api/services/accounts/own-email.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { Payment } from '#prisma/generated/client.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { confirmPayment } from './confirm-payment.ts';

const NO_BREAK_SPACE = /\u00a0/g;

/**
 * Has the provider open an invoice, or name the one that it opened before, and returns where to pay, or to see the
 * result. Throws PaymentProviderUnavailableError, after which the same call goes on, and PaymentRefusedError, after which
 * the invoice is canceled until somebody tries again.
 */
export async function openInvoice(app: AppContext, payment: Payment): Promise<string> {
  if (payment.provider !== app.payments.name) throw new Error(`the invoice belongs to ${payment.provider}`);
  const opened = await askToOpen(app, payment);
  const { paymentUrl, payableUntil, providerPaymentId } = opened;
  const { status } = await app.db.payment.update({
    where: { id: payment.id },
    data: { providerPaymentId, ...(paymentUrl ? { paymentUrl, payableUntil } : {}) },
  });
  // Opened by an earlier call whose answer got lost, and decided meanwhile.
  if (opened.status !== 'pending') await confirmPayment(app, payment.provider, opened);
  if (opened.status !== 'pending' || status !== 'pending') return buildReturnUrl(app, payment.id);
  if (!paymentUrl) throw new Error('the provider opened a payment without a page to pay on');
  return paymentUrl;
}

/** The page of ours that tells what became of an invoice. */
export function buildReturnUrl(app: Pick<AppContext, 'config'>, paymentId: string): string {
  return `${app.config.publicUrl}/payment/success?invoice=${paymentId}`;
}

async function askToOpen(app: AppContext, payment: Payment): Promise<ProviderPayment> {
  await reopen(app, payment);
  const buyer = await app.db.account.findUniqueOrThrow({
    where: { id: payment.accountId },
    select: { email: true },
  });
  const receiptItem = describePurchase(payment);
  try {
    return await app.payments.create({
      orderId: payment.id,
      // A refusal is remembered by its key.
      idempotenceKey: payment.refusals === 0 ? payment.id : `${payment.id}-${payment.refusals}`,
      amountMinor: payment.amountMinor,
      description: `${receiptItem}, заказ ${payment.id}`,
      returnUrl: buildReturnUrl(app, payment.id),
      receiptItem,
      buyerEmail: getOwnEmail(buyer),
    });
  } catch (error) {
    if (error instanceof PaymentRefusedError) await giveUpInvoice(app, payment, error.reason);
    throw error;
  }
}

/** Closes an invoice that the provider has not opened; its next try is a new one in the provider's eyes. */
export async function giveUpInvoice(app: AppContext, payment: Payment, reason: string): Promise<void> {
  await app.db.payment.updateMany({
    where: { id: payment.id, status: 'pending', providerPaymentId: null, refusals: payment.refusals },
    data: { status: 'canceled', cancellationReason: reason, canceledAt: new Date(), refusals: { increment: 1 } },
  });
}

async function reopen(app: AppContext, payment: Payment): Promise<void> {
  if (payment.status !== 'canceled') return;
  await app.db.payment.updateMany({
    where: { id: payment.id, status: 'canceled', providerPaymentId: null },
    data: { status: 'pending', cancellationReason: null, canceledAt: null },
  });
}

/** What was bought, as receipts and the provider's page name it. */
export function describePurchase({ packageName, stars }: Pick<Payment, 'packageName' | 'stars'>): string {
  return `Пакет «${packageName}»: ${countStars(stars).replace(NO_BREAK_SPACE, ' ')}`;
}
