import { Composer, InlineKeyboard } from 'grammy';
import { AppError } from '#api/platform/errors.ts';
import {
  createLinkToken,
  findAccountLinkedBy,
  getAccountOfToken,
  redeemLinkToken,
  unlinkTelegram,
} from '#api/services/account-lifecycle/link-telegram.ts';
import { isInUse, NOTHING_MOVED } from '#api/services/account-lifecycle/merge-accounts.ts';
import { ensureTelegramAccount, getAccountFacts } from '#api/services/chat/users.ts';
import { hasActiveGeneration } from '#api/services/generations/results/find-generation.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { maskEmail } from '#bot/format.ts';
import { writeCallback } from '#bot/keyboards/callback-data.ts';
import { BUTTONS, MESSAGES } from '#bot/messages.ts';
import { sendOnce } from '#bot/send-once.ts';
import { siteAddress } from '#bot/site-address.ts';
import { TELEGRAM_LINK_PARAMETER } from '#shared/contract/telegram.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { welcome } from './help.ts';

const TOKEN = /^[\w-]{22}$/;

/** Linking with the site: `/start <token>` from its settings, `/link` in the other direction, `/unlink`. */
export const linkingFeature = new Composer<BotContext>();

linkingFeature.command('start', async (ctx) => {
  const token = readLinkToken(ctx);
  if (token) await offerLink(ctx, token);
  else await welcome(ctx);
});

linkingFeature.callbackQuery(/^link-go:([\w-]{22})$/, async (ctx) => {
  const token = ctx.match[1] ?? '';
  // A repeat. The link exists, and only the message may have been lost.
  const linked = await findAccountLinkedBy(ctx.app, token, ctx.user.id);
  if (linked) return ctx.show(MESSAGES.linked(maskEmail(linked.email), NOTHING_MOVED));
  const { email } = await getAccountOfToken(ctx.app, token);
  const moved = await redeemLinkToken(ctx.app, token, { telegramUserId: ctx.user.id });
  await ctx.show(MESSAGES.linked(maskEmail(email), moved));
});

linkingFeature.callbackQuery('link-no', async (ctx) => {
  await ctx.show(MESSAGES.linkDeclined);
  await welcome(ctx);
});

linkingFeature.command('link', (ctx) => startLink(ctx));
linkingFeature.callbackQuery('link', (ctx) => startLink(ctx));
linkingFeature.command('unlink', (ctx) => askToUnlink(ctx));
linkingFeature.callbackQuery('unlink', (ctx) => askToUnlink(ctx));

linkingFeature.callbackQuery('unlink-no', (ctx) => ctx.show(MESSAGES.unlinkDeclined));
linkingFeature.callbackQuery('unlink-go', async (ctx) => {
  const { accountId } = ctx.user;
  // Null in a repeat: the accounts are unlinked, and only the message may have been lost.
  if (accountId !== null) await unlinkTelegram(ctx.app, accountId);
  await ctx.show(MESSAGES.unlinked);
});

/** The token that an update brings from the site. Null for none. */
export function readLinkToken(ctx: BotContext): string | null {
  const [command, token = ''] = (ctx.message?.text ?? '').split(' ');
  return command?.startsWith('/start') && TOKEN.test(token) ? token : null;
}

/**
 * Asks for confirmation before linking, because the chat works with the account that made the token from then on. Throws
 * link_token_invalid, telegram_has_account, telegram_in_use.
 */
export async function offerLink(ctx: BotContext, token: string): Promise<void> {
  const { id, email } = await getAccountOfToken(ctx.app, token);
  // A confirmation would only lead to a refusal.
  if (ctx.user.accountId === id) return ctx.say(MESSAGES.alreadyLinked(maskEmail(email)));
  if ((await findLinkedEmail(ctx)) !== null) throw new AppError('telegram_has_account');
  if (ctx.user.accountId !== null && (await isInUse(ctx.app.db, ctx.user.accountId))) {
    throw new AppError('telegram_in_use');
  }
  const keyboard = new InlineKeyboard()
    .text(BUTTONS.confirmLink, writeCallback('link-go', token))
    .text(BUTTONS.decline, 'link-no');
  await ctx.say(MESSAGES.confirmLink(maskEmail(email)), keyboard);
}

async function startLink(ctx: BotContext): Promise<void> {
  const email = await findLinkedEmail(ctx);
  if (email !== null) return ctx.say(MESSAGES.alreadyLinked(maskEmail(email)));
  await ensureTelegramAccount(ctx.app, ctx.user.id);
  await sendOnce(ctx.app, ctx.nextCause(), async () => {
    // Inside `sendOnce`, because a new token invalidates the one in an earlier message.
    const { token } = await createLinkToken(ctx.app, { telegramUserId: ctx.user.id });
    const address = siteAddress(ctx.app, `${PATHS.settings}?${TELEGRAM_LINK_PARAMETER}=${token}`);
    return ctx.api.sendMessage(ctx.chatNumber, MESSAGES.linkHere(address), {
      link_preview_options: { is_disabled: true },
    });
  });
}

async function askToUnlink(ctx: BotContext): Promise<void> {
  const email = await findLinkedEmail(ctx);
  if (email === null) return ctx.say(MESSAGES.notLinked);
  const isInProgress = ctx.user.accountId !== null && (await hasActiveGeneration(ctx.app.db, ctx.user.accountId));
  const keyboard = new InlineKeyboard().text(BUTTONS.unlink, 'unlink-go').text(BUTTONS.decline, 'unlink-no');
  await ctx.say(MESSAGES.confirmUnlink(maskEmail(email), isInProgress), keyboard);
}

async function findLinkedEmail(ctx: BotContext): Promise<string | null> {
  const { accountId } = ctx.user;
  if (accountId === null) return null;
  return (await getAccountFacts(ctx.app, accountId)).email;
}
