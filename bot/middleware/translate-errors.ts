import type { MiddlewareFn } from 'grammy';
import { AppError } from '#api/errors.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { MESSAGES } from '#bot/messages.ts';

/** What may normally go wrong is said in words, in a notice over a pressed button; everything else is tried again. */
export const translateErrors: MiddlewareFn<BotContext> = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const text = describeRefusal(error);
    if (ctx.callbackQuery) await ctx.answer(text);
    else await ctx.say(text);
  }
};

function describeRefusal(error: AppError): string {
  switch (error.code) {
    case 'active_generation':
      return MESSAGES.activeGeneration;
    case 'idempotency_key_reused':
      return MESSAGES.alreadyStarted;
    case 'photo_not_found':
      return MESSAGES.photoGone;
    case 'photo_too_large':
      return MESSAGES.fileTooLarge;
    case 'premium_background':
      return MESSAGES.premiumBackground;
    case 'generation_not_found':
      return MESSAGES.resultGone;
    case 'generation_finished':
      return MESSAGES.hasEnded;
    case 'package_unknown':
      return MESSAGES.packageGone;
    default:
      return error.message;
  }
}
