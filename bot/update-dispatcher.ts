import { setTimeout as wait } from 'node:timers/promises';
import type { Update } from 'grammy/types';
import { isDatabaseFault } from '#api/database/faults.ts';
import { type Lease, NotLeadingError } from '#api/database/leadership.ts';
import { retryDuringDatabaseFaults } from '#api/database/retry-during-database-faults.ts';
import { runInRequest } from '#api/platform/request-context.ts';
import { Semaphore } from '#api/platform/semaphore.ts';
import type { AppContext } from '#api/services/app-context.ts';
import {
  beginNextUpdate,
  finishUpdate,
  listWaitingChats,
  type TelegramUpdate,
  uncountAttempt,
} from '#api/services/chat/updates.ts';
import { backOffMs } from '#shared/rules/back-off.ts';
import { ChatGoneError } from './send-once.ts';
import { describeTelegramError, isChatGone, isUnreachable, readRetryAfter } from './telegram-errors.ts';

const LOOK_MS = 1_000;
const MAX_ATTEMPTS = 5;
const RETRY_PAUSE_MS = 1_000;
/** Upper limit of the growing pauses while Telegram cannot be reached, or the database cannot serve. */
const LONGEST_PAUSE_MS = 60_000;
/** How long an update waits for either. A later answer would be confusing. */
const PATIENCE_MS = 24 * 3_600_000;
const CHATS_AT_ONCE = 12;

/** Waits for something slow. Meanwhile the place of this update among those that are handled at once is for others. */
export type Aside = <T>(waiting: () => Promise<T>) => Promise<T>;

export interface UpdateHandler {
  handle(update: Update, aside: Aside): Promise<void>;
  /** Tells the person that an update was given up. */
  apologise(update: Update): Promise<void>;
}

/**
 * Handles recorded updates, those of one chat one after another, until the lease ends. Returns a function that waits for
 * the running work.
 */
export function startDispatcher(
  app: AppContext,
  handler: UpdateHandler,
  { ending, isHeld }: Pick<Lease, 'ending' | 'isHeld'>,
): () => Promise<void> {
  const chains = new Map<bigint, Promise<void>>();
  const semaphore = new Semaphore({ permits: CHATS_AT_ONCE, maxWaiting: Number.POSITIVE_INFINITY });

  const serve = (chatId: bigint) => {
    if (ending.aborted) return;
    const chain = (chains.get(chatId) ?? Promise.resolve())
      .then(() => handleUpdatesOfChat(chatId))
      .catch((error: unknown) => app.log.error({ err: error }, 'updates of a chat could not be worked on'))
      .finally(() => {
        if (chains.get(chatId) === chain) chains.delete(chatId);
      });
    chains.set(chatId, chain);
  };
  const handleUpdatesOfChat = async (chatId: bigint) => {
    let failures = 0;
    while (!ending.aborted) {
      const next = await beginNextUpdate(app, chatId, isHeld);
      if (!next) return;
      // What an update asks for has no HTTP request of its own.
      const context = { requestId: `telegram-${next.id}` };
      const pauseMs = await semaphore.run(() =>
        runInRequest(context, () =>
          handleUpdate(app, handler, next, { failures, aside: (waiting) => semaphore.aside(waiting) }),
        ),
      );
      failures = pauseMs === null ? 0 : failures + 1;
      // Waits outside the semaphore, so that other chats are handled meanwhile.
      if (pauseMs !== null) await wait(pauseMs, undefined, { signal: ending }).catch(() => undefined);
    }
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
    await Promise.allSettled(chains.values());
  };
}

/** Resolves with the pause before the next attempt. Null when the update is finished. */
async function handleUpdate(
  app: AppContext,
  handler: UpdateHandler,
  row: TelegramUpdate,
  { failures, aside }: { failures: number; aside: Aside },
): Promise<number | null> {
  const update = row.body as unknown as Update;
  const log = app.log.child({ updateId: update.update_id });
  try {
    // It was started this often without a recorded failure, so it kills the process.
    if (row.attempts > MAX_ATTEMPTS) throw new Error('the process ended during this update again and again');
    await handler.handle(update, aside);
  } catch (error) {
    const trouble = describeTelegramError(error);
    const pauseMs = Date.now() - row.createdAt.getTime() < PATIENCE_MS ? choosePause(error, failures) : null;
    if (error instanceof NotLeadingError) {
      await retryDuringDatabaseFaults(() => uncountAttempt(app, row.id));
      return RETRY_PAUSE_MS;
    }
    if (error instanceof ChatGoneError || isChatGone(error)) {
      log.info('the chat is gone');
    } else if (pauseMs !== null) {
      log.warn({ ...trouble, pauseMs }, `an update waits for ${isDatabaseFault(error) ? 'the database' : 'Telegram'}`);
      await retryDuringDatabaseFaults(() => uncountAttempt(app, row.id));
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
  await retryDuringDatabaseFaults(() => finishUpdate(app, row.id));
  return null;
}

function choosePause(error: unknown, failures: number): number | null {
  const retryAfterSeconds = readRetryAfter(error);
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1000;
  const isAway = isUnreachable(error) || isDatabaseFault(error);
  return isAway ? backOffMs(failures, { firstMs: RETRY_PAUSE_MS, longestMs: LONGEST_PAUSE_MS }) : null;
}
