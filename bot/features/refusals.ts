import { Composer } from 'grammy';
import type { BotContext } from '#bot/bot-context.ts';
import { MESSAGES } from '#bot/messages.ts';

/** Whatever nothing else has answered gets its answer here. */
export const refusalsFeature = new Composer<BotContext>();

refusalsFeature.on('edited_message', (ctx) => ctx.say(MESSAGES.edited));
refusalsFeature.on('message:sticker', (ctx) => ctx.say(MESSAGES.sticker));
refusalsFeature.on(['message:voice', 'message:audio', 'message:video_note'], (ctx) => ctx.say(MESSAGES.voice));
refusalsFeature.on('message:video', (ctx) => ctx.say(MESSAGES.videoSent));
refusalsFeature.on('message:text', (ctx) => ctx.say(MESSAGES.text));
// Such as «pinned a message»: nobody has said anything.
const SERVICE = ['pinned_message', 'message_auto_delete_timer_changed', 'write_access_allowed'] as const;
refusalsFeature.on('message', async (ctx) => {
  if (SERVICE.some((field) => field in ctx.message)) return;
  await ctx.say(MESSAGES.otherContent);
});
// A button of an older version.
refusalsFeature.on('callback_query', (ctx) => ctx.answer(MESSAGES.resultGone));
