import { type Api, GrammyError, InlineKeyboard, type InputFile, InputMediaBuilder } from 'grammy';
import type { AppContext } from '#api/app-context.ts';
import type { FinishedGeneration, Result } from '#api/services/own-generation.ts';
import { getPremiumStatus } from '#api/services/payments.ts';
import { findTelegramFile, keepTelegramFile } from '#api/services/telegram-messages.ts';
import { resultPath } from '#shared/rules/result-links.ts';
import { shortenUuid, writeCallback } from './keyboards/callback-data.ts';
import { BUTTONS, MESSAGES } from './messages.ts';
import { openResultFile, type ResultFile } from './result-file.ts';
import { sendOnce } from './send-once.ts';
import { canBeButton, siteAddress } from './site-address.ts';

const PHOTO_MAX_BYTES = 10 * 1024 * 1024;
/** Telegram does not know the file by this id any more, or never did: it is another bot's. */
const UNKNOWN_FILE = /wrong (remote )?file|file reference|wrong padding|invalid file/i;

export interface Delivery {
  generation: FinishedGeneration;
  /** Why it is sent; the same is not sent twice. */
  causeKey: string;
  chatId: bigint | number;
}

/**
 * Sends what a generation made: to who has paid the original, as a file too; to a free owner the copy with the logo,
 * which can be neither forwarded nor saved. What its owner is now counts, not what they were when it was made.
 */
export async function sendResults(app: AppContext, api: Api, delivery: Delivery): Promise<void> {
  const { isPremium } = await getPremiumStatus(app, delivery.generation.accountId);
  if (delivery.generation.kind === 'video') await sendVideo(app, api, delivery, isPremium);
  else await sendPictures(app, api, delivery, isPremium);
}

async function sendVideo(app: AppContext, api: Api, delivery: Delivery, isPremium: boolean): Promise<void> {
  const { generation, causeKey } = delivery;
  const chatId = Number(delivery.chatId);
  const [result] = generation.results;
  const variant = isPremium ? 'original' : 'watermarked';
  const file = await openResultFile(app, generation, result);
  try {
    const isCompressed = file.isCompressed && isPremium;
    const caption = [
      MESSAGES.caption('video', isPremium, 1),
      ...(isCompressed ? [MESSAGES.compressed(siteAddress(app, resultPath('video', generation.id)))] : []),
    ].join('\n');
    await sendOnce(app, { causeKey: `${causeKey}:video`, chatId }, () =>
      withKnownFile(app, result, variant, file, async (video) => {
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
    if (isPremium && !isCompressed) await sendDocument(app, api, delivery, result, file);
  } finally {
    await file.dispose();
  }
}

async function sendPictures(app: AppContext, api: Api, delivery: Delivery, isPremium: boolean): Promise<void> {
  const { generation, causeKey } = delivery;
  const chatId = Number(delivery.chatId);
  const { results } = generation;
  const variant = isPremium ? 'original' : 'watermarked';
  const files = await Promise.all(results.map((result) => openResultFile(app, generation, result)));
  const caption = MESSAGES.caption(generation.kind, isPremium, results.length);
  const [result] = results;
  const [file] = files;
  const areDocuments = files.some(({ bytes }) => bytes > PHOTO_MAX_BYTES);
  if (results.length === 1 && file && !areDocuments) {
    await sendOnce(app, { causeKey: `${causeKey}:photo`, chatId }, () =>
      withKnownFile(app, result, variant, file, async (photo) => {
        const sent = await api.sendPhoto(chatId, photo, {
          caption,
          protect_content: !isPremium,
          reply_markup: listActions(app, generation),
        });
        return { sent, fileId: sent.photo.at(-1)?.file_id ?? null };
      }),
    );
  } else {
    await sendOnce(app, { causeKey: `${causeKey}:album`, chatId }, () =>
      api.sendMediaGroup(
        chatId,
        areDocuments
          ? files.map((one, index) => InputMediaBuilder.document(one.input(), index === 0 ? { caption } : {}))
          : files.map((one, index) => InputMediaBuilder.photo(one.input(), index === 0 ? { caption } : {})),
        { protect_content: !isPremium },
      ),
    );
    await sendOnce(app, { causeKey: `${causeKey}:actions`, chatId }, () =>
      api.sendMessage(chatId, MESSAGES.actions, { reply_markup: listActions(app, generation) }),
    );
  }
  if (!isPremium || areDocuments) return;
  for (const [index, one] of files.entries()) {
    const of = results[index];
    if (of) await sendDocument(app, api, delivery, of, one);
  }
}

async function sendDocument(
  app: AppContext,
  api: Api,
  { causeKey, chatId }: Delivery,
  result: Result,
  file: ResultFile,
): Promise<void> {
  await sendOnce(app, { causeKey: `${causeKey}:file:${result.position}`, chatId }, () =>
    withKnownFile(app, result, 'original_document', file, async (document) => {
      const sent = await api.sendDocument(Number(chatId), document, {
        caption: MESSAGES.originalFile,
        // Otherwise Telegram would make a video or a photo of it again.
        disable_content_type_detection: true,
      });
      return { sent, fileId: sent.document.file_id };
    }),
  );
}

/** Sends a file by the id that Telegram knows it by; uploads it the first time, or when Telegram has forgotten it. */
async function withKnownFile<Sent>(
  app: AppContext,
  { id: resultId }: Result,
  variant: string,
  file: ResultFile,
  send: (input: InputFile | string) => Promise<{ sent: Sent; fileId: string | null }>,
): Promise<Sent> {
  const known = await findTelegramFile(app, resultId, variant);
  if (known) {
    try {
      return (await send(known)).sent;
    } catch (error) {
      if (!(error instanceof GrammyError) || !UNKNOWN_FILE.test(error.description)) throw error;
    }
  }
  const { sent, fileId } = await send(file.input());
  if (fileId) {
    await keepTelegramFile(app, resultId, variant, fileId).catch((error: unknown) =>
      // It is sent: a failure here must not send it again.
      app.log.warn({ err: error, resultId }, 'a file will be uploaded once more the next time'),
    );
  }
  return sent;
}

/** What may be done with a result. */
function listActions(app: AppContext, { id, kind }: FinishedGeneration): InlineKeyboard {
  const keyboard = new InlineKeyboard().text(BUTTONS.again, writeCallback('again', shortenUuid(id)));
  if (kind === 'video') keyboard.text(BUTTONS.otherMotion, writeCallback('motion', shortenUuid(id)));
  if (canBeButton(app)) keyboard.row().url(BUTTONS.openOnSite, siteAddress(app, resultPath(kind, id)));
  return keyboard;
}
