import { Composer } from 'grammy';
import {
  bookTelegramRefund,
  confirmTelegramPayment,
  findTelegramRefund,
} from '#api/services/payments/telegram-invoices.ts';
import { isUnmatchedCharge } from '#api/services/payments/unmatched-charges.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { MESSAGES } from '#bot/messages.ts';
import { thankForPurchase } from '#bot/thank-for-purchase.ts';
import { nameTelegramPayment } from '#shared/rules/telegram-stars.ts';

/** Updates about payments. */
export const paymentsFeature = new Composer<BotContext>();

paymentsFeature.on('message:successful_payment', async (ctx) => {
  const payment = await confirmTelegramPayment(ctx.app, ctx.from.id, ctx.message.successful_payment);
  if (payment) await thankForPurchase(ctx.app, ctx.api, payment.id);
});

paymentsFeature.on('message:refunded_payment', async (ctx) => {
  const { telegram_payment_charge_id: chargeId, total_amount: xtr } = ctx.message.refunded_payment;
  // The payer was told when it was sent back.
  if (await isUnmatchedCharge(ctx.app, nameTelegramPayment(ctx.from.id, chargeId))) return;
  await bookTelegramRefund(ctx.app, ctx.from.id, ctx.message.refunded_payment);
  await ctx.say(MESSAGES.refunded(xtr, await findTelegramRefund(ctx.app, ctx.from.id, chargeId)));
});
