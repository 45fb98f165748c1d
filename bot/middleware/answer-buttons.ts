import type { MiddlewareFn } from 'grammy';
import type { BotContext } from '#bot/bot-context.ts';

/** Answers every pressed button; without an answer it keeps spinning. */
export const answerButtons: MiddlewareFn<BotContext> = async (ctx, next) => {
  await next();
  await ctx.answer();
};
