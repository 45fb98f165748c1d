import { Composer, InlineKeyboard, InputFile } from 'grammy';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getCatalogueSheet } from '#api/services/chat/catalogue-sheets.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { describeTools } from '#api/services/core/tool-abilities.ts';
import { getOwnPhoto } from '#api/services/photos/photos.ts';
import { findPhotoSubject } from '#api/services/photos/subjects.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import { readBatchSubject } from '#bot/batch-state.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { restoreUuid, shortenId, shortenUuid, writeCallback } from '#bot/keyboards/callback-data.ts';
import { BUTTONS, MESSAGES } from '#bot/messages.ts';
import type { CatalogueBackground, CatalogueModel } from '#shared/contract/catalogue.ts';
import { MODEL_CHANGE_PRICE } from '#shared/rules/prices.ts';
import { putSuitingFirst } from '#shared/rules/suiting-backgrounds.ts';
import { type Change, isBackgroundOffered } from '#shared/rules/tool-abilities.ts';
import { offerStars } from './balance.ts';
import { chooseSet, getFirstPhoto } from './batch-choice.ts';
import { assertNotStarted, startFromButton } from './start-from-button.ts';
import { describeStart } from './tool-offer.ts';

const MODELS_A_PAGE = 8;

/**
 * A change of model: pages with the models of the catalogue, the backgrounds, then «Создать». If the engine replaces
 * nobody it begins with the backgrounds.
 */
export const modelChangesFeature = new Composer<BotContext>();

modelChangesFeature.callbackQuery(/^models:(\d{1,9}):((?:b\.)?[\w-]{22})$/, async (ctx) => {
  await assertNotStarted(ctx);
  const [, page = '0', photo = ''] = ctx.match;
  if (makes(ctx, 'model_change')) await showModels(ctx, Number(page), photo);
  else await showBackgrounds(ctx, null, photo);
});

modelChangesFeature.callbackQuery(/^model:([\w-]{8}):((?:b\.)?[\w-]{22})$/, async (ctx) => {
  await assertNotStarted(ctx);
  const [, modelKey = '', photo = ''] = ctx.match;
  const model = makes(ctx, 'model_change') ? getEntry(ctx.app.catalogue.models, modelKey) : null;
  await showBackgrounds(ctx, model, photo);
});

modelChangesFeature.callbackQuery(/^(?:change:([\w-]{8})|ground):([\w-]{8}):((?:b\.)?[\w-]{22})$/, async (ctx) => {
  await assertNotStarted(ctx);
  const { model, background, photo } = readChoice(ctx, ctx.match as RegExpMatchArray);
  if (await refuseBackground(ctx, background)) return;
  const batchId = readBatchSubject(photo);
  if (batchId !== null) {
    const agreedChange = describeTools(ctx.app).change;
    const settings = { modelId: model?.id ?? null, backgroundId: background.id, agreedChange };
    return chooseSet(ctx, batchId, { kind: 'model_change', settings });
  }
  const menu = await writeChangeMenu(ctx, { model, background, photoId: restoreUuid(photo) });
  await ctx.showPicture(await drawChoice(ctx.app, { model, background }), ...menu);
});

modelChangesFeature.callbackQuery(
  /^(?:change-go:([\w-]{8})|ground-go):([\w-]{8}):((?:b\.)?[\w-]{22})$/,
  async (ctx) => {
    const { model, background, photo } = readChoice(ctx, ctx.match as RegExpMatchArray);
    if (await refuseBackground(ctx, background)) return;
    await startFromButton(ctx, MODEL_CHANGE_PRICE, {
      kind: 'model_change',
      photos: { subject: { imageId: restoreUuid(photo) } },
      choice: {
        modelImageUrl: model?.imageUrl ?? null,
        backgroundImageUrl: background.type === 'keep_original' ? '' : background.imageUrl,
      },
    });
  },
);

interface ChangeChoice {
  model: CatalogueModel | null;
  background: CatalogueBackground;
}

export async function writeChangeMenu(
  ctx: BotContext,
  { model, background, photoId }: ChangeChoice & { photoId: string },
): Promise<[string, InlineKeyboard]> {
  const [backgroundKey, photo] = [shortenId(background.id), shortenUuid(photoId)];
  const modelKey = model && shortenId(model.id);
  const go = modelKey
    ? writeCallback('change-go', modelKey, backgroundKey, photo)
    : writeCallback('ground-go', backgroundKey, photo);
  const back = modelKey ? writeCallback('model', modelKey, photo) : writeCallback('models', 0, photo);
  const keyboard = new InlineKeyboard().text(BUTTONS.create(MODEL_CHANGE_PRICE), go).row().text(BUTTONS.back, back);
  const words = { model: model?.name ?? null, background: background.name };
  const balance = await getBalance(ctx.app, ctx.accountId);
  return [MESSAGES.changeMenu({ ...words, balance, notes: await describeStart(ctx, 'model_change') }), keyboard];
}

export function listOfferedBackgrounds(app: AppContext): readonly CatalogueBackground[] {
  const { change } = describeTools(app);
  return app.catalogue.backgrounds.filter((background) => isBackgroundOffered(background, change));
}

/** Returns false when the background is available to this account. Throws background_unchanged. */
async function refuseBackground(ctx: BotContext, background: CatalogueBackground): Promise<boolean> {
  if (!listOfferedBackgrounds(ctx.app).includes(background)) throw new AppError('background_unchanged');
  if (!background.isPremium || (await getPremiumStatus(ctx.app, ctx.accountId)).isPremium) return false;
  await ctx.answer(MESSAGES.premiumBackground);
  await offerStars(ctx);
  return true;
}

/** `photo`: as buttons carry it, or the name of a batch in its place. */
export async function showModels(ctx: BotContext, askedPage: number, photo: string): Promise<void> {
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
  keyboard.row().text(BUTTONS.back, writeWayBack(photo));
  const text = MESSAGES.modelMenu(page + 1, pages);
  await ctx.showPicture(await drawOffer(ctx.app, offered, first + 1), text, keyboard);
}

async function showBackgrounds(ctx: BotContext, model: CatalogueModel | null, photo: string): Promise<void> {
  const batchId = readBatchSubject(photo);
  const shown =
    batchId === null
      ? await getOwnPhoto(ctx.app.db, ctx.accountId, restoreUuid(photo))
      : await getFirstPhoto(ctx, batchId);
  const backgrounds = putSuitingFirst(listOfferedBackgrounds(ctx.app), await findPhotoSubject(ctx.app, shown));
  const keyboard = new InlineKeyboard();
  backgrounds.forEach(({ id, name, isPremium }, index) => {
    const label = BUTTONS.numbered(index + 1, isPremium ? `${name} · PRO` : name);
    const key = shortenId(id);
    const data = model ? writeCallback('change', shortenId(model.id), key, photo) : writeCallback('ground', key, photo);
    keyboard.text(label, data);
    if (index % 2 === 1) keyboard.row();
  });
  const page = model ? Math.floor(ctx.app.catalogue.models.indexOf(model) / MODELS_A_PAGE) : 0;
  const back = model ? writeCallback('models', page, photo) : writeWayBack(photo);
  keyboard.row().text(BUTTONS.back, back);
  const text = MESSAGES.backgroundMenu(model?.name ?? null);
  await ctx.showPicture(await drawOffer(ctx.app, backgrounds, 1), text, keyboard);
}

/** To the choice of the tool. */
function writeWayBack(photo: string): string {
  const batchId = readBatchSubject(photo);
  return batchId === null ? writeCallback('tools', photo) : writeCallback('b-tools', shortenUuid(batchId));
}

function makes({ app }: BotContext, change: Change): boolean {
  return describeTools(app).change === change;
}

/** Throws change_differs for a button from a time when the tool made something else, catalogue_entry_unknown. */
function readChoice(
  ctx: BotContext,
  [, modelKey, backgroundKey = '', photo = '']: RegExpMatchArray,
): ChangeChoice & { photo: string } {
  if (!makes(ctx, modelKey ? 'model_change' : 'background_change')) throw new AppError('change_differs');
  return {
    model: modelKey ? getEntry(ctx.app.catalogue.models, modelKey) : null,
    background: getEntry(ctx.app.catalogue.backgrounds, backgroundKey),
    photo,
  };
}

/** Throws catalogue_entry_unknown for an entry that was removed. */
function getEntry<Entry extends { id: string }>(entries: readonly Entry[], key: string): Entry {
  const entry = entries.find(({ id }) => shortenId(id) === key);
  if (!entry) throw new AppError('catalogue_entry_unknown');
  return entry;
}

const COLUMNS = 4;

/** The entries of a page side by side. Each picture has the number of its button. */
function drawOffer(app: AppContext, entries: readonly { imageUrl: string }[], firstNumber: number): Promise<InputFile> {
  return draw(app, { entries, columns: Math.min(COLUMNS, Math.max(1, entries.length)), firstNumber });
}

function drawChoice(
  app: AppContext,
  { model, background }: { model: CatalogueModel | null; background: CatalogueBackground },
): Promise<InputFile> {
  const entries = model ? [model, background] : [background];
  return draw(app, { entries, columns: entries.length, firstNumber: null });
}

async function draw(app: AppContext, sheet: Parameters<typeof getCatalogueSheet>[1]): Promise<InputFile> {
  return new InputFile(await getCatalogueSheet(app, sheet), 'catalogue.jpg');
}
