import { Composer } from 'grammy';
import { ensureTelegramAccount, hasAcceptedTerms } from '#api/services/chat/users.ts';
import { describeTools } from '#api/services/core/tool-abilities.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { formatDay } from '#bot/format.ts';
import { MESSAGES } from '#bot/messages.ts';
import { siteAddress } from '#bot/site-address.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { refuseWhileDeleting } from './deletion.ts';

/** Commands that work for everybody, even before the terms are accepted. */
export const helpFeature = new Composer<BotContext>();

helpFeature.command('help', (ctx) => ctx.say(MESSAGES.help(ctx.app.config.publicUrl, describeTools(ctx.app))));

helpFeature.command('terms', async (ctx, next) => {
  const { termsAt } = ctx.user;
  if (!hasAcceptedTerms(ctx.user) || !termsAt) return next();
  await ctx.say(MESSAGES.termsAccepted(siteAddress(ctx.app, PATHS.botPolicy), formatDay(termsAt)));
});

helpFeature.command('paysupport', (ctx) => {
  const { messengerUrl, email } = ctx.app.config.operator;
  return ctx.say(MESSAGES.paySupport(messengerUrl, email));
});

export async function welcome(ctx: BotContext): Promise<void> {
  const { accountId, gift } = await ensureTelegramAccount(ctx.app, ctx.user.id);
  if (await refuseWhileDeleting(ctx, accountId)) return;
  await ctx.say(MESSAGES.welcome(gift, await getBalance(ctx.app, accountId)));
}
