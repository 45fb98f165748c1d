import { type Api, Composer } from 'grammy';
import type { AppContext } from '#api/services/app-context.ts';
import {
  bookTelegramRefund,
  confirmTelegramPayment,
  findTelegramRefund,
  getTelegramPurchase,
} from '#api/services/payments/telegram-invoices.ts';
import { isUnmatchedCharge } from '#api/services/payments/unmatched-charges.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { maskEmail } from '#bot/format.ts';
import { MESSAGES } from '#bot/messages.ts';
import { sendOnce } from '#bot/send-once.ts';
import { nameTelegramPayment } from '#shared/rules/telegram-stars.ts';

export const paymentsFeature = new Composer<BotContext>();

paymentsFeature.on('message:successful_payment', async (ctx) => {
  const payment = await confirmTelegramPayment(ctx.app, ctx.from.id, ctx.message.successful_payment);
  if (payment) await thankForPurchase(ctx.app, ctx.api, payment.id);
});

paymentsFeature.on('message:refunded_payment', async (ctx) => {
  const { telegram_payment_charge_id: chargeId, total_amount: xtr } = ctx.message.refunded_payment;
  // The payer was notified when the charge was returned.
  if (await isUnmatchedCharge(ctx.app, nameTelegramPayment(ctx.from.id, chargeId))) return;
  await bookTelegramRefund(ctx.app, ctx.from.id, ctx.message.refunded_payment);
  await ctx.say(MESSAGES.refunded(xtr, await findTelegramRefund(ctx.app, ctx.from.id, chargeId)));
});

/** Tells a buyer, once, that the stars have arrived and in which account. Throws what sendOnce throws. */
export async function thankForPurchase(app: AppContext, api: Api, paymentId: string): Promise<void> {
  const purchase = await getTelegramPurchase(app, paymentId);
  const { telegramUserId: chatId, stars, email, balance, isBuyersOwn } = purchase;
  const text = isBuyersOwn
    ? MESSAGES.purchased(stars, balance)
    : MESSAGES.purchasedElsewhere(stars, maskEmail(email), balance);
  await sendOnce(app, { causeKey: `purchased:${paymentId}`, chatId }, () => api.sendMessage(chatId, text));
}
