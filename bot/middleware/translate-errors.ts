import type { MiddlewareFn } from 'grammy';
import { AppError } from '#api/errors.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { describeLeaving } from '#bot/features/deletion.ts';
import { MESSAGES } from '#bot/messages.ts';

/** Turns expected errors into words, shown as a notice after a button. All others are retried. */
export const translateErrors: MiddlewareFn<BotContext> = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const { accountId } = ctx.user;
    const leaving =
      error.code === 'deletion_asked' && accountId !== null && (await describeLeaving(ctx.app, accountId));
    if (leaving) {
      await ctx.answer(MESSAGES.deletionPending);
      return ctx.say(...leaving);
    }
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
    case 'photo_forbidden':
      return MESSAGES.photoGone;
    case 'photo_too_large':
      return MESSAGES.fileTooLarge;
    case 'photo_missing':
      return MESSAGES.emptyFile;
    case 'photo_not_image':
      return MESSAGES.notAPhoto;
    case 'photo_heic_unsupported':
      return MESSAGES.heicUnreadable;
    case 'photo_too_small':
      return MESSAGES.photoTooSmall;
    case 'photo_too_many_pixels':
      return MESSAGES.photoTooLarge;
    case 'photo_unreadable':
      return MESSAGES.photoUnreadable;
    case 'premium_background':
      return MESSAGES.premiumBackground;
    case 'generation_not_found':
      return MESSAGES.resultGone;
    case 'generation_forbidden':
      return MESSAGES.resultForeign;
    case 'generation_finished':
      return MESSAGES.hasEnded;
    case 'package_unknown':
      return MESSAGES.packageGone;
    default:
      return error.message.replace(/[^.!?…]$/, '$&.');
  }
}
