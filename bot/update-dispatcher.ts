import { setTimeout as wait } from 'node:timers/promises';
import type { Update } from 'grammy/types';
import type { AppContext } from '#api/services/app-context.ts';
import { Semaphore } from '#api/services/ground/semaphore.ts';
import {
  beginNextUpdate,
  finishUpdate,
  listWaitingChats,
  type TelegramUpdate,
  uncountAttempt,
} from '#api/services/telegram/updates.ts';
import { ChatGoneError } from './send-once.ts';
import { describeTelegramError, isChatGone, isUnreachable, readRetryAfter } from './telegram-errors.ts';

/** How often updates recorded by other processes are looked for. */
const LOOK_MS = 1_000;
/** An update that fails so often is given up. */
const MAX_ATTEMPTS = 5;
const RETRY_PAUSE_MS = 1_000;
/** While Telegram cannot be reached, the pauses grow up to this. */
const LONGEST_PAUSE_MS = 60_000;
/** An update waits this long for Telegram; a later answer would confuse. */
const PATIENCE_MS = 24 * 3_600_000;
/** Chats that are served at the same time; the others wait. */
const CHATS_AT_ONCE = 12;

export interface UpdateHandler {
  handle(update: Update): Promise<void>;
  /** Tells the person that an update was given up. */
  apologise(update: Update): Promise<void>;
}

/** Works on recorded updates, those of one chat one after another. Returns the stop, which finishes running work. */
export function startDispatcher(app: AppContext, handler: UpdateHandler): () => Promise<void> {
  const chains = new Map<bigint, Promise<void>>();
  const semaphore = new Semaphore({ permits: CHATS_AT_ONCE, maxWaiting: Number.POSITIVE_INFINITY });
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
    let failures = 0;
    while (!stopping.signal.aborted) {
      const next = await beginNextUpdate(app, chatId);
      if (!next) return;
      const pauseMs = await semaphore.run(() => workOn(next, failures));
      failures = pauseMs === null ? 0 : failures + 1;
      // Outside the semaphore: other chats are served meanwhile.
      if (pauseMs !== null) await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  /** Resolves with the pause before the next try; null when the update is finished. */
  const workOn = async (row: TelegramUpdate, failures: number): Promise<number | null> => {
    const update = row.body as unknown as Update;
    const log = app.log.child({ updateId: update.update_id });
    try {
      // Begun so often without a recorded failure: it kills the process.
      if (row.attempts > MAX_ATTEMPTS) throw new Error('the process ended during this update again and again');
      await handler.handle(update);
    } catch (error) {
      const trouble = describeTelegramError(error);
      const pauseMs = Date.now() - row.createdAt.getTime() < PATIENCE_MS ? choosePause(error, failures) : null;
      if (error instanceof ChatGoneError || isChatGone(error)) {
        log.info('the chat is gone');
      } else if (pauseMs !== null) {
        log.warn({ ...trouble, pauseMs }, 'an update waits for Telegram');
        await uncountAttempt(app, row.id);
        return pauseMs;
      } else if (row.attempts < MAX_ATTEMPTS) {
        log.warn(trouble, 'an update failed, trying again');
        return RETRY_PAUSE_MS * row.attempts;
      } else {
        log.error(trouble, 'an update was given up');
        await handler
          .apologise(update)
          .catch((failure: unknown) => log.warn(describeTelegramError(failure), 'and its person could not be told'));
      }
    }
    await finishUpdate(app, row.id);
    return null;
  };
  const look = async () => {
    try {
      for (const chatId of await listWaitingChats(app)) if (!chains.has(chatId)) serve(chatId);
    } catch (error) {
      app.log.error({ err: error }, 'waiting updates could not be looked for');
    }
  };

  app.state.telegramUpdates.on('recorded', serve);
  const timer = setInterval(() => void look(), LOOK_MS);
  void look();
  return async () => {
    clearInterval(timer);
    app.state.telegramUpdates.off('recorded', serve);
    stopping.abort();
    await Promise.allSettled(chains.values());
  };
}

/** How long to leave Telegram alone, in milliseconds; null for an unrelated failure. */
function choosePause(error: unknown, failures: number): number | null {
  const retryAfterSeconds = readRetryAfter(error);
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1000;
  return isUnreachable(error) ? Math.min(LONGEST_PAUSE_MS, RETRY_PAUSE_MS * 2 ** failures) : null;
}
