import type { PaymentProvider } from '#api/adapters/payments/payment-provider.ts';
import type { AppContext } from '#api/services/app-context.ts';

/** Everybody who may have taken money for us: the site's provider, and Telegram where there is a bot. */
export function listPaymentProviders(app: Pick<AppContext, 'payments' | 'telegramStars'>): PaymentProvider[] {
  return app.telegramStars ? [app.payments, app.telegramStars] : [app.payments];
}

/** Null for a provider that is not in use any more. */
export function findPaymentProvider(
  app: Pick<AppContext, 'payments' | 'telegramStars'>,
  name: string,
): PaymentProvider | null {
  return listPaymentProviders(app).find((provider) => provider.name === name) ?? null;
}
