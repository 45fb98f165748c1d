import { InlineKeyboard, type MiddlewareFn } from 'grammy';
import { acceptBotTerms, hasAcceptedTerms } from '#api/services/telegram/users.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { welcome } from '#bot/features/help.ts';
import { offerLink, readLinkToken } from '#bot/features/linking.ts';
import { writeCallback } from '#bot/keyboards/callback-data.ts';
import { BUTTONS, MESSAGES } from '#bot/messages.ts';
import { siteAddress } from '#bot/site-address.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { LEGAL_DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';

const ACCEPT = /^terms:([^:]+)(?::([\w-]{22}))?$/;

/** Stops here, and fetches no file, until the person has accepted the terms in force. */
export const termsGate: MiddlewareFn<BotContext> = async (ctx, next) => {
  const accepted = ACCEPT.exec(ctx.callbackQuery?.data ?? '');
  if (accepted) return accept(ctx, accepted[1] ?? '', accepted[2] ?? null);
  if (hasAcceptedTerms(ctx.user)) return next();
  if (ctx.callbackQuery) await ctx.answer(MESSAGES.termsFirst);
  await askForTerms(ctx);
};

async function askForTerms(ctx: BotContext): Promise<void> {
  const token = readLinkToken(ctx);
  const data = writeCallback('terms', LEGAL_DOCUMENTS_VERSION, ...(token ? [token] : []));
  const text = MESSAGES.terms(siteAddress(ctx.app, PATHS.botPolicy), ctx.user.termsVersion !== null);
  await ctx.say(text, new InlineKeyboard().text(BUTTONS.accept, data));
}

async function accept(ctx: BotContext, version: string, token: string | null): Promise<void> {
  // Another version is in force by now; this consent is to an old one.
  if (version !== LEGAL_DOCUMENTS_VERSION) {
    return hasAcceptedTerms(ctx.user) ? ctx.answer(MESSAGES.buttonGone) : askForTerms(ctx);
  }
  if (!hasAcceptedTerms(ctx.user)) ctx.user = await acceptBotTerms(ctx.app, ctx.user.id);
  await ctx.show(MESSAGES.accepted);
  if (token) await offerLink(ctx, token);
  else await welcome(ctx);
}
