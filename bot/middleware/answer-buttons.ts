import type { MiddlewareFn } from 'grammy';
import type { BotContext } from '#bot/bot-context.ts';

/** Every pressed button gets its answer, or it would go on turning. */
export const answerButtons: MiddlewareFn<BotContext> = async (ctx, next) => {
  await next();
  await ctx.answer();
};
