import { Composer } from 'grammy';
import { getBalance } from '#api/services/stars.ts';
import { bookTelegramRefund, confirmTelegramPayment } from '#api/services/telegram-invoices.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { MESSAGES } from '#bot/messages.ts';

/** What Telegram says about money. */
export const paymentsFeature = new Composer<BotContext>();

paymentsFeature.on('message:successful_payment', async (ctx) => {
  const paid = ctx.message.successful_payment;
  const payment = await confirmTelegramPayment(ctx.app, ctx.from.id, paid);
  if (!payment) return ctx.say(MESSAGES.purchaseRefused);
  const { accountId, stars } = payment;
  await ctx.say(MESSAGES.purchased(stars, await getBalance(ctx.app, accountId)));
});

paymentsFeature.on('message:refunded_payment', async (ctx) => {
  const refunded = ctx.message.refunded_payment;
  await bookTelegramRefund(ctx.app, ctx.from.id, refunded);
  await ctx.say(MESSAGES.refunded(refunded.total_amount));
});
