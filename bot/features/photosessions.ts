import { Composer, InlineKeyboard, InputFile } from 'grammy';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { measureFile } from '#api/services/core/stored-file.ts';
import { describeTools } from '#api/services/core/tool-abilities.ts';
import { withShownPhoto } from '#api/services/generations/results/shown-photos.ts';
import { getOwnPhoto } from '#api/services/photos/photos.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { restoreUuid, shortenUuid, writeCallback } from '#bot/keyboards/callback-data.ts';
import { BUTTONS, MESSAGES } from '#bot/messages.ts';
import { describeMissingCloseUps } from '#shared/rules/close-ups.ts';
import { PHOTOSESSION_PRICE } from '#shared/rules/prices.ts';
import { assertNotStarted, startFromButton } from './start-from-button.ts';
import { describeStart, writeToolMenu } from './tool-offer.ts';

/** A photo session, and the way back to the choice of tools. */
export const photosessionsFeature = new Composer<BotContext>();

photosessionsFeature.callbackQuery(/^tools:([\w-]{22})$/, async (ctx) => {
  await assertNotStarted(ctx);
  const photo = await getOwnPhoto(ctx.app.db, ctx.accountId, restoreUuid(ctx.match[1]));
  const [text, tools] = await writeToolMenu(ctx, photo);
  if (!ctx.pressed?.isPictured) return ctx.show(text, tools);
  // Telegram cannot turn a picture message into a text, and the previous picture of the catalogue would be out of
  // place.
  const { isPremium } = await getPremiumStatus(ctx.app, ctx.accountId);
  const preview = await withShownPhoto(ctx.app, photo, { size: 'preview', isPremium }, async (file) => {
    await measureFile(ctx.app, file);
    return file.key;
  });
  await ctx.showPicture(new InputFile(() => ctx.app.storage.open(preview), 'photo.webp'), text, tools);
});

photosessionsFeature.callbackQuery(/^session:([\w-]{22})$/, async (ctx) => {
  await assertNotStarted(ctx);
  await ctx.show(...(await writePhotosessionMenu(ctx, restoreUuid(ctx.match[1]))));
});

photosessionsFeature.callbackQuery(/^session-go:([\w-]{22})$/, async (ctx) => {
  const imageId = restoreUuid(ctx.match[1]);
  await startFromButton(ctx, PHOTOSESSION_PRICE, {
    kind: 'photosession',
    photos: { subject: { imageId } },
    choice: {},
  });
});

export async function writePhotosessionMenu(ctx: BotContext, photoId: string): Promise<[string, InlineKeyboard]> {
  const photo = shortenUuid(photoId);
  const { frames } = describeTools(ctx.app);
  const warning =
    frames === 'views' ? describeMissingCloseUps(await getOwnPhoto(ctx.app.db, ctx.accountId, photoId)) : null;
  const keyboard = new InlineKeyboard()
    .text(BUTTONS.create(PHOTOSESSION_PRICE), writeCallback('session-go', photo))
    .row()
    .text(BUTTONS.back, writeCallback('tools', photo));
  const notes = await describeStart(ctx, 'photosession');
  return [MESSAGES.photosessionMenu(await getBalance(ctx.app, ctx.accountId), warning, notes), keyboard];
}
