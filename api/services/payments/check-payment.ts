import type { ProviderPayment } from '#api/adapters/payments/payment-provider.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { Payment } from '#prisma/generated/client.ts';
import { confirmPayment } from './confirm-payment.ts';
import { giveUpInvoice, openInvoice } from './open-invoice.ts';

/** How long providers remember an idempotence key. */
export const PROVIDER_MEMORY_MS = 24 * 60 * 60_000;

/**
 * Asks the provider that opened a payment about it, and books the answer. Null when the provider is no longer
 * configured or has not opened it yet. A payment whose opening was never answered is opened again while providers
 * remember the key, and canceled later. Throws PaymentProviderUnavailableError, PaymentRefusedError.
 */
export async function checkPayment(
  app: AppContext,
  payment: Payment,
  signal?: AbortSignal,
): Promise<ProviderPayment | null> {
  const checkout = app.payments.find(payment.provider)?.checkout;
  if (!checkout) return null;
  const isForgotten = Date.now() - payment.createdAt.getTime() > PROVIDER_MEMORY_MS;
  if (!payment.providerPaymentId) {
    if (isForgotten) await giveUpInvoice(app, payment, 'never_opened');
    else await openInvoice(app, payment);
    return null;
  }
  const providerPayment = await checkout.fetch(payment.providerPaymentId, signal);
  if (providerPayment) await confirmPayment(app, payment.provider, providerPayment);
  else app.log.error({ paymentId: payment.id }, 'the provider does not know a payment that it opened');
  return providerPayment;
}
