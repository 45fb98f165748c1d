import type { Api } from 'grammy';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { type ChatBatch, changeChatBatch, listFollowedBatches } from '#api/services/chat/batches.ts';
import { editBatch } from './batch-state.ts';
import { editMessage } from './edit-message.ts';
import { MESSAGES } from './messages.ts';
import { ChatGoneError } from './send-once.ts';
import { describeTelegramError, readRetryAfter } from './telegram-errors.ts';

const LOOK_MS = 1_000;
/** Interval of the changes of one message. Telegram allows about twenty a minute. */
const SHOW_MS = 4_000;

type FollowedBatch = ChatBatch & { isParted: boolean };

/** Keeps the messages of started batches up to date, each at its own pace. Returns a function that stops this. */
export function followBatches(app: AppContext, api: Api): () => Promise<void> {
  /** When each message may be changed again, in milliseconds since the epoch. */
  const nextAt = new Map<string, number>();
  const underWay = new Map<string, Promise<void>>();
  let looking: Promise<void> | null = null;

  const follow = async (row: FollowedBatch) => {
    const { batchId } = row;
    nextAt.set(batchId, Date.now() + SHOW_MS);
    try {
      await show(app, api, row);
    } catch (error) {
      app.log.warn({ ...describeTelegramError(error), batchId }, 'the state of a batch could not be shown');
      nextAt.set(batchId, Date.now() + (readRetryAfter(error) ?? SHOW_MS / 1000) * 1000);
    }
  };
  const look = async () => {
    const rows = await listFollowedBatches(app);
    const following = new Set(rows.map(({ batchId }) => batchId));
    for (const id of nextAt.keys()) if (!following.has(id)) nextAt.delete(id);
    for (const row of rows) {
      const { batchId } = row;
      if (underWay.has(batchId) || Date.now() < (nextAt.get(batchId) ?? 0)) continue;
      underWay.set(
        batchId,
        follow(row).finally(() => underWay.delete(batchId)),
      );
    }
  };
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => app.log.warn(describeTelegramError(error), 'batches could not be looked for'))
      .finally(() => {
        looking = null;
      });
  }, LOOK_MS);
  return async () => {
    clearInterval(timer);
    await looking;
    await Promise.all(underWay.values());
  };
}

async function show(app: AppContext, api: Api, row: FollowedBatch): Promise<void> {
  const { batch, chatId, messageId, isParted } = row;
  // Before it is shown: a batch that is started anew meanwhile is followed on.
  const isLast = isParted || batch.status === 'open';
  if (isLast) await changeChatBatch(app, row, { isFollowed: false });
  try {
    if (!isParted) await editBatch(app, api, row);
    else if (messageId !== null) {
      const place = { chatId: Number(chatId), messageId, isPictured: batch.kind === 'model_change' };
      await editMessage(app, api, place, MESSAGES.batchParted);
    }
  } catch (error) {
    if (error instanceof ChatGoneError || (error instanceof AppError && error.status < 500)) {
      // Its end is announced elsewhere, or nobody may see it here any more.
      if (!isLast) await changeChatBatch(app, row, { isFollowed: false });
      return;
    }
    if (isLast) await changeChatBatch(app, row, { isFollowed: true });
    throw error;
  }
}
