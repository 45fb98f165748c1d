import type { MiddlewareFn } from 'grammy';
import { resumeOrders } from '#api/services/telegram/orders.ts';
import { findUnreachableSince, upsertTelegramUser } from '#api/services/telegram/users.ts';
import type { BotContext } from '#bot/bot-context.ts';

/** Loads the person who writes. Other bots and channels are ignored. */
export const loadTelegramUser: MiddlewareFn<BotContext> = async (ctx, next) => {
  if (!ctx.from || ctx.from.is_bot) return;
  const since = await findUnreachableSince(ctx.app, ctx.from.id);
  if (since) await resumeOrders(ctx.app, ctx.from.id, { since });
  ctx.user = await upsertTelegramUser(ctx.app, ctx.from);
  await next();
};
