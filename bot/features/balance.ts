import { Composer, InlineKeyboard } from 'grammy';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { createTelegramInvoice, listPackagesForTelegram } from '#api/services/payments/telegram-invoices.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { writeCallback } from '#bot/keyboards/callback-data.ts';
import { BUTTONS, MESSAGES } from '#bot/messages.ts';
import { sendOnce } from '#bot/send-once.ts';
import { siteAddress } from '#bot/site-address.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { refuseWhileDeleting } from './deletion.ts';

/** The balance and how to get more: packages for Telegram Stars if the operator sells them, otherwise the site. */
export const balanceFeature = new Composer<BotContext>();

balanceFeature.command('balance', async (ctx) => {
  const { isPremium } = await getPremiumStatus(ctx.app, ctx.accountId);
  await ctx.say(MESSAGES.balance(await getBalance(ctx.app, ctx.accountId), isPremium));
  if (await refuseWhileDeleting(ctx, ctx.accountId)) return;
  await offerStars(ctx);
});

/** How to get more stars. The bot never takes roubles. */
export async function offerStars(ctx: BotContext): Promise<void> {
  const packages = await listPackagesForTelegram(ctx.app);
  if (packages.length === 0) return ctx.say(MESSAGES.topUpOnSite(siteAddress(ctx.app, PATHS.app)));
  const keyboard = new InlineKeyboard();
  for (const { id, stars, priceXtr } of packages) {
    keyboard.text(BUTTONS.buy(stars, priceXtr), writeCallback('buy', id)).row();
  }
  await ctx.say(MESSAGES.topUpHere, keyboard);
}

balanceFeature.callbackQuery(/^buy:(\d{1,9})$/, async (ctx) => {
  const cause = ctx.nextCause();
  const invoice = await createTelegramInvoice(ctx.app, {
    accountId: ctx.accountId,
    packageId: Number(ctx.match[1]),
    // Each press makes one invoice, even if its update is handled again.
    idempotencyKey: `telegram:${cause.causeKey}`,
  });
  const { id, stars, packageName, priceXtr } = invoice;
  const title = MESSAGES.invoiceTitle(stars);
  await sendOnce(ctx.app, cause, () =>
    ctx.api.sendInvoice(
      ctx.chatNumber,
      title,
      MESSAGES.invoiceDescription(packageName, stars),
      id,
      'XTR',
      [{ label: title, amount: priceXtr }],
      { provider_token: '' },
    ),
  );
});
