import { type Api, GrammyError } from 'grammy';
import {
  type PaymentProvider,
  PaymentProviderUnavailableError,
  PaymentRefusedError,
} from '#api/adapters/payments/payment-provider.ts';
import { readTelegramPayment, TELEGRAM_STARS } from '#shared/rules/telegram-stars.ts';

/**
 * Telegram Stars. The bot sends the invoices and receives the payments, so this provider only makes refunds. Telegram
 * refunds only whole payments.
 */
export function createTelegramStarsProvider(api: Api): PaymentProvider {
  return {
    name: TELEGRAM_STARS,
    isTest: false,
    refunds: {
      async submit({ payment: { providerPaymentId }, amountMinor, refundId }) {
        const { telegramUserId, chargeId } = readTelegramPayment(providerPaymentId);
        try {
          await api.refundStarPayment(telegramUserId, chargeId);
        } catch (error) {
          // Only 400 answers the question. Other errors are a revoked token, a rate limit or a failure.
          if (!(error instanceof GrammyError) || error.error_code !== 400) {
            throw new PaymentProviderUnavailableError('Telegram did not answer a refund', { cause: error });
          }
          // A repeat of a call whose answer was lost.
          if (!/ALREADY_REFUNDED/.test(error.description)) throw new PaymentRefusedError(error.description);
        }
        return { providerRefundId: `telegram:${refundId}`, providerPaymentId, status: 'succeeded', amountMinor };
      },
    },
  };
}
