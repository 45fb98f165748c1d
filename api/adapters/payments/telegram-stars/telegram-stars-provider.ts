import { type Api, GrammyError } from 'grammy';
import {
  type PaymentProvider,
  PaymentProviderUnavailableError,
  PaymentRefusedError,
} from '#api/adapters/payments/payment-provider.ts';
import { readTelegramPayment, TELEGRAM_STARS } from '#shared/rules/telegram-stars.ts';

/**
 * The Stars of Telegram. Its invoices are sent by the bot, and Telegram tells the bot of payments, so refunds are all that
 * is asked of it here. It gives back only whole payments.
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
          // Anything but 400 is no answer to this question: a revoked token, haste, a failure.
          if (!(error instanceof GrammyError) || error.error_code !== 400) {
            throw new PaymentProviderUnavailableError('Telegram did not answer a refund', { cause: error });
          }
          // Answered to a repeat of a call whose answer got lost.
          if (!/ALREADY_REFUNDED/.test(error.description)) throw new PaymentRefusedError(error.description);
        }
        return { providerRefundId: `telegram:${refundId}`, providerPaymentId, status: 'succeeded', amountMinor };
      },
    },
  };
}
