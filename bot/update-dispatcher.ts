import { setTimeout as wait } from 'node:timers/promises';
import type { Update } from 'grammy/types';
import type { AppContext } from '#api/app-context.ts';
import { beginNextUpdate, finishUpdate, listWaitingChats, telegramUpdates } from '#api/services/telegram-updates.ts';
import { createWorkSlots } from '#api/services/work-slots.ts';
import { describeTelegramError } from './describe-telegram-error.ts';
import { ChatGoneError, isChatGone } from './send-once.ts';

/** What other processes have recorded is found this often. */
const LOOK_MS = 1_000;
/** An update that fails so often is given up. */
const MAX_ATTEMPTS = 5;
const RETRY_PAUSE_MS = 1_000;
/** Chats that are served at the same time; the others wait. */
const CHATS_AT_ONCE = 12;

export interface UpdateHandler {
  handle(update: Update): Promise<void>;
  /** Tells the person that an update was given up. */
  apologise(update: Update): Promise<void>;
}

/** Works on recorded updates, those of one chat one after another. Returns how to stop: what is under way is finished. */
export function startDispatcher(app: AppContext, handler: UpdateHandler): () => Promise<void> {
  const chains = new Map<bigint, Promise<void>>();
  const slots = createWorkSlots({ atOnce: CHATS_AT_ONCE, maxWaiting: Number.POSITIVE_INFINITY });
  const stopping = new AbortController();

  const serve = (chatId: bigint) => {
    if (stopping.signal.aborted) return;
    const chain = (chains.get(chatId) ?? Promise.resolve())
      .then(() => workOff(chatId))
      .catch((error: unknown) => app.log.error({ err: error }, 'updates of a chat could not be worked on'))
      .finally(() => {
        if (chains.get(chatId) === chain) chains.delete(chatId);
      });
    chains.set(chatId, chain);
  };
  const workOff = async (chatId: bigint) => {
    while (!stopping.signal.aborted) {
      const next = await beginNextUpdate(app, chatId);
      if (!next) return;
      await slots.run(() => workOn(next.id, next.body as unknown as Update, next.attempts));
    }
  };
  const workOn = async (id: bigint, update: Update, attempt: number) => {
    try {
      // Begun so often and never failed: it kills the process.
      if (attempt > MAX_ATTEMPTS) throw new Error('the process ended during this update again and again');
      await handler.handle(update);
    } catch (error) {
      if (error instanceof ChatGoneError || isChatGone(error)) {
        app.log.info({ updateId: update.update_id }, 'the chat is gone');
      } else if (attempt < MAX_ATTEMPTS) {
        app.log.warn({ ...describeTelegramError(error), updateId: update.update_id }, 'an update failed, trying again');
        await wait(RETRY_PAUSE_MS * attempt, undefined, { signal: stopping.signal }).catch(() => undefined);
        return;
      } else {
        app.log.error({ ...describeTelegramError(error), updateId: update.update_id }, 'an update was given up');
        await handler.apologise(update).catch(() => undefined);
      }
    }
    await finishUpdate(app, id);
  };
  const look = async () => {
    try {
      for (const chatId of await listWaitingChats(app)) if (!chains.has(chatId)) serve(chatId);
    } catch (error) {
      app.log.error({ err: error }, 'waiting updates could not be looked for');
    }
  };

  telegramUpdates.on('recorded', serve);
  const timer = setInterval(() => void look(), LOOK_MS);
  void look();
  return async () => {
    clearInterval(timer);
    telegramUpdates.off('recorded', serve);
    stopping.abort();
    await Promise.allSettled(chains.values());
  };
}
