import type { MiddlewareFn } from 'grammy';
import { AttemptLimiter } from '#api/services/ground/rate-limiter.ts';
import { markUnreachable } from '#api/services/telegram/users.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { MESSAGES } from '#bot/messages.ts';

/** A group is told once in a while; more would be a nuisance. */
const groupAnswers = new AttemptLimiter({ max: 1, windowMs: 3_600_000 });

/** Lets only private chats through; groups are refused politely, and whoever blocks the bot is not written to. */
export const privateChatsOnly: MiddlewareFn<BotContext> = async (ctx, next) => {
  if (ctx.chat && ctx.chat.type !== 'private') {
    const isJoined = ctx.myChatMember?.new_chat_member.status === 'member';
    const isAddressed = isJoined || ctx.message?.text?.startsWith('/') || isMentioned(ctx);
    if (isAddressed && isFirst(String(ctx.chat.id))) await ctx.say(MESSAGES.onlyPrivate);
    return;
  }
  if (ctx.myChatMember) {
    if (ctx.myChatMember.new_chat_member.status === 'kicked') await markUnreachable(ctx.app, BigInt(ctx.chatNumber));
    return;
  }
  await next();
};

function isMentioned({ message, me }: BotContext): boolean {
  const words = message?.text ?? message?.caption ?? '';
  return words.toLowerCase().includes(`@${me.username.toLowerCase()}`);
}

function isFirst(chat: string): boolean {
  try {
    groupAnswers.count(chat);
    return true;
  } catch {
    // It was told already.
    return false;
  }
}
