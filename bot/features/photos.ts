import path from 'node:path';
import { Composer } from 'grammy';
import { withTemporaryFolder } from '#api/services/core/temporary-folder.ts';
import { keepReceivedPhoto } from '#api/services/photos/photos.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { downloadFile } from '#bot/download-file.ts';
import { MESSAGES } from '#bot/messages.ts';
import { PHOTO_MAX_BYTES, PHOTO_SOFT_MIN_SIDE_PX } from '#shared/rules/photo-requirements.ts';
import { refuseWhileDeleting } from './deletion.ts';
import { writeToolMenu } from './tool-offer.ts';

interface SentFile {
  file_id: string;
  file_size?: number;
  file_name?: string;
}

/** A photo that was sent alone. */
export const photosFeature = new Composer<BotContext>();

photosFeature.on('message:photo', async (ctx) => {
  // The last is the largest.
  const largest = ctx.message.photo.at(-1);
  if (largest) await takePhoto(ctx, largest, [MESSAGES.sendAsFile]);
});

// A GIF arrives both as an animation and as a document.
photosFeature.on('message:animation', (ctx) => ctx.say(MESSAGES.animation));

// Names and types prove nothing: the bytes decide.
photosFeature.on('message:document', (ctx) => takePhoto(ctx, ctx.message.document, []));

// A WebP sent as a file becomes a sticker. It stands in no set, as real ones do.
photosFeature.on('message:sticker', async (ctx, next) => {
  const { sticker } = ctx.message;
  if (sticker.set_name || sticker.is_animated || sticker.is_video) return next();
  await takePhoto(ctx, { ...sticker, file_name: 'photo.webp' }, []);
});

async function takePhoto(ctx: BotContext, file: SentFile, advice: string[]): Promise<void> {
  if (await refuseWhileDeleting(ctx, ctx.accountId)) return;
  if ((file.file_size ?? 0) > PHOTO_MAX_BYTES) return ctx.say(MESSAGES.fileTooLarge);
  await ctx.api.sendChatAction(ctx.chatNumber, 'typing');
  const photo = await withTemporaryFolder(ctx.app, async (folder) => {
    const received = await ctx.aside(() => downloadFile(ctx, file.file_id, path.join(folder, 'photo')));
    return keepReceivedPhoto(ctx.app, ctx.accountId, { ...received, name: file.file_name ?? 'photo.jpg' });
  });
  // The chat may have been linked with another account meanwhile.
  ctx.accountId = photo.accountId;
  if (Math.min(photo.width, photo.height) < PHOTO_SOFT_MIN_SIDE_PX) advice = [MESSAGES.photoSmall, ...advice];
  const [text, tools] = await writeToolMenu(ctx, photo, advice);
  await ctx.say(text, tools);
}
