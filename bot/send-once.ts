import { setTimeout as wait } from 'node:timers/promises';
import { GrammyError, HttpError } from 'grammy';
import type { Message } from 'grammy/types';
import type { AppContext } from '#api/app-context.ts';
import { claimMessage, recordMessage, releaseMessage } from '#api/services/telegram-messages.ts';
import { markUnreachable } from '#api/services/telegram-users.ts';

/** Pauses that Telegram asks for are kept so often; then the caller's own retry takes over. */
const FLOOD_RETRIES = 5;
/** The request never left us. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** The person has blocked the bot or is gone: there is nothing more to say. */
export class ChatGoneError extends Error {
  constructor(cause: unknown) {
    super('the chat cannot be written to', { cause });
    this.name = 'ChatGoneError';
  }
}

/**
 * Sends a message unless one with this cause was sent, or may have been: a crash or a broken line in the middle leaves it
 * unknown, and twice would be worse than not at all. Returns null where nothing was sent now. Throws ChatGoneError, and
 * what Telegram refused or could not be reached for; then the same call may be repeated.
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
      if (error instanceof HttpError && mayHaveBeenSent(error)) {
        app.log.warn({ reason: error.message, causeKey }, 'a message may have been sent or not');
        return null;
      }
      await releaseMessage(app, causeKey);
      if (isChatGone(error)) {
        await markUnreachable(app, BigInt(chatId));
        throw new ChatGoneError(error);
      }
      const pauseSeconds = error instanceof GrammyError ? error.parameters.retry_after : undefined;
      if (pauseSeconds === undefined || attempt >= FLOOD_RETRIES) throw error;
      await wait(pauseSeconds * 1000);
      continue;
    }
    const first: Message | undefined = Array.isArray(sent) ? sent[0] : sent;
    await recordMessage(app, causeKey, first?.message_id ?? null);
    return sent;
  }
}

/** The line broke, or the time was over, when the request may have been there already. What broke on our side was not. */
function mayHaveBeenSent({ error }: HttpError): boolean {
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (NEVER_SENT.has(code ?? '')) return false;
  return name === 'FetchError' || name === 'AbortError' || /timed out/.test(message);
}

/** Whether Telegram says that the person cannot be written to. */
export function isChatGone(error: unknown): boolean {
  if (!(error instanceof GrammyError)) return false;
  return error.error_code === 403 || (error.error_code === 400 && /chat not found/i.test(error.description));
}
