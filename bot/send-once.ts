import { setTimeout as wait } from 'node:timers/promises';
import type { Message } from 'grammy/types';
import { retryDuringDatabaseFaults } from '#api/database/retry-during-database-faults.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { claimMessage, recordMessage, releaseMessage } from '#api/services/chat/messages.ts';
import { markUnreachable } from '#api/services/chat/users.ts';
import { describeTelegramError, isChatGone, mayHaveHadEffect, readRetryAfter } from './telegram-errors.ts';

/** How often and how long requested pauses are waited out here. The caller handles longer ones. */
const FLOOD_RETRIES = 5;
const LONGEST_PAUSE_SECONDS = 5;

/** The person has blocked the bot or no longer exists. */
export class ChatGoneError extends Error {
  constructor(cause: unknown) {
    super('the chat cannot be written to', { cause });
    this.name = 'ChatGoneError';
  }
}

/**
 * Sends a message unless one with this cause was sent, or may have been: a second one would be worse than none. Returns
 * null when nothing was sent. Throws ChatGoneError, and errors after which the call may be repeated.
 */
export async function sendOnce<Sent extends Message | Message[]>(
  app: AppContext,
  { causeKey, chatId }: { causeKey: string; chatId: bigint | number },
  send: () => Promise<Sent>,
): Promise<Sent | null> {
  for (let attempt = 0; ; attempt++) {
    if (!(await claimMessage(app, causeKey, chatId))) return null;
    let sent: Sent;
    try {
      sent = await send();
    } catch (error) {
      if (mayHaveHadEffect(error)) {
        app.log.warn({ ...describeTelegramError(error), causeKey }, 'a message may have been sent or not');
        return null;
      }
      await retryDuringDatabaseFaults(() => releaseMessage(app, causeKey));
      if (isChatGone(error)) {
        await markUnreachable(app, BigInt(chatId));
        throw new ChatGoneError(error);
      }
      const pauseSeconds = readRetryAfter(error);
      if (pauseSeconds === null || pauseSeconds > LONGEST_PAUSE_SECONDS || attempt >= FLOOD_RETRIES) throw error;
      await wait(pauseSeconds * 1000);
      continue;
    }
    const first: Message | undefined = Array.isArray(sent) ? sent[0] : sent;
    await recordMessage(app, causeKey, first?.message_id ?? null);
    return sent;
  }
}
