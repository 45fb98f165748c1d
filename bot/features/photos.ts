import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Composer, GrammyError } from 'grammy';
import { AppError } from '#api/errors.ts';
import { receivePhoto } from '#api/services/photos/photos.ts';
import { wasMessageSent } from '#api/services/telegram/messages.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { MESSAGES } from '#bot/messages.ts';
import { sendOnce } from '#bot/send-once.ts';
import { TelegramUnreachableError } from '#bot/telegram-errors.ts';
import { PHOTO_MAX_BYTES, PHOTO_SOFT_MIN_SIDE_PX } from '#shared/rules/photo-requirements.ts';
import { sayIfLeaving } from './deletion.ts';
import { writeToolMenu } from './tool-offer.ts';

const DOWNLOAD_TIMEOUT_MS = 60_000;

interface SentFile {
  file_id: string;
  file_size?: number;
  file_name?: string;
}

/** Stores a photo and asks what to make of it. */
export const photosFeature = new Composer<BotContext>();

// The first usable photo of an album is used. The answer to it covers the others.
photosFeature.on('message', async (ctx, next) => {
  const isAnswered = ctx.message.media_group_id && (await wasMessageSent(ctx.app, nameAlbum(ctx)));
  if (!isAnswered) await next();
});

photosFeature.on('message:photo', async (ctx) => {
  // The last is the largest.
  const largest = ctx.message.photo.at(-1);
  if (largest) await takePhoto(ctx, largest, [MESSAGES.sendAsFile]);
});

// A GIF arrives both as an animation and as a document.
photosFeature.on('message:animation', (ctx) => ctx.say(MESSAGES.animation));

// Names and types prove nothing: the bytes decide.
photosFeature.on('message:document', (ctx) => takePhoto(ctx, ctx.message.document, []));

async function takePhoto(ctx: BotContext, file: SentFile, advice: string[]): Promise<void> {
  if (await sayIfLeaving(ctx, ctx.accountId)) return;
  const isOfAlbum = ctx.message?.media_group_id !== undefined;
  if ((file.file_size ?? 0) > PHOTO_MAX_BYTES) return ctx.say(MESSAGES.fileTooLarge);
  await ctx.api.sendChatAction(ctx.chatNumber, 'typing');
  const photo = await receivePhoto(ctx.app, ctx.accountId, {
    stream: await download(ctx, file),
    name: file.file_name ?? 'photo.jpg',
  });
  if (Math.min(photo.width, photo.height) < PHOTO_SOFT_MIN_SIDE_PX) advice = [MESSAGES.photoSmall, ...advice];
  if (isOfAlbum) advice = [...advice, MESSAGES.albumFirst];
  const [text, tools] = await writeToolMenu(ctx, photo, advice);
  if (!isOfAlbum) return ctx.say(text, tools);
  await sendOnce(ctx.app, { causeKey: nameAlbum(ctx), chatId: ctx.chatNumber }, () =>
    ctx.api.sendMessage(ctx.chatNumber, text, { reply_markup: tools }),
  );
}

/** The cause of the one answer to an album. */
function nameAlbum({ chatNumber, message }: BotContext): string {
  return `album-photo:${chatNumber}:${message?.media_group_id}`;
}

/** Throws photo_too_large for a file that Telegram does not let bots download. */
async function download(ctx: BotContext, { file_id }: SentFile): Promise<Readable> {
  const { token, apiRoot } = ctx.app.config.telegram;
  const file = await ctx.api.getFile(file_id).catch((error: unknown) => {
    const isTooBig = error instanceof GrammyError && /file is too big/i.test(error.description);
    throw isTooBig ? new AppError('photo_too_large') : error;
  });
  const answer = await fetch(`${apiRoot}/file/bot${token}/${file.file_path}`, {
    signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new TelegramUnreachableError(error);
  });
  if (!answer.ok || !answer.body) throw new Error(`Telegram answered ${answer.status} to a download`);
  return Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
}
