import { Composer, InlineKeyboard } from 'grammy';
import { getEngine } from '#api/services/core/tool-abilities.ts';
import { getOwnPhoto } from '#api/services/photos/photos.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { restoreUuid, shortenUuid, writeCallback } from '#bot/keyboards/callback-data.ts';
import { BUTTONS, MESSAGES } from '#bot/messages.ts';
import {
  DEFAULT_GARMENT_CATEGORY,
  GARMENT_CATEGORIES,
  GARMENT_CATEGORY_NAMES,
  type GarmentCategory,
} from '#shared/rules/garments.ts';
import { TRY_ON_PRICE } from '#shared/rules/prices.ts';
import { assertNotStarted, startFromButton } from './start-from-button.ts';
import { describeStart } from './tool-offer.ts';

/** The choices of a try-on. A button carries the category as its index. */
interface TryOnChoice {
  garmentId: string;
  personId: string;
  category: GarmentCategory;
}

/** A try-on: the garment of one photo on the person of the next one. */
export const tryOnFeature = new Composer<BotContext>();

tryOnFeature.callbackQuery(/^try-how:([\w-]{22})$/, async (ctx) => {
  await assertNotStarted(ctx);
  await ctx.show(
    MESSAGES.tryOnHowTo,
    new InlineKeyboard().text(BUTTONS.back, writeCallback('tools', ctx.match[1] ?? '')),
  );
});

tryOnFeature.callbackQuery(/^(try|try-go):(\d):([\w-]{22}):([\w-]{22})$/, async (ctx) => {
  const choice = readChoice(ctx.match as RegExpMatchArray);
  if (ctx.match[1] === 'try') {
    await assertNotStarted(ctx);
    return ctx.show(...(await writeTryOnMenu(ctx, choice)));
  }
  const { garmentId, personId, category } = choice;
  await startFromButton(ctx, TRY_ON_PRICE, {
    kind: 'try_on',
    photos: { subject: { imageId: garmentId }, person: { imageId: personId } },
    choice: { category },
  });
});

export async function writeTryOnMenu(ctx: BotContext, choice: TryOnChoice): Promise<[string, InlineKeyboard]> {
  getEngine(ctx.app, 'try_on');
  const { garmentId, personId, category } = choice;
  const garment = await getOwnPhoto(ctx.app.db, ctx.accountId, garmentId);
  const person = await getOwnPhoto(ctx.app.db, ctx.accountId, personId);
  const keyboard = new InlineKeyboard();
  GARMENT_CATEGORIES.forEach((one, index) => {
    const label = GARMENT_CATEGORY_NAMES[one];
    keyboard.text(one === category ? `● ${label}` : label, writeChoice('try', { ...choice, category: one }));
    if (index === 2) keyboard.row();
  });
  keyboard
    .row()
    .text(BUTTONS.swapPhotos, writeChoice('try', { ...choice, garmentId: personId, personId: garmentId }))
    .row()
    .text(BUTTONS.create(TRY_ON_PRICE), writeChoice('try-go', choice))
    .row()
    .text(BUTTONS.back, writeCallback('tools', shortenUuid(personId)));
  const isGarmentFirst = garment.createdAt < person.createdAt;
  const balance = await getBalance(ctx.app, ctx.accountId);
  const notes = await describeStart(ctx, 'try_on');
  return [MESSAGES.tryOnMenu({ category, isGarmentFirst, balance, notes }), keyboard];
}

function writeChoice(action: 'try' | 'try-go', { garmentId, personId, category }: TryOnChoice): string {
  return writeCallback(action, GARMENT_CATEGORIES.indexOf(category), shortenUuid(garmentId), shortenUuid(personId));
}

function readChoice([, , category, garment = '', person = '']: RegExpMatchArray): TryOnChoice {
  return {
    garmentId: restoreUuid(garment),
    personId: restoreUuid(person),
    category: GARMENT_CATEGORIES[Number(category)] ?? DEFAULT_GARMENT_CATEGORY,
  };
}
