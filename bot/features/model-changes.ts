import { Composer, InlineKeyboard } from 'grammy';
import type { AppContext } from '#api/app-context.ts';
import { AppError } from '#api/errors.ts';
import { startModelChange } from '#api/services/model-changes.ts';
import { getPremiumStatus } from '#api/services/payments.ts';
import { getBalance } from '#api/services/stars.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { drawChoice, drawOffer } from '#bot/catalogue-pictures.ts';
import { restoreUuid, shortenId, shortenUuid, writeCallback } from '#bot/keyboards/callback-data.ts';
import { BUTTONS, MESSAGES } from '#bot/messages.ts';
import type { CatalogueBackground, CatalogueModel } from '#shared/contract/catalogue.ts';
import { MODEL_CHANGE_PRICE } from '#shared/rules/prices.ts';
import { offerStars } from './balance.ts';
import { assertNotStarted, startFromButton } from './start-from-button.ts';

const MODELS_A_PAGE = 8;

/** A change of model: the models of the catalogue page by page with their pictures, the backgrounds, then «Создать». */
export const modelChangesFeature = new Composer<BotContext>();

modelChangesFeature.callbackQuery(/^models:(\d+):([\w-]{22})$/, async (ctx) => {
  await assertNotStarted(ctx);
  const [, page = '0', photo = ''] = ctx.match;
  await showModels(ctx, Number(page), photo);
});

modelChangesFeature.callbackQuery(/^model:([\w-]{8}):([\w-]{22})$/, async (ctx) => {
  await assertNotStarted(ctx);
  const [, modelKey = '', photo = ''] = ctx.match;
  const model = getEntry(ctx.app.catalogue.models, modelKey);
  const backgrounds = listOfferedBackgrounds(ctx.app);
  const keyboard = new InlineKeyboard();
  backgrounds.forEach((background, index) => {
    const label = background.isPremium ? `${background.name} · PRO` : background.name;
    keyboard.text(
      BUTTONS.numbered(index + 1, label),
      writeCallback('change', modelKey, shortenId(background.id), photo),
    );
    if (index % 2 === 1) keyboard.row();
  });
  const page = Math.floor(ctx.app.catalogue.models.indexOf(model) / MODELS_A_PAGE);
  keyboard.row().text(BUTTONS.back, writeCallback('models', page, photo));
  await ctx.showPicture(await drawOffer(ctx.app, backgrounds, 1), MESSAGES.backgroundMenu(model.name), keyboard);
});

modelChangesFeature.callbackQuery(/^change:([\w-]{8}):([\w-]{8}):([\w-]{22})$/, async (ctx) => {
  await assertNotStarted(ctx);
  const { model, background, photo } = readChoice(ctx, ctx.match as RegExpMatchArray);
  if (await refuseBackground(ctx, background)) return;
  const menu = await writeModelChangeMenu(ctx, { model, background, photoId: restoreUuid(photo) });
  await ctx.showPicture(await drawChoice(ctx.app, { model, background }), ...menu);
});

modelChangesFeature.callbackQuery(/^change-go:([\w-]{8}):([\w-]{8}):([\w-]{22})$/, async (ctx) => {
  const { model, background, photo } = readChoice(ctx, ctx.match as RegExpMatchArray);
  if (await refuseBackground(ctx, background)) return;
  await startFromButton(ctx, MODEL_CHANGE_PRICE, (idempotencyKey) =>
    startModelChange(ctx.app, {
      accountId: ctx.accountId,
      photo: { imageId: restoreUuid(photo) },
      modelImageUrl: model.imageUrl,
      backgroundImageUrl: background.type === 'keep_original' ? '' : background.imageUrl,
      idempotencyKey,
    }),
  );
});

/** What is about to be made. */
export async function writeModelChangeMenu(
  ctx: BotContext,
  { model, background, photoId }: { model: CatalogueModel; background: CatalogueBackground; photoId: string },
): Promise<[string, InlineKeyboard]> {
  const [modelKey, backgroundKey, photo] = [shortenId(model.id), shortenId(background.id), shortenUuid(photoId)];
  const keyboard = new InlineKeyboard()
    .text(BUTTONS.create(MODEL_CHANGE_PRICE), writeCallback('change-go', modelKey, backgroundKey, photo))
    .row()
    .text(BUTTONS.back, writeCallback('model', modelKey, photo));
  const words = { model: model.name, background: background.name, isModelReplaced: ctx.app.engine.isGenerative };
  return [MESSAGES.modelChangeMenu({ ...words, balance: await getBalance(ctx.app, ctx.accountId) }), keyboard];
}

/** All of the catalogue; but a photo that keeps person and background alike is not sold as something new. */
export function listOfferedBackgrounds({
  catalogue: { backgrounds },
  engine,
}: Pick<AppContext, 'catalogue' | 'engine'>): readonly CatalogueBackground[] {
  return engine.isGenerative ? backgrounds : backgrounds.filter(({ type }) => type !== 'keep_original');
}

/** Says why a background cannot be had, and how it can; false where it can. */
async function refuseBackground(ctx: BotContext, background: CatalogueBackground): Promise<boolean> {
  if (!listOfferedBackgrounds(ctx.app).includes(background)) {
    await ctx.answer(MESSAGES.nothingChanges);
    return true;
  }
  if (!background.isPremium || (await getPremiumStatus(ctx.app, ctx.accountId)).isPremium) return false;
  await ctx.answer(MESSAGES.premiumBackground);
  await offerStars(ctx);
  return true;
}

async function showModels(ctx: BotContext, askedPage: number, photo: string): Promise<void> {
  const { models } = ctx.app.catalogue;
  const pages = Math.ceil(models.length / MODELS_A_PAGE);
  const page = Math.min(askedPage, pages - 1);
  const first = page * MODELS_A_PAGE;
  const offered = models.slice(first, first + MODELS_A_PAGE);
  const keyboard = new InlineKeyboard();
  offered.forEach(({ id, name, ageRange }, index) => {
    const label = BUTTONS.numbered(first + index + 1, `${name}, ${ageRange}`);
    keyboard.text(label, writeCallback('model', shortenId(id), photo));
    if (index % 2 === 1) keyboard.row();
  });
  keyboard.row();
  if (page > 0) keyboard.text(BUTTONS.previous, writeCallback('models', page - 1, photo));
  if (page + 1 < pages) keyboard.text(BUTTONS.next, writeCallback('models', page + 1, photo));
  keyboard.row().text(BUTTONS.back, writeCallback('tools', photo));
  const text = MESSAGES.modelMenu(page + 1, pages, ctx.app.engine.isGenerative);
  await ctx.showPicture(await drawOffer(ctx.app, offered, first + 1), text, keyboard);
}

function readChoice(ctx: BotContext, [, modelKey = '', backgroundKey = '', photo = '']: RegExpMatchArray) {
  return {
    model: getEntry(ctx.app.catalogue.models, modelKey),
    background: getEntry(ctx.app.catalogue.backgrounds, backgroundKey),
    photo,
  };
}

/** Throws catalogue_entry_unknown for what has left the catalogue. */
function getEntry<Entry extends { id: string }>(entries: readonly Entry[], key: string): Entry {
  const entry = entries.find(({ id }) => shortenId(id) === key);
  if (!entry) throw new AppError('catalogue_entry_unknown');
  return entry;
}
