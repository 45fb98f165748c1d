import type { MiddlewareFn } from 'grammy';
import { countRecentUpdates } from '#api/services/telegram/updates.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { MESSAGES } from '#bot/messages.ts';
import { sendOnce } from '#bot/send-once.ts';

/** Messages and buttons of one person, by the time when they came. */
const MAX_UPDATES = 30;
const WINDOW_MS = 30_000;

/** Beyond the limit updates are ignored, except for one notice. */
export const limitRate: MiddlewareFn<BotContext> = async (ctx, next) => {
  const count = await countRecentUpdates(ctx.app, { updateId: ctx.update.update_id, windowMs: WINDOW_MS });
  if (count <= MAX_UPDATES) return next();
  const text = MESSAGES.tooOften(WINDOW_MS / 1000);
  if (ctx.callbackQuery) return ctx.answer(text);
  const causeKey = `too-often:${ctx.chatNumber}:${Math.floor(Date.now() / WINDOW_MS)}`;
  await sendOnce(ctx.app, { causeKey, chatId: ctx.chatNumber }, () => ctx.api.sendMessage(ctx.chatNumber, text));
};
