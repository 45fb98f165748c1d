import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Api, InputFile, InputMediaBuilder } from 'grammy';
import type { Message } from 'grammy/types';
import { AppError } from '#api/platform/errors.ts';
import type { JobPayload } from '#api/queue/job-definitions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { findBatch, findChatBatch, listNamedResults, type NamedResult, takeBack } from '#api/services/chat/batches.ts';
import { findLinkedTelegram, getAccountFacts } from '#api/services/chat/users.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { withTemporaryFolder } from '#api/services/core/temporary-folder.ts';
import { archiveItems } from '#api/services/gallery/archives.ts';
import { isPicture } from '#api/services/generations/results/results.ts';
import { isPreparing } from '#api/services/generations/results/video-copies.ts';
import { batchPath } from '#shared/rules/result-links.ts';
import { sendBatch } from './batch-state.ts';
import { MESSAGES } from './messages.ts';
import { openResultFile, type Purpose, UPLOAD_MAX_BYTES } from './result-file.ts';
import { ChatGoneError, sendOnce } from './send-once.ts';
import { chooseVariant, PHOTO_MAX_BYTES, readFileId, type StoredFile, withKnownFiles } from './send-results.ts';
import { siteAddress } from './site-address.ts';

/** Telegram's limit. */
const ALBUM_MAX = 10;
/** Of a whole album, which is one upload the first time. */
const ALBUM_MAX_BYTES = UPLOAD_MAX_BYTES;

/** A file with what it is called. */
interface NamedFile extends StoredFile {
  title: string;
}

interface Place {
  chatId: number;
  causeKey: string;
}

/**
 * Sends results of a batch as albums, each once: originals and a ZIP of them to an owner who has paid, otherwise copies
 * with the logo that can be neither forwarded nor saved. The message of a batch of the chat then stands below them. Throws
 * AppError video_preparing while copies of videos are made.
 */
export async function sendBatchResults(
  app: AppContext,
  api: Api,
  { batchId, chatId, generationIds, causeKey }: JobPayload<'send-telegram-batch'>,
): Promise<void> {
  const batch = await findBatch(app, batchId);
  const user = batch && (await findLinkedTelegram(app, batch.accountId));
  // The chat was unlinked since. Nobody else may see the account's results.
  if (!batch || user?.id !== BigInt(chatId)) return;
  const { accountId } = batch;
  const place = { chatId: Number(chatId), causeKey };
  const { isPremium } = await getPremiumStatus(app, accountId);
  try {
    const results = await listNamedResults(app, accountId, generationIds);
    await withTemporaryFolder(app, async (folder) => {
      await sendAlbums(app, api, place, results, { isPremium, folder }, siteAddress(app, batchPath(batchId)));
      if (isPremium && results.length > 1) await sendZip(app, api, place, { accountId, batchId, results, folder });
    });
    const row = await findChatBatch(app, batchId, user.id);
    if (row) await sendBatch(app, api, row, { causeKey: `${causeKey}:state` });
  } catch (error) {
    if (error instanceof ChatGoneError) await takeBack(app, batchId, generationIds);
    throw error;
  }
}

async function sendAlbums(
  app: AppContext,
  api: Api,
  place: Place,
  results: readonly NamedResult[],
  purpose: Purpose,
  address: string,
): Promise<void> {
  const lost: string[] = [];
  const files: NamedFile[] = [];
  let preparing: AppError | null = null;
  // All copies of videos are ordered at once, and what is there is sent when they all are.
  for (const result of results) {
    try {
      files.push({ result, file: await openResultFile(app, result, purpose), title: result.name.title });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'result_lost' || error.code === 'video_copy_failed') lost.push(result.name.title);
      else if (isPreparing(error)) preparing = error;
      else throw error;
    }
  }
  if (preparing) throw preparing;
  for (const album of cutAlbums(files)) await sendAlbum(app, api, place, album, purpose.isPremium);
  if (lost.length === 0) return;
  await sendOnce(app, { causeKey: `${place.causeKey}:lost`, chatId: place.chatId }, () =>
    api.sendMessage(place.chatId, MESSAGES.notSent(lost, address)),
  );
}

/** At most ten files, and no more than are uploaded at once. */
function cutAlbums(files: readonly NamedFile[]): NamedFile[][] {
  const albums: NamedFile[][] = [];
  let bytes = 0;
  for (const one of files) {
    const last = albums.at(-1);
    if (last && last.length < ALBUM_MAX && bytes + one.file.bytes <= ALBUM_MAX_BYTES) {
      last.push(one);
      bytes += one.file.bytes;
    } else {
      albums.push([one]);
      bytes = one.file.bytes;
    }
  }
  return albums;
}

async function sendAlbum(
  app: AppContext,
  api: Api,
  { chatId, causeKey }: Place,
  album: NamedFile[],
  isPremium: boolean,
): Promise<void> {
  const [first] = album;
  if (!first) return;
  const isVideo = !isPicture(first.result);
  const areDocuments = !isVideo && album.some(({ file }) => file.bytes > PHOTO_MAX_BYTES);
  const protection = { protect_content: !isPremium };
  await sendOnce(app, { causeKey: `${causeKey}:album:${first.result.id}`, chatId }, () =>
    withKnownFiles(app, { pictures: album, variant: chooseVariant(isPremium, areDocuments) }, async (inputs) => {
      const sent: Message[] =
        inputs.length === 1 && inputs[0] !== undefined
          ? [await sendOne(api, chatId, inputs[0], { isVideo, areDocuments, caption: first.title, ...protection })]
          : await sendMany(api, chatId, inputs, album, { isVideo, areDocuments, ...protection });
      return { sent, fileIds: sent.map(readFileId) };
    }),
  );
}

type Input = InputFile | string;
interface Manner {
  isVideo: boolean;
  areDocuments: boolean;
  protect_content: boolean;
}

/** An album of one does not exist. */
function sendOne(
  api: Api,
  chatId: number,
  input: Input,
  { isVideo, areDocuments, ...options }: Manner & { caption: string },
): Promise<Message> {
  if (isVideo) return api.sendVideo(chatId, input, { ...options, supports_streaming: true });
  return areDocuments ? api.sendDocument(chatId, input, options) : api.sendPhoto(chatId, input, options);
}

function sendMany(
  api: Api,
  chatId: number,
  inputs: readonly Input[],
  album: readonly NamedFile[],
  { isVideo, areDocuments, ...options }: Manner,
): Promise<Message[]> {
  const wordsOf = (index: number) => ({ caption: album[index]?.title ?? '' });
  if (isVideo) {
    const videos = inputs.map((input, index) => {
      const { width, height, durationSeconds } = album[index]?.result ?? {};
      const facts = { width: width ?? 0, height: height ?? 0, duration: Math.round(durationSeconds ?? 0) };
      return InputMediaBuilder.video(input, { ...wordsOf(index), ...facts, supports_streaming: true });
    });
    return api.sendMediaGroup(chatId, videos, options);
  }
  return areDocuments
    ? api.sendMediaGroup(
        chatId,
        inputs.map((input, index) => InputMediaBuilder.document(input, wordsOf(index))),
        options,
      )
    : api.sendMediaGroup(
        chatId,
        inputs.map((input, index) => InputMediaBuilder.photo(input, wordsOf(index))),
        options,
      );
}

/** The originals of all results in one file. Over what Telegram takes, the way to them. */
async function sendZip(
  app: AppContext,
  api: Api,
  { chatId, causeKey }: Place,
  {
    accountId,
    batchId,
    results,
    folder,
  }: { accountId: number; batchId: string; results: readonly NamedResult[]; folder: string },
): Promise<void> {
  const ids = results.map((result) => (isPicture(result) ? result.id : result.generationId));
  const archive = await archiveItems(app, accountId, ids).catch((error: unknown) => {
    // All files are lost, or the payment went back meanwhile. The albums have said the rest.
    if (error instanceof AppError && error.status < 500) return null;
    throw error;
  });
  if (!archive) return;
  const message = { causeKey: `${causeKey}:zip`, chatId };
  if ((archive.bytes ?? 0) > UPLOAD_MAX_BYTES) {
    const { email } = await getAccountFacts(app, accountId);
    const text = MESSAGES.batchZipTooLarge(siteAddress(app, batchPath(batchId)), email !== null);
    await sendOnce(app, message, () => api.sendMessage(chatId, text));
    return;
  }
  await sendOnce(app, message, async () => {
    const file = path.join(folder, 'results.zip');
    await pipeline(archive.open(), createWriteStream(file));
    return api.sendDocument(chatId, new InputFile(file, `"${archive.name}"`), {
      caption: MESSAGES.batchZip(results.length),
      disable_content_type_detection: true,
    });
  });
}
