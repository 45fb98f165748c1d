import { Composer, InlineKeyboard } from 'grammy';
import { deletePhoto, listOwnPhotos } from '#api/services/generations/results/own-photos.ts';
import { getOwnPhoto } from '#api/services/photos/photos.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { restoreUuid, shortenUuid, writeCallback } from '#bot/keyboards/callback-data.ts';
import { BUTTONS, MESSAGES } from '#bot/messages.ts';

/** The largest ones make the most room. */
const LISTED = 5;
/** Some of them may be in use. */
const LOOKED_AT = 50;

export const keptPhotosFeature = new Composer<BotContext>();

keptPhotosFeature.command('photos', async (ctx) => ctx.say(...(await writeList(ctx))));
keptPhotosFeature.callbackQuery('photos', async (ctx) => ctx.show(...(await writeList(ctx))));

keptPhotosFeature.callbackQuery(/^photo-ask:([\w-]{22})$/, async (ctx) => {
  const { id, name } = await getOwnPhoto(ctx.app.db, ctx.accountId, restoreUuid(ctx.match[1]));
  const keyboard = new InlineKeyboard()
    .text(BUTTONS.deleteForGood, writeCallback('photo-go', shortenUuid(id)))
    .row()
    .text(BUTTONS.back, 'photos');
  await ctx.show(MESSAGES.askPhotoDeletion(name), keyboard);
});

keptPhotosFeature.callbackQuery(/^photo-go:([\w-]{22})$/, async (ctx) => {
  await deletePhoto(ctx.app, ctx.accountId, restoreUuid(ctx.match[1]));
  await ctx.show(...(await writeList(ctx)));
});

async function writeList(ctx: BotContext): Promise<[text: string, keyboard?: InlineKeyboard]> {
  const { photos, ...room } = await listOwnPhotos(ctx.app, ctx.accountId, { order: 'largest', limit: LOOKED_AT });
  const free = photos.filter(({ isInUse }) => !isInUse).slice(0, LISTED);
  if (free.length === 0) return [MESSAGES.keptPhotos(room, [])];
  const keyboard = new InlineKeyboard();
  for (const [index, { id }] of free.entries()) {
    keyboard.text(BUTTONS.deletePhoto(index + 1), writeCallback('photo-ask', shortenUuid(id))).row();
  }
  return [MESSAGES.keptPhotos(room, free), keyboard];
}
