import type { Api } from 'grammy';
import type { AppContext } from '#api/services/app-context.ts';
import { getTelegramPurchase } from '#api/services/payments/telegram-invoices.ts';
import { maskEmail } from './mask-email.ts';
import { MESSAGES } from './messages.ts';
import { sendOnce } from './send-once.ts';

/** Tells a buyer, once, that the stars are there and where, whatever brought the news. Throws what sendOnce does. */
export async function thankForPurchase(app: AppContext, api: Api, paymentId: string): Promise<void> {
  const { telegramUserId: chatId, stars, account } = await getTelegramPurchase(app, paymentId);
  const { email, balance, isBuyersOwn } = account;
  const text = isBuyersOwn
    ? MESSAGES.purchased(stars, balance)
    : MESSAGES.purchasedElsewhere(stars, maskEmail(email), balance);
  await sendOnce(app, { causeKey: `purchased:${paymentId}`, chatId }, () => api.sendMessage(chatId, text));
}
