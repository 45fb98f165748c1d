import { type Api, InlineKeyboard } from 'grammy';
import type { JobPayload } from '#api/queue/job-definitions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { presentBatch } from '#api/services/batches/batch-view.ts';
import { findBatch, findChatBatch, handOver } from '#api/services/chat/batches.ts';
import { findLinkedTelegram } from '#api/services/chat/users.ts';
import { announceBatchAgain } from '#api/services/notices/notices.ts';
import { batchPath } from '#shared/rules/result-links.ts';
import { getViewer, listPurchaseButtons, sendBatch } from './batch-state.ts';
import { shortenUuid, writeCallback } from './keyboards/callback-data.ts';
import { BUTTONS, MESSAGES } from './messages.ts';
import { ChatGoneError, sendOnce } from './send-once.ts';
import { siteAddress } from './site-address.ts';

/**
 * Tells a chat, once for each occasion, that a batch has come to rest or pauses for stars. One of the chat has its results
 * sent. If the chat is gone, another channel tells it.
 */
export async function tellBatch(
  app: AppContext,
  api: Api,
  { batchId, chatId, occasion }: JobPayload<'tell-telegram-batch'>,
): Promise<void> {
  const batch = await findBatch(app, batchId);
  if (!batch) return;
  const { accountId } = batch;
  const announceElsewhere = () => announceBatchAgain(app, { accountId, batchId, occasion });
  const user = await findLinkedTelegram(app, accountId);
  // The chat was unlinked since. Nobody else may see the account's results.
  if (user?.id !== BigInt(chatId)) return announceElsewhere();
  const causeKey = `batch:${batchId}:${occasion}:${chatId}`;
  try {
    if (occasion.startsWith('stars:')) await tellPause(app, api, batch, { chatId: user.id, causeKey });
    else await tellEnd(app, api, batch, { chatId: user.id, causeKey });
  } catch (error) {
    if (!(error instanceof ChatGoneError)) throw error;
    await announceElsewhere();
  }
}

type BatchRecord = Parameters<typeof presentBatch>[2];
interface Telling {
  chatId: bigint;
  causeKey: string;
}

async function tellPause(app: AppContext, api: Api, record: BatchRecord, { chatId, causeKey }: Telling): Promise<void> {
  const batch = await presentBatch(app, await getViewer(app, record.accountId), record);
  // Stars have come since.
  if (batch.pause?.code !== 'not_enough_stars') return;
  const key = shortenUuid(batch.id);
  const { continuesAfterPurchase: continues, prices } = batch;
  const missingStars = batch.pause.missingStars ?? 0;
  const text = MESSAGES.waitsForStars(batch.name, { missingStars, continues }, siteAddress(app, batchPath(batch.id)));
  const keyboard = InlineKeyboard.from([
    ...listPurchaseButtons(key, continues),
    [InlineKeyboard.text(BUTTONS.resume(prices.waiting.stars), writeCallback('b-resume', prices.waiting.stars, key))],
  ]);
  await sendOnce(app, { causeKey, chatId }, () =>
    api.sendMessage(Number(chatId), text, { link_preview_options: { is_disabled: true }, reply_markup: keyboard }),
  );
}

async function tellEnd(app: AppContext, api: Api, record: BatchRecord, { chatId, causeKey }: Telling): Promise<void> {
  const { id: batchId, accountId, name } = record;
  const row = await findChatBatch(app, batchId, chatId);
  if (row) {
    // Below the results its message comes anew.
    if ((await handOver(app, row)) === 0) await sendBatch(app, api, row, { causeKey });
    return;
  }
  const batch = await presentBatch(app, await getViewer(app, accountId), record);
  const text = MESSAGES.siteBatchEnded(name, batch, siteAddress(app, batchPath(batchId)));
  const keyboard = new InlineKeyboard().text(BUTTONS.send, writeCallback('b-send', shortenUuid(batchId)));
  await sendOnce(app, { causeKey, chatId }, () =>
    api.sendMessage(Number(chatId), text, {
      link_preview_options: { is_disabled: true },
      ...(batch.counts.done > 0 ? { reply_markup: keyboard } : {}),
    }),
  );
}
