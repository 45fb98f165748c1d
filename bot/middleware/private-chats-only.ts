import type { MiddlewareFn } from 'grammy';
import { markUnreachable } from '#api/services/telegram/users.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { MESSAGES } from '#bot/messages.ts';

/** Lets only private chats through; groups are refused politely, and a person who blocks the bot gets no answer. */
export const privateChatsOnly: MiddlewareFn<BotContext> = async (ctx, next) => {
  if (ctx.chat && ctx.chat.type !== 'private') {
    const isJoined = ctx.myChatMember?.new_chat_member.status === 'member';
    const isAddressed = isJoined || ctx.message?.text?.startsWith('/') || isMentioned(ctx);
    if (isAddressed && isFirst(ctx)) await ctx.say(MESSAGES.onlyPrivate);
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

/** A group is told once in a while; more would annoy. */
function isFirst({ app, chatNumber }: BotContext): boolean {
  try {
    app.state.rateLimits.groupAnswer.count(String(chatNumber));
    return true;
  } catch {
    // It was told already.
    return false;
  }
}
