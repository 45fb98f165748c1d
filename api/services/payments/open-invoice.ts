import {
  PaymentProviderUnavailableError,
  PaymentRefusedError,
  type ProviderPayment,
} from '#api/adapters/payments/payment-provider.ts';
import { getOwnEmail } from '#api/services/accounts/email-address.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { Payment } from '#prisma/generated/client.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { confirmPayment } from './confirm-payment.ts';

const OPEN = { status: 'pending', cancellationReason: null, canceledAt: null } as const;
const NO_BREAK_SPACE = /\u00a0/g;

/**
 * Opens an invoice at the provider, or finds the one that was opened before, and returns where to pay or where to see
 * the result. Of several concurrent calls, the first stored payment counts, so that all buyers and tabs get the same
 * page even if the provider opens several. Throws PaymentProviderUnavailableError, after which the same call can be
 * repeated, and PaymentRefusedError, after which the invoice is canceled until somebody tries again.
 */
export async function openInvoice(app: AppContext, payment: Payment): Promise<string> {
  const attempt = `${payment.id}-${payment.refusals}`;
  await app.state.invoicesInProgress.run(attempt, () => openOnce(app, payment));
  const { status, paymentUrl } = await app.db.payment.findUniqueOrThrow({ where: { id: payment.id } });
  if (status !== 'pending') return buildReturnUrl(app, payment.id);
  if (!paymentUrl) throw new Error('the provider opened a payment without a page to pay on');
  return paymentUrl;
}

async function openOnce(app: AppContext, payment: Payment): Promise<void> {
  const opened = await askToOpen(app, payment);
  const { paymentUrl, payableUntil, providerPaymentId } = opened;
  const found = { providerPaymentId, ...(paymentUrl ? { paymentUrl, payableUntil } : {}) };
  const first = await app.db.payment.updateMany({
    where: { id: payment.id, providerPaymentId: null },
    // Meanwhile another tab's call may have been refused, which closed the invoice.
    data: { ...found, ...OPEN },
  });
  const { count } =
    first.count === 1
      ? first
      : await app.db.payment.updateMany({ where: { id: payment.id, providerPaymentId }, data: found });
  // An earlier call opened it, its answer was lost, and it has been decided since.
  if (count === 1 && opened.status !== 'pending') await confirmPayment(app, payment.provider, opened);
}

export function buildReturnUrl(app: Pick<AppContext, 'config'>, paymentId: string): string {
  return `${app.config.publicUrl}/payment/success?invoice=${paymentId}`;
}

async function askToOpen(app: AppContext, payment: Payment): Promise<ProviderPayment> {
  const checkout = app.payments.find(payment.provider)?.checkout;
  if (!checkout) throw new PaymentProviderUnavailableError(`${payment.provider} has no settings any more`);
  await reopen(app, payment);
  const buyer = await app.db.account.findUniqueOrThrow({
    where: { id: payment.accountId },
    select: { email: true },
  });
  const receiptItem = describePurchase(payment);
  try {
    return await checkout.create({
      paymentId: payment.id,
      attempt: payment.refusals,
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

/** Closes an invoice that the provider has not opened. The next attempt is a new one for the provider. */
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
    data: OPEN,
  });
}

/** What was bought, in the words of receipts and of the provider's page. */
export function describePurchase({ packageName, stars }: Pick<Payment, 'packageName' | 'stars'>): string {
  return `Пакет «${packageName}»: ${countStars(stars).replace(NO_BREAK_SPACE, ' ')}`;
}
