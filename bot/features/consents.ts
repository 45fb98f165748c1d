import { Composer, InlineKeyboard } from 'grammy';
import { giveConsent, withdrawTransferConsent } from '#api/services/accounts/consent.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { writeCallback } from '#bot/keyboards/callback-data.ts';
import { BUTTONS, MESSAGES } from '#bot/messages.ts';
import { siteAddress } from '#bot/site-address.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';

/** The consent to the transfer of photos abroad, which is asked for before the first start that needs it. */
export const consentsFeature = new Composer<BotContext>();

consentsFeature.callbackQuery(/^transfer:([^:]{1,40})$/, async (ctx) => {
  const version = ctx.match[1] ?? '';
  // This button asks for an old text.
  if (version !== TRANSFER_VERSION) return askForTransfer(ctx);
  await giveConsent(ctx.app, ctx.accountId, { kind: 'transfer', version });
  await ctx.show(MESSAGES.transferAccepted);
});

consentsFeature.callbackQuery('withdraw', async (ctx) => {
  await withdrawTransferConsent(ctx.app, ctx.accountId);
  await ctx.show(MESSAGES.transferWithdrawn);
});

export async function askForTransfer(ctx: BotContext): Promise<void> {
  const button = new InlineKeyboard().text(BUTTONS.agree, writeCallback('transfer', TRANSFER_VERSION));
  await ctx.say(MESSAGES.transfer(siteAddress(ctx.app, PATHS.photoTransferConsent)), button);
}
