import { Composer } from 'grammy';
import type { BotContext } from '#bot/bot-context.ts';
import { MESSAGES } from '#bot/messages.ts';
import { sendOnce } from '#bot/send-once.ts';

/** Answers everything that no other feature has handled. */
export const refusalsFeature = new Composer<BotContext>();

// Once per message, because a live location changes every few seconds.
refusalsFeature.on('edited_message', async (ctx) => {
  const causeKey = `edited:${ctx.chatNumber}:${ctx.editedMessage.message_id}`;
  await sendOnce(ctx.app, { causeKey, chatId: ctx.chatNumber }, () =>
    ctx.api.sendMessage(ctx.chatNumber, MESSAGES.edited),
  );
});
refusalsFeature.on('message:sticker', (ctx) => ctx.say(MESSAGES.sticker));
refusalsFeature.on('message:voice', (ctx) => ctx.say(MESSAGES.voice));
refusalsFeature.on('message:audio', (ctx) => ctx.say(MESSAGES.audio));
refusalsFeature.on(['message:video', 'message:video_note'], (ctx) => ctx.say(MESSAGES.videoSent));
refusalsFeature.on('message:text', (ctx) =>
  ctx.say(ctx.message.text.startsWith('/') ? MESSAGES.unknownCommand : MESSAGES.text),
);
// Service messages, such as «pinned a message». Nobody has written anything.
const SERVICE = ['pinned_message', 'message_auto_delete_timer_changed', 'write_access_allowed'] as const;
refusalsFeature.on('message', async (ctx) => {
  if (SERVICE.some((field) => field in ctx.message)) return;
  await ctx.say(MESSAGES.otherContent);
});
// A button of an older version, or a forged one.
refusalsFeature.on('callback_query', (ctx) => ctx.answer(MESSAGES.buttonGone));
