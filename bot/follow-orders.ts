import { type Api, GrammyError, InlineKeyboard } from 'grammy';
import type { AppContext } from '#api/services/app-context.ts';
import {
  closeOrder,
  dropOrder,
  type FollowedOrder,
  findOrder,
  isResultUnannounced,
  listFollowedOrders,
} from '#api/services/chat/orders.ts';
import { resultKindOf } from '#api/services/core/result-kind.ts';
import { getProgress } from '#api/services/generations/results/progress.ts';
import { isVideoCopyMissing } from '#api/services/generations/results/video-copies.ts';
import { announceEndAgain } from '#api/services/notices/notices.ts';
import { isFreedGiftTaken } from '#api/services/stars/ledger.ts';
import {
  findRemedy,
  type GenerationFailureCode,
  type GenerationKind,
  isFinal,
  isSaving,
} from '#shared/rules/generation-lifecycle.ts';
import { type OutputType, TOOLS } from '#shared/rules/tools.ts';
import { editMessage } from './edit-message.ts';
import { describeWait } from './format.ts';
import { shortenUuid, writeCallback } from './keyboards/callback-data.ts';
import { BUTTONS, MESSAGES, type StarsBack } from './messages.ts';
import { ChatGoneError, sendOnce } from './send-once.ts';
import { describeTelegramError, readRetryAfter } from './telegram-errors.ts';

/** Whether the menu that starts a tool, and later shows its progress, is a picture with a caption. */
const IS_MENU_PICTURED: Record<GenerationKind, boolean> = {
  video: false,
  model_change: true,
  photosession: false,
  try_on: false,
};
/** What Telegram shows next to the bot's name while results are made or sent. */
export const CHAT_ACTIONS: Record<OutputType, 'upload_video' | 'upload_photo'> = {
  video: 'upload_video',
  picture: 'upload_photo',
};
const LOOK_MS = 1_000;
/** Interval of messages that only count seconds. Telegram allows about twenty changes a minute. */
const SHOW_MS = 4_000;

/** Keeps the progress messages of all chats up to date, each at its own pace. Returns a function that stops this. */
export function followOrders(app: AppContext, api: Api): () => Promise<void> {
  /** When each message may be changed again, in milliseconds since the epoch: for progress, and for anything. */
  const nextAt = new Map<string, { progress: number; anything: number }>();
  const underWay = new Map<string, Promise<void>>();
  let looking: Promise<void> | null = null;

  const follow = async (order: FollowedOrder, isParted: boolean) => {
    const { generationId, generation } = order;
    const next = { progress: Date.now() + SHOW_MS, anything: 0 };
    nextAt.set(generationId, next);
    try {
      if (isParted) await showParting(app, api, order);
      else await show(app, api, order);
      // Only here, because a progress update that is still being sent may overtake the end that a pressed button shows.
      if (isParted) await dropOrder(app, generationId);
      else if (isFinal(generation.status)) await closeOrder(app, order);
    } catch (error) {
      app.log.warn({ ...describeTelegramError(error), generationId }, 'progress could not be shown');
      next.anything = Date.now() + (readRetryAfter(error) ?? SHOW_MS / 1000) * 1000;
    }
  };
  const look = async () => {
    const { orders, parted } = await listFollowedOrders(app);
    const following = new Set(orders.map(({ generationId }) => generationId));
    for (const id of nextAt.keys()) if (!following.has(id)) nextAt.delete(id);
    for (const order of orders) {
      const { generationId: id, generation } = order;
      const next = nextAt.get(id) ?? { progress: 0, anything: 0 };
      const isParted = parted.has(id);
      const dueAt = isParted || isFinal(generation.status) ? next.anything : Math.max(next.progress, next.anything);
      if (underWay.has(id) || Date.now() < dueAt) continue;
      underWay.set(
        id,
        follow(order, isParted).finally(() => underWay.delete(id)),
      );
    }
  };
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) =>
        app.log.warn(describeTelegramError(error), 'what is under way could not be looked for'),
      )
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

export async function showOrder(app: AppContext, api: Api, generationId: string): Promise<void> {
  const order = await findOrder(app, generationId);
  if (!order) return;
  await show(app, api, order);
  if (isFinal(order.generation.status)) return;
  // Telegram may have delayed this message until it replaced the end. Nobody would correct that later.
  const latest = await findOrder(app, generationId);
  if (latest && isFinal(latest.generation.status)) await show(app, api, latest);
}

async function show(app: AppContext, api: Api, order: FollowedOrder): Promise<void> {
  const { generation, messageId } = order;
  const chatId = Number(order.chatId);
  const hasEnded = isFinal(generation.status);
  try {
    const text = await describe(app, order);
    const keyboard = hasEnded
      ? endKeyboard(order)
      : new InlineKeyboard().text(BUTTONS.cancel, writeCallback('cancel', shortenUuid(generation.id)));
    const place = { chatId, messageId, isPictured: IS_MENU_PICTURED[generation.kind] };
    const isShown = await editMessage(app, api, place, text, keyboard);
    if (!hasEnded) {
      await api.sendChatAction(chatId, CHAT_ACTIONS[TOOLS[generation.kind].outputs.type]);
    } else if (!isShown && generation.status === 'failed') {
      // The message was deleted. A result is sent as a message of its own, but a failure would not be told anywhere.
      await sendOnce(app, { causeKey: `failed:${generation.id}`, chatId }, () =>
        api.sendMessage(chatId, text, keyboard ? { reply_markup: keyboard } : {}),
      );
    }
  } catch (error) {
    if (error instanceof ChatGoneError) await announceElsewhere(app, order);
    else if (!isRefusedForGood(error)) throw error;
    else app.log.warn({ ...describeTelegramError(error), generationId: generation.id }, 'progress cannot be shown');
  }
}

/** Tells the chat, for the last time, that the account's generation does not concern it any more. */
async function showParting(app: AppContext, api: Api, { generation, chatId, messageId }: FollowedOrder): Promise<void> {
  const place = { chatId: Number(chatId), messageId, isPictured: IS_MENU_PICTURED[generation.kind] };
  try {
    await editMessage(app, api, place, MESSAGES.parted(resultKindOf(generation)));
  } catch (error) {
    if (!(error instanceof ChatGoneError) && !isRefusedForGood(error)) throw error;
  }
}

async function announceElsewhere(app: AppContext, { generation }: FollowedOrder): Promise<void> {
  if (isFinal(generation.status) && generation.failureCode !== 'cancelled') await announceEndAgain(app, generation);
}

/** Whether Telegram would refuse the same call again: the message is gone, or the person has blocked the bot. */
function isRefusedForGood(error: unknown): boolean {
  return error instanceof GrammyError && (error.error_code === 400 || error.error_code === 403);
}

async function describe(app: AppContext, order: FollowedOrder): Promise<string> {
  const { kind, status, failureCode, createdAt, finishedAt, progressShare: share } = order.generation;
  const made = resultKindOf(order.generation);
  const elapsed = ((finishedAt ?? new Date()).getTime() - createdAt.getTime()) / 1000;
  if (status === 'completed') {
    // A generation that ran to its end has a share of 1.
    const isCutShort = TOOLS[kind].outputs.count > 1 && share !== 1 && (await isResultUnannounced(app.db, order));
    if (isCutShort) return MESSAGES.cancelledInPart;
    return MESSAGES.done(made, elapsed, !(await isVideoCopyMissing(app, order.generation)));
  }
  if (status === 'failed') {
    const back = await describeStarsBack(app, order.generation);
    if (failureCode === 'cancelled') return MESSAGES.cancelled(back);
    return MESSAGES.failed((failureCode ?? 'engine_error') as GenerationFailureCode, back);
  }
  const isBeingSaved = share !== null && isSaving(share);
  const { expectedSeconds, isRemote } = getProgress(app, order.generation);
  return MESSAGES.progress({
    made,
    elapsed,
    stage: isBeingSaved ? MESSAGES.saving : MESSAGES.status[status],
    share: isBeingSaved ? null : share,
    wait: describeWait(expectedSeconds, elapsed, isRemote ? TOOLS[kind].usualWait : null),
  });
}

async function describeStarsBack(app: AppContext, generation: FollowedOrder['generation']): Promise<StarsBack> {
  if (generation.stars === 0) return 'nothing';
  return (await isFreedGiftTaken(app, generation)) ? 'gift' : 'balance';
}

/** If the result is lost on its way, its owner can request it again. The same photo would fail again. */
function endKeyboard({
  generation: { id, status, failureCode, rerollOfId },
}: FollowedOrder): InlineKeyboard | undefined {
  const keyboard = new InlineKeyboard();
  if (status === 'completed') return keyboard.text(BUTTONS.sendHere, writeCallback('result', shortenUuid(id)));
  if (findRemedy(failureCode as GenerationFailureCode | null) === 'another_photo') return undefined;
  // A free re-roll that has failed may be repeated; one that was cancelled is used.
  if (rerollOfId && failureCode !== 'cancelled') {
    return keyboard.text(BUTTONS.reroll, writeCallback('reroll', shortenUuid(rerollOfId)));
  }
  return keyboard.text(BUTTONS.again, writeCallback('again', shortenUuid(id)));
}
