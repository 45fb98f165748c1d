import { Composer, InlineKeyboard } from 'grammy';
import { askDeletionFromTelegram, takeBackDeletion } from '#api/services/account-deletion.ts';
import { getBalance } from '#api/services/stars.ts';
import { getAccountFacts } from '#api/services/telegram-users.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { BUTTONS, MESSAGES } from '#bot/messages.ts';
import { siteAddress } from '#bot/site-address.ts';
import { dateOfErasure } from '#shared/rules/account-deletion.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

const DAY = new Intl.DateTimeFormat('ru-RU', { dateStyle: 'long', timeZone: 'Europe/Moscow' });

/** Deletes an account of Telegram alone after the days of grace; one of the site asks for its password there. */
export const deletionFeature = new Composer<BotContext>();

deletionFeature.command('delete', async (ctx) => {
  const account = await getAccountFacts(ctx.app, ctx.accountId);
  if (account.email !== null) return ctx.say(MESSAGES.deleteOnSite(siteAddress(ctx.app, PATHS.settings)));
  if (account.deletionAskedAt) return ctx.say(...writeAsked(account.deletionAskedAt));
  const balance = await getBalance(ctx.app, ctx.accountId);
  await ctx.say(MESSAGES.confirmDeletion(balance), new InlineKeyboard().text(BUTTONS.confirmDeletion, 'delete-go'));
});

deletionFeature.callbackQuery('delete-go', async (ctx) => {
  await ctx.show(...writeAsked(await askDeletionFromTelegram(ctx.app, ctx.accountId)));
});

deletionFeature.callbackQuery('delete-no', async (ctx) => {
  await takeBackDeletion(ctx.app, ctx.accountId);
  await ctx.show(MESSAGES.deletionTakenBack);
});

function writeAsked(askedAt: Date): [string, InlineKeyboard] {
  const keyboard = new InlineKeyboard().text(BUTTONS.takeBackDeletion, 'delete-no');
  return [MESSAGES.deletionAsked(DAY.format(dateOfErasure(askedAt))), keyboard];
}
