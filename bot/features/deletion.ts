import { Composer, InlineKeyboard } from 'grammy';
import { cancelDeletion, requestDeletionFromTelegram } from '#api/services/accounts/deletion.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { forgetChat, getAccountFacts } from '#api/services/chat/users.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { formatDay } from '#bot/format.ts';
import { BUTTONS, MESSAGES } from '#bot/messages.ts';
import { siteAddress } from '#bot/site-address.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { dateOfErasure } from '#shared/rules/retention.ts';

/**
 * Deletes an account that exists only through Telegram, after the grace period. Sends the owner of an account of the
 * site there, because its deletion needs the password. Works without accepted terms.
 */
export const deletionFeature = new Composer<BotContext>();

deletionFeature.command('delete', async (ctx) => {
  const { accountId } = ctx.user;
  if (accountId === null) return forget(ctx);
  const { email } = await getAccountFacts(ctx.app, accountId);
  if (await refuseWhileDeleting(ctx, accountId)) return;
  if (email !== null) return ctx.say(writeDeleteOnSite(ctx.app));
  const keyboard = new InlineKeyboard().text(BUTTONS.confirmDeletion, 'delete-go').text(BUTTONS.decline, 'delete-not');
  await ctx.say(MESSAGES.confirmDeletion(await getBalance(ctx.app, accountId)), keyboard);
});

deletionFeature.callbackQuery('delete-go', async (ctx) => {
  const { accountId } = ctx.user;
  if (accountId === null) return forget(ctx);
  const askedAt = await requestDeletionFromTelegram(ctx.app, accountId);
  await (askedAt ? ctx.show(...writeAsked(askedAt)) : ctx.show(writeDeleteOnSite(ctx.app)));
});

deletionFeature.callbackQuery('delete-not', (ctx) => ctx.show(MESSAGES.deletionDeclined));

deletionFeature.callbackQuery('delete-no', async (ctx) => {
  const { accountId } = ctx.user;
  if (accountId === null) return ctx.show(MESSAGES.nothingToDelete);
  await cancelDeletion(ctx.app, accountId);
  await ctx.show(MESSAGES.deletionTakenBack);
});

/** Nothing else is stored about somebody without an account. The answer comes first, because it is counted as sent. */
async function forget(ctx: BotContext): Promise<void> {
  await ctx.say(MESSAGES.chatForgotten);
  await forgetChat(ctx.app, ctx.user.id);
}

/**
 * What the owner of an account with a requested deletion is told, with the button that cancels it. Null for everybody
 * else.
 */
export async function describeLeaving(app: AppContext, accountId: number): Promise<[string, InlineKeyboard] | null> {
  const { deletionAskedAt } = await getAccountFacts(app, accountId);
  return deletionAskedAt && writeAsked(deletionAskedAt);
}

/** Tells a person whose account is about to be deleted, instead of offering what would be refused. */
export async function refuseWhileDeleting(ctx: BotContext, accountId: number): Promise<boolean> {
  const leaving = await describeLeaving(ctx.app, accountId);
  if (leaving) await ctx.say(...leaving);
  return leaving !== null;
}

function writeDeleteOnSite(app: AppContext): string {
  return MESSAGES.deleteOnSite(siteAddress(app, `${PATHS.settings}#deletion`));
}

function writeAsked(askedAt: Date): [string, InlineKeyboard] {
  const keyboard = new InlineKeyboard().text(BUTTONS.cancelDeletion, 'delete-no');
  return [MESSAGES.deletionAsked(formatDay(dateOfErasure(askedAt))), keyboard];
}
