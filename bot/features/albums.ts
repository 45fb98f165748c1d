import path from 'node:path';
import { Composer } from 'grammy';
import type { Message } from 'grammy/types';
import { AppError } from '#api/platform/errors.ts';
import { deriveUuid } from '#api/platform/uuid.ts';
import { createBatch } from '#api/services/batches/batches.ts';
import { addRows, attachPhoto, type NewRow, refuseRow } from '#api/services/batches/rows.ts';
import { collectInChat, findBatchOfRow, findChatBatch, findCollectingBatch } from '#api/services/chat/batches.ts';
import { isFileWaiting } from '#api/services/chat/updates.ts';
import { ensureTelegramAccount } from '#api/services/chat/users.ts';
import { withTemporaryFolder } from '#api/services/core/temporary-folder.ts';
import { editBatch, getViewer, sendBatch } from '#bot/batch-state.ts';
import { NAMELESS_PHOTO } from '#bot/batch-words.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { downloadFile } from '#bot/download-file.ts';
import { MESSAGES } from '#bot/messages.ts';
import type { ErrorCode } from '#shared/contract/errors.ts';
import { createProductBody } from '#shared/contract/products.ts';
import { PHOTO_ERRORS, PHOTO_ROOM_ERRORS } from '#shared/contract/uploads.ts';
import { ROW_NOTE_MAX_LENGTH } from '#shared/rules/batches.ts';
import { refuseWhileDeleting } from './deletion.ts';
import { chooseUsualVideo } from './videos.ts';

/** More than ten photos come as several albums, and an eleventh alone: what follows within this time belongs together. */
const TOGETHER_MS = 60_000;

interface SentFile {
  fileId: string;
  name: string;
  size: number | undefined;
  /** Why it is no photo, if that is known without its bytes. */
  refusal: ErrorCode | null;
}

/** Albums, and what is sent after «Ещё фото»: every photo becomes a row of a batch, and one message answers them all. */
export const albumsFeature = new Composer<BotContext>();

albumsFeature.on('message', async (ctx, next) => {
  const file = readSentFile(ctx.message);
  if (!file) return next();
  const batchId = await chooseBatch(ctx, file);
  if (batchId === null) return next();
  if (await refuseWhileDeleting(ctx, ctx.accountId)) return;
  await takePhoto(ctx, batchId, file);
  await answerAlbum(ctx, batchId);
});

/** Null for what no album of photos has. */
function readSentFile(message: Message): SentFile | null {
  const { photo, document, sticker, video, animation } = message;
  if (animation) return null;
  // The last is the largest.
  const largest = photo?.at(-1);
  if (largest) {
    return { fileId: largest.file_id, name: NAMELESS_PHOTO, size: largest.file_size, refusal: null };
  }
  if (document) {
    const { file_id, file_name, file_size } = document;
    return { fileId: file_id, name: file_name ?? 'файл без имени', size: file_size, refusal: null };
  }
  // A WebP sent as a file becomes a sticker. It stands in no set, as real ones do.
  if (sticker && !sticker.set_name && !sticker.is_animated && !sticker.is_video) {
    return { fileId: sticker.file_id, name: 'photo.webp', size: sticker.file_size, refusal: null };
  }
  if (video && message.media_group_id) {
    const { file_id, file_name } = video;
    return { fileId: file_id, name: file_name ?? 'видео', size: undefined, refusal: 'photo_not_image' };
  }
  return null;
}

/** The batch of the message. Null for a photo that was sent alone. */
async function chooseBatch(ctx: BotContext, { refusal }: SentFile): Promise<string | null> {
  const { message, chatNumber: chatId } = ctx;
  if (!message) return null;
  const known = await findBatchOfRow(ctx.app, nameRow(ctx));
  if (known !== null) return known;
  const sentAt = new Date(message.date * 1000);
  const collecting = refusal ? null : await findCollectingBatch(ctx.app, { chatId, sentAt });
  if (collecting !== null) return collecting;
  return message.media_group_id ? deriveUuid(`telegram-album/${chatId}/${message.media_group_id}`) : null;
}

/** A repeat of the update finds the row that it has made. */
function nameRow({ chatNumber, message }: BotContext): string {
  return deriveUuid(`telegram-photo/${chatNumber}/${message?.message_id}`);
}

/** Makes the message a row of the batch. A repeat changes nothing. */
async function takePhoto(ctx: BotContext, batchId: string, file: SentFile): Promise<void> {
  const rowId = nameRow(ctx);
  try {
    const viewer = await getViewer(ctx.app, ctx.accountId);
    const sentAt = new Date((ctx.message?.date ?? 0) * 1000);
    await createBatch(ctx.app, viewer, {
      id: batchId,
      name: MESSAGES.batchName(sentAt),
      set: chooseUsualVideo(ctx.app),
    });
    const until = new Date(sentAt.getTime() + TOGETHER_MS);
    if (!(await isStarted(ctx, batchId))) {
      await collectInChat(ctx.app, { batchId, chatId: ctx.chatNumber, until, isSetChosen: false });
    }
    const { rows } = await addRows(ctx.app, viewer, batchId, [{ id: rowId, ...describeRow(ctx, file) }]);
    if (rows[0]?.state !== 'uploading') return;
    await ctx.api.sendChatAction(ctx.chatNumber, 'typing');
    await receive(ctx, { batchId, rowId }, file);
  } catch (error) {
    // The chat may have been linked with another account meanwhile, which has the batch then.
    if (!(error instanceof AppError) || error.code !== 'batch_forbidden') throw error;
    const { accountId } = await ensureTelegramAccount(ctx.app, ctx.user.id);
    if (accountId === ctx.accountId) throw error;
    ctx.accountId = accountId;
    await takePhoto(ctx, batchId, file);
  }
}

/** A late photo of an album does not open its batch again. */
async function isStarted(ctx: BotContext, batchId: string): Promise<boolean> {
  const row = await findChatBatch(ctx.app, batchId, ctx.chatNumber);
  return row !== null && row.batch.startedAt !== null;
}

/** The caption is the article. What is none becomes the note. */
function describeRow({ message }: BotContext, { name, size, refusal }: SentFile): Omit<NewRow, 'id'> {
  const caption = message?.caption?.trim() ?? '';
  const told = createProductBody.shape.article.safeParse(caption);
  return {
    name,
    ...(size === undefined ? {} : { size }),
    ...(refusal ? { refusal } : {}),
    article: told.success ? told.data : null,
    note: told.success || caption === '' ? null : caption.slice(0, ROW_NOTE_MAX_LENGTH),
  };
}

/** What is wrong with a file, or that there is no room for it, refuses its row and never the others. */
const REFUSING: readonly ErrorCode[] = [...PHOTO_ERRORS, ...PHOTO_ROOM_ERRORS, 'storage_full'];

async function receive(ctx: BotContext, row: { batchId: string; rowId: string }, file: SentFile): Promise<void> {
  const viewer = await getViewer(ctx.app, ctx.accountId);
  try {
    await withTemporaryFolder(ctx.app, async (folder) => {
      const received = await ctx.aside(() => downloadFile(ctx, file.fileId, path.join(folder, 'photo')));
      // How much a chat may send is limited for its updates.
      await attachPhoto(ctx.app, viewer, row, { ...received, name: file.name }, { isCounted: false });
    });
  } catch (error) {
    if (!(error instanceof AppError) || !REFUSING.includes(error.code)) throw error;
    await refuseRow(ctx.app, viewer, row, error.code);
  }
}

/**
 * Shows the batch when its first photo has come and when no more wait. The message stands below the photos: a later album
 * gets a new one.
 */
async function answerAlbum(ctx: BotContext, batchId: string): Promise<void> {
  const { app, api, chatNumber: chatId, message } = ctx;
  const row = await findChatBatch(app, batchId, chatId);
  if (!row || !message) return;
  const isReceiving = await isFileWaiting(app, { chatId, updateId: ctx.update.update_id });
  const causeKey = `batch:${batchId}:${message.media_group_id ?? message.message_id}`;
  const isBelow = row.messageId !== null && row.messageId > message.message_id;
  if (!isBelow && (await sendBatch(app, api, row, { causeKey, isReceiving }))) return;
  if (isReceiving) return;
  const latest = await findChatBatch(app, batchId, chatId);
  if (!latest || latest.messageId === null || (await editBatch(app, api, latest))) return;
  // It was deleted.
  await sendBatch(app, api, latest, { causeKey: `${causeKey}:again` });
}
