import { AppError } from '#api/platform/errors.ts';
import { changeBatch, getBatch } from '#api/services/batches/batches.ts';
import { changeChatBatch, findChatBatch } from '#api/services/chat/batches.ts';
import { isFileWaiting } from '#api/services/chat/updates.ts';
import { getOwnPhoto } from '#api/services/photos/photos.ts';
import { getViewer, moveBatchTo, writeBatch } from '#bot/batch-state.ts';
import type { BotContext } from '#bot/bot-context.ts';
import type { BatchSet } from '#shared/contract/batches.ts';

/** Shows a batch in the message whose button was pressed, which is its message from now on. */
export async function showHere(ctx: BotContext, batchId: string): Promise<void> {
  const row = await findChatBatch(ctx.app, batchId, ctx.chatNumber);
  const isReceiving = await isFileWaiting(ctx.app, { chatId: ctx.chatNumber, updateId: ctx.update.update_id });
  const isSetChosen = row?.isSetChosen ?? true;
  await ctx.show(...(await writeBatch(ctx.app, ctx.accountId, batchId, { isSetChosen, isReceiving })));
  if (row && ctx.pressed) await moveBatchTo(ctx.app, ctx.api, row, ctx.pressed.messageId);
}

/** Takes these settings for all photos of the batch and shows it with its price. */
export async function chooseSet(
  ctx: BotContext,
  batchId: string,
  set: BatchSet,
  personPhotoId?: string,
): Promise<void> {
  const viewer = await getViewer(ctx.app, ctx.accountId);
  await changeBatch(ctx.app, viewer, batchId, { set, ...(personPhotoId ? { personPhotoId } : {}) });
  await changeChatBatch(ctx.app, { batchId, chatId: ctx.chatNumber }, { isSetChosen: true });
  await showHere(ctx, batchId);
}

/** The photo that stands for a batch. Throws photo_not_found. */
export async function getFirstPhoto(ctx: BotContext, batchId: string): ReturnType<typeof getOwnPhoto> {
  const { rows } = await getBatch(ctx.app, await getViewer(ctx.app, ctx.accountId), batchId);
  const first = rows.find(({ state, photo }) => state === 'ready' && photo !== null)?.photo;
  if (!first) throw new AppError('photo_not_found');
  return getOwnPhoto(ctx.app.db, ctx.accountId, first.id);
}
