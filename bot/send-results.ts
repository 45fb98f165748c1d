import { type Api, GrammyError, InlineKeyboard, type InputFile, InputMediaBuilder } from 'grammy';
import type { Message } from 'grammy/types';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { findTelegramFile, keepTelegramFile } from '#api/services/chat/messages.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { resultKindOf } from '#api/services/core/result-kind.ts';
import { withTemporaryFolder } from '#api/services/core/temporary-folder.ts';
import type { FinishedGeneration, Result } from '#api/services/generations/results/find-generation.ts';
import { resultPath } from '#shared/rules/result-links.ts';
import { type OutputType, TOOLS } from '#shared/rules/tools.ts';
import { shortenUuid, writeCallback } from './keyboards/callback-data.ts';
import { BUTTONS, MESSAGES } from './messages.ts';
import { openResultFile, type Purpose, type ResultFile } from './result-file.ts';
import { sendOnce } from './send-once.ts';
import { canBeButton, siteAddress } from './site-address.ts';

export const PHOTO_MAX_BYTES = 10 * 1024 * 1024;
/** Telegram does not know the file by this id any more, or it is another bot's id. */
const UNKNOWN_FILE = /wrong (remote )?file|file reference|wrong padding|invalid file|can't use file of type/i;

export interface Delivery {
  generation: FinishedGeneration;
  /** Nothing is sent twice for one cause. */
  causeKey: string;
  chatId: bigint | number;
}

/**
 * Sends the results of a generation. An owner who has paid gets the originals, also as files. Others get the copy with
 * the logo, which can be neither forwarded nor saved. The owner's current status counts. Throws AppError video_preparing
 * while the copy of a video is made.
 */
export async function sendResults(app: AppContext, api: Api, delivery: Delivery): Promise<void> {
  const { isPremium } = await getPremiumStatus(app, delivery.generation.accountId);
  const send = SENDERS[TOOLS[delivery.generation.kind].outputs.type];
  try {
    await withTemporaryFolder(app, (folder) => send(app, api, delivery, { isPremium, folder }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'result_lost') await sendLoss(app, api, delivery);
    else if (error.code === 'video_copy_failed') await sendFailedCopy(app, api, delivery);
    else throw error;
  }
}

/** The button has the copy made once more. */
async function sendFailedCopy(app: AppContext, api: Api, { generation, causeKey, chatId }: Delivery): Promise<void> {
  const keyboard = new InlineKeyboard().text(BUTTONS.sendHere, writeCallback('result', shortenUuid(generation.id)));
  await sendOnce(app, { causeKey: `${causeKey}:copy-failed`, chatId }, () =>
    api.sendMessage(Number(chatId), MESSAGES.copyFailed, { reply_markup: keyboard }),
  );
}

/** Stars come back where the result is shown. */
async function sendLoss(app: AppContext, api: Api, { generation, causeKey, chatId }: Delivery): Promise<void> {
  const address = siteAddress(app, resultPath(generation.kind, generation.id));
  await sendOnce(app, { causeKey: `${causeKey}:lost`, chatId: Number(chatId) }, () =>
    api.sendMessage(Number(chatId), MESSAGES.resultLost(address)),
  );
}

const SENDERS: Record<OutputType, typeof sendVideo> = { video: sendVideo, picture: sendPictures };

async function sendVideo(app: AppContext, api: Api, delivery: Delivery, purpose: Purpose): Promise<void> {
  const { generation, causeKey } = delivery;
  const { isPremium } = purpose;
  const chatId = Number(delivery.chatId);
  const [result] = generation.results;
  const file = await openResultFile(app, result, purpose);
  const isCompressed = file.isCompressed && isPremium;
  const caption = [
    MESSAGES.caption(resultKindOf(generation), isPremium, null),
    ...(isCompressed ? [MESSAGES.compressed(siteAddress(app, resultPath(generation.kind, generation.id)))] : []),
  ].join('\n');
  await sendOnce(app, { causeKey: `${causeKey}:video`, chatId }, () =>
    withKnownFile(app, { result, file, variant: chooseVariant(isPremium) }, async (video) => {
      const sent = await api.sendVideo(chatId, video, {
        caption,
        width: result.width,
        height: result.height,
        duration: Math.round(result.durationSeconds ?? 0),
        supports_streaming: true,
        protect_content: !isPremium,
        reply_markup: listActions(app, generation),
      });
      return { sent, fileId: sent.video.file_id };
    }),
  );
  if (isPremium && !isCompressed) await sendOriginal(app, api, delivery, { result, file });
}

async function sendPictures(app: AppContext, api: Api, delivery: Delivery, purpose: Purpose): Promise<void> {
  const { generation, causeKey } = delivery;
  const { isPremium } = purpose;
  const chatId = Number(delivery.chatId);
  const pictures = await Promise.all(
    generation.results.map(async (result) => ({
      result,
      file: await openResultFile(app, result, purpose),
    })),
  );
  const areDocuments = pictures.some(({ file }) => file.bytes > PHOTO_MAX_BYTES);
  const count = TOOLS[generation.kind].outputs.count > 1 ? pictures.length : null;
  const words = {
    caption: MESSAGES.caption(resultKindOf(generation), isPremium, count),
    protect_content: !isPremium,
  };
  const variant = chooseVariant(isPremium, areDocuments);
  const [picture] = pictures;
  if (pictures.length === 1 && picture) {
    const options = { ...words, reply_markup: listActions(app, generation) };
    await sendOnce(app, { causeKey: `${causeKey}:photo`, chatId }, () =>
      withKnownFile(app, { ...picture, variant }, async (input) => {
        const sent = areDocuments
          ? await api.sendDocument(chatId, input, { ...options, disable_content_type_detection: true })
          : await api.sendPhoto(chatId, input, options);
        return { sent, fileId: readFileId(sent) };
      }),
    );
  } else {
    await sendOnce(app, { causeKey: `${causeKey}:album`, chatId }, () =>
      withKnownFiles(app, { pictures, variant }, async (inputs) => {
        const { caption, ...protection } = words;
        const wordsOf = (index: number) => (index === 0 ? { caption } : {});
        const sent: Message[] = await api.sendMediaGroup(
          chatId,
          areDocuments
            ? inputs.map((input, index) => InputMediaBuilder.document(input, wordsOf(index)))
            : inputs.map((input, index) => InputMediaBuilder.photo(input, wordsOf(index))),
          protection,
        );
        return { sent, fileIds: sent.map(readFileId) };
      }),
    );
    await sendOnce(app, { causeKey: `${causeKey}:actions`, chatId }, () =>
      api.sendMessage(chatId, MESSAGES.actions, { reply_markup: listActions(app, generation) }),
    );
  }
  if (!isPremium || areDocuments) return;
  for (const one of pictures) await sendOriginal(app, api, delivery, one);
}

async function sendOriginal(
  app: AppContext,
  api: Api,
  { causeKey, chatId }: Delivery,
  { result, file }: StoredFile,
): Promise<void> {
  const variant = chooseVariant(true, true);
  await sendOnce(app, { causeKey: `${causeKey}:file:${result.position}`, chatId }, () =>
    withKnownFile(app, { result, file, variant }, async (document) => {
      const sent = await api.sendDocument(Number(chatId), document, {
        caption: MESSAGES.originalFile,
        // Otherwise Telegram would convert it to a video or a photo again.
        disable_content_type_detection: true,
      });
      return { sent, fileId: sent.document.file_id };
    }),
  );
}

export interface StoredFile {
  result: Result;
  file: ResultFile;
}

/** Telegram gives the same file another id when it is sent as a document. */
export function chooseVariant(isPremium: boolean, isDocument = false): string {
  return `${isPremium ? 'original' : 'watermarked'}${isDocument ? '_document' : ''}`;
}

export function readFileId({ photo, document, video }: Message): string | null {
  return document?.file_id ?? video?.file_id ?? photo?.at(-1)?.file_id ?? null;
}

function withKnownFile<Sent>(
  app: AppContext,
  { result, file, variant }: StoredFile & { variant: string },
  send: (input: InputFile | string) => Promise<{ sent: Sent; fileId: string | null }>,
): Promise<Sent> {
  return withKnownFiles(app, { pictures: [{ result, file }], variant }, async ([input]) => {
    if (input === undefined) throw new Error('a file is missing');
    const { sent, fileId } = await send(input);
    return { sent, fileIds: [fileId] };
  });
}

/** Sends files by their known ids in Telegram. Uploads them the first time, or when Telegram has forgotten one. */
export async function withKnownFiles<Sent>(
  app: AppContext,
  { pictures, variant }: { pictures: StoredFile[]; variant: string },
  send: (inputs: (InputFile | string)[]) => Promise<{ sent: Sent; fileIds: (string | null)[] }>,
): Promise<Sent> {
  const found = await Promise.all(pictures.map(({ result }) => findTelegramFile(app, result.id, variant)));
  const known = found.filter((fileId) => fileId !== null);
  if (known.length === pictures.length) {
    try {
      return (await send(known)).sent;
    } catch (error) {
      if (!(error instanceof GrammyError) || !UNKNOWN_FILE.test(error.description)) throw error;
    }
  }
  const { sent, fileIds } = await send(await Promise.all(pictures.map(({ file }) => file.input())));
  for (const [index, { result }] of pictures.entries()) {
    const fileId = fileIds[index];
    if (!fileId) continue;
    await keepTelegramFile(app, result.id, variant, fileId).catch((error: unknown) =>
      // The message is sent. A failure here must not send it again.
      app.log.warn({ err: error, resultId: result.id }, 'a file will be uploaded once more the next time'),
    );
  }
  return sent;
}

function listActions(app: AppContext, { id, kind }: FinishedGeneration): InlineKeyboard {
  const keyboard = new InlineKeyboard().text(BUTTONS.again, writeCallback('again', shortenUuid(id)));
  if (kind === 'video') keyboard.text(BUTTONS.otherMotion, writeCallback('motion', shortenUuid(id)));
  if (canBeButton(app)) keyboard.row().url(BUTTONS.openOnSite, siteAddress(app, resultPath(kind, id)));
  return keyboard.row().text(BUTTONS.report, writeCallback('report', shortenUuid(id)));
}
