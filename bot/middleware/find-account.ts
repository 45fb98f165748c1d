import type { MiddlewareFn } from 'grammy';
import { ensureTelegramAccount } from '#api/services/telegram/users.ts';
import type { BotContext } from '#bot/bot-context.ts';

/** Everybody who has accepted the terms has an account: a linked one, or one of their own. */
export const findAccount: MiddlewareFn<BotContext> = async (ctx, next) => {
  const { accountId } = await ensureTelegramAccount(ctx.app, ctx.user.id);
  ctx.accountId = accountId;
  await next();
};
