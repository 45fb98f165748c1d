import { Composer } from 'grammy';
import { bookTelegramRefund, confirmTelegramPayment } from '#api/services/telegram-invoices.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { MESSAGES } from '#bot/messages.ts';
import { thankForPurchase } from '#bot/thank-for-purchase.ts';

/** What Telegram says about money. */
export const paymentsFeature = new Composer<BotContext>();

paymentsFeature.on('message:successful_payment', async (ctx) => {
  const paid = ctx.message.successful_payment;
  const payment = await confirmTelegramPayment(ctx.app, ctx.from.id, paid);
  if (!payment) return ctx.say(MESSAGES.purchaseRefused);
  const { id: paymentId, accountId, stars } = payment;
  await thankForPurchase(ctx.app, ctx.api, { paymentId, accountId, stars, chatId: ctx.chatNumber });
});

paymentsFeature.on('message:refunded_payment', async (ctx) => {
  const refunded = ctx.message.refunded_payment;
  await bookTelegramRefund(ctx.app, ctx.from.id, refunded);
  await ctx.say(MESSAGES.refunded(refunded.total_amount));
});
