import { Composer, InlineKeyboard } from 'grammy';
import { AppError } from '#api/platform/errors.ts';
import { changeBatch, getBatch, getOwnBatch, listBatches } from '#api/services/batches/batches.ts';
import { pauseBatch, repeatRows, resumeBatch, startBatch, stopBatch } from '#api/services/batches/commands.ts';
import { keepDuplicates } from '#api/services/batches/rows.ts';
import { changeChatBatch, collectInChat, handOver, listMadeGenerations } from '#api/services/chat/batches.ts';
import { listToolSettings } from '#api/services/generations/tools/tool-settings.ts';
import { findPhotoBefore } from '#api/services/photos/photos.ts';
import { getViewer, nameBatchSubject, sendBatch } from '#bot/batch-state.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { restoreUuid, shortenUuid, writeCallback } from '#bot/keyboards/callback-data.ts';
import { BUTTONS, MESSAGES } from '#bot/messages.ts';
import { type BatchSet, batchSet } from '#shared/contract/batches.ts';
import { DEFAULT_GARMENT_CATEGORY, GARMENT_CATEGORIES } from '#shared/rules/garments.ts';
import { GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { ASPECT_RATIOS, MOTION_PRESETS, PRESET_PROMPTS } from '#shared/rules/motion-presets.ts';
import { VIDEO_SECONDS } from '#shared/rules/prices.ts';
import { offerStars } from './balance.ts';
import { chooseSet, getFirstPhoto, showHere } from './batch-choice.ts';
import { showModels } from './model-changes.ts';
import { chooseUsualVideo } from './videos.ts';

/** How long photos are added after «Ещё фото». */
const MORE_MS = 30 * 60_000;
const STARTED = new Date(0);
/** A photo of the person from before that is hardly meant for these garments. */
const PERSON_MS = 24 * 3_600_000;
const LISTED = 6;

/** The buttons of batches: what is made, the start, and what becomes of what waits. */
export const batchesFeature = new Composer<BotContext>();

batchesFeature.command('batches', async (ctx) => {
  const viewer = await getViewer(ctx.app, ctx.accountId);
  const { batches } = await listBatches(ctx.app, viewer, { limit: LISTED });
  if (batches.length === 0) return ctx.say(MESSAGES.noBatches);
  const keyboard = InlineKeyboard.from(
    batches.map(({ id, name, counts }) => [
      InlineKeyboard.text(MESSAGES.listedBatch(name, counts.all), writeCallback('b-open', shortenUuid(id))),
    ]),
  );
  await ctx.say(MESSAGES.batches, keyboard);
});

batchesFeature.callbackQuery(/^b-open:([\w-]{22})$/, async (ctx) => {
  const batchId = restoreUuid(ctx.match[1]);
  const { startedAt } = await getOwnBatch(ctx.app.db, ctx.accountId, batchId);
  await collectInChat(ctx.app, { batchId, chatId: ctx.chatNumber, until: STARTED, isSetChosen: true });
  const row = { batchId, chatId: BigInt(ctx.chatNumber) };
  await changeChatBatch(ctx.app, row, { isFollowed: startedAt !== null });
  await sendBatch(ctx.app, ctx.api, row, ctx.nextCause());
});

batchesFeature.callbackQuery(/^b-tools:([\w-]{22})$/, (ctx) =>
  work(ctx, async ({ batchId }) => {
    await changeChatBatch(ctx.app, { batchId, chatId: ctx.chatNumber }, { isSetChosen: false });
  }),
);

batchesFeature.callbackQuery(/^(b-tool|b-own):(\d):([\w-]{22})$/, async (ctx) => {
  const batchId = restoreUuid(ctx.match[3]);
  const kind = GENERATION_KINDS[Number(ctx.match[2])] ?? 'video';
  const { sets } = await listToolSettings(ctx.app, ctx.accountId);
  const own = sets.filter((set) => set.kind === kind).slice(0, LISTED);
  if (ctx.match[1] === 'b-own' || own.length === 0) return askHere(ctx, batchId, kind);
  const key = shortenUuid(batchId);
  const buttons = own.map(({ id, name }) => [
    InlineKeyboard.text(BUTTONS.set(name), writeCallback('b-set', shortenUuid(id), key)),
  ]);
  const keyboard = InlineKeyboard.from([
    ...buttons,
    [InlineKeyboard.text(BUTTONS.ownSet, writeCallback('b-own', GENERATION_KINDS.indexOf(kind), key))],
    [InlineKeyboard.text(BUTTONS.back, writeCallback('b-tools', key))],
  ]);
  await ctx.show(MESSAGES.askSet, keyboard);
});

batchesFeature.callbackQuery(/^b-set:([\w-]{22}):([\w-]{22})$/, async (ctx) => {
  const { sets } = await listToolSettings(ctx.app, ctx.accountId);
  const set = sets.find(({ id }) => id === restoreUuid(ctx.match[1]));
  if (!set) throw new AppError('set_not_found');
  const batchId = restoreUuid(ctx.match[2]);
  await chooseOwn(ctx, batchId, batchSet.parse({ kind: set.kind, settings: set.settings }));
});

batchesFeature.callbackQuery(/^b-video:(\d):(\d):(\d):([\w-]{22})$/, async (ctx) => {
  const [, preset, seconds, ratio, batch] = ctx.match;
  const motion = MOTION_PRESETS[Number(preset)];
  const look = {
    ...(motion ? { preset: motion, prompt: PRESET_PROMPTS[motion] } : {}),
    duration: VIDEO_SECONDS[Number(seconds)],
    aspectRatio: ASPECT_RATIOS[Number(ratio)],
  };
  await chooseSet(ctx, restoreUuid(batch), batchSet.parse({ kind: 'video', settings: look }));
});

batchesFeature.callbackQuery(/^b-garment:(\d):([\w-]{22})$/, async (ctx) => {
  const category = GARMENT_CATEGORIES[Number(ctx.match[1])] ?? DEFAULT_GARMENT_CATEGORY;
  await chooseSet(ctx, restoreUuid(ctx.match[2]), { kind: 'try_on', settings: { category } });
});

batchesFeature.callbackQuery(/^(b-go|b-pilot):(\d{1,6}):([\w-]{22})$/, async (ctx) => {
  const [, action, stars, batch] = ctx.match;
  await work(
    ctx,
    async ({ batchId, key }) => {
      const viewer = await getViewer(ctx.app, ctx.accountId);
      const agreed = { agreedStars: Number(stars), key };
      await startBatch(ctx.app, viewer, batchId, { isPilot: action === 'b-pilot', ...agreed });
      await follow(ctx, batchId);
    },
    batch,
  );
});

batchesFeature.callbackQuery(/^b-repeat:(failed|stopped):(\d{1,6}):([\w-]{22})$/, async (ctx) => {
  const [, state, stars, batch] = ctx.match;
  await work(
    ctx,
    async ({ batchId, key }) => {
      const viewer = await getViewer(ctx.app, ctx.accountId);
      const { rows } = await getBatch(ctx.app, viewer, batchId);
      const rowIds = rows.filter((row) => row.state === state).map(({ id }) => id);
      await repeatRows(ctx.app, viewer, batchId, { rowIds, agreedStars: Number(stars), key });
      await follow(ctx, batchId);
    },
    batch,
  );
});

batchesFeature.callbackQuery(/^b-resume:(\d{1,6}):([\w-]{22})$/, (ctx) =>
  work(
    ctx,
    async ({ batchId }) => {
      const viewer = await getViewer(ctx.app, ctx.accountId);
      await resumeBatch(ctx.app, viewer, batchId, { agreedStars: Number(ctx.match[1]) });
      await follow(ctx, batchId);
    },
    ctx.match[2],
  ),
);

batchesFeature.callbackQuery(/^b-pause:([\w-]{22})$/, (ctx) =>
  work(ctx, async ({ batchId }) => {
    await pauseBatch(ctx.app, await getViewer(ctx.app, ctx.accountId), batchId);
  }),
);

batchesFeature.callbackQuery(/^b-stop:([\w-]{22})$/, (ctx) =>
  work(ctx, async ({ batchId }) => {
    const { status } = await stopBatch(ctx.app, await getViewer(ctx.app, ctx.accountId), batchId);
    // Nobody is notified of what they did themselves, but the results that there are belong to the chat.
    if (status === 'open') await handOver(ctx.app, { batchId, chatId: BigInt(ctx.chatNumber) });
  }),
);

batchesFeature.callbackQuery(/^b-after:([01]):([\w-]{22})$/, (ctx) =>
  work(
    ctx,
    async ({ batchId }) => {
      const viewer = await getViewer(ctx.app, ctx.accountId);
      await changeBatch(ctx.app, viewer, batchId, { continuesAfterPurchase: ctx.match[1] === '1' });
    },
    ctx.match[2],
  ),
);

batchesFeature.callbackQuery('b-buy', (ctx) => offerStars(ctx));

batchesFeature.callbackQuery(/^b-keep:([\w-]{22})$/, (ctx) =>
  work(ctx, async ({ batchId }) => {
    const viewer = await getViewer(ctx.app, ctx.accountId);
    const { rows } = await getBatch(ctx.app, viewer, batchId);
    const duplicates = rows.filter(({ state }) => state === 'duplicate').map(({ id }) => id);
    if (duplicates.length > 0) await keepDuplicates(ctx.app, viewer, batchId, duplicates);
  }),
);

batchesFeature.callbackQuery(/^b-more:([\w-]{22})$/, async (ctx) => {
  const batchId = restoreUuid(ctx.match[1]);
  await getOwnBatch(ctx.app.db, ctx.accountId, batchId);
  await collectInChat(ctx.app, {
    batchId,
    chatId: ctx.chatNumber,
    until: new Date(Date.now() + MORE_MS),
    isSetChosen: true,
  });
  await ctx.answer(MESSAGES.askMore);
});

batchesFeature.callbackQuery(/^b-send:([\w-]{22})$/, async (ctx) => {
  const batchId = restoreUuid(ctx.match[1]);
  await getOwnBatch(ctx.app.db, ctx.accountId, batchId);
  const generationIds = await listMadeGenerations(ctx.app.db, batchId);
  if (generationIds.length === 0) return ctx.answer(MESSAGES.nothingToSend);
  const job = { batchId, chatId: String(ctx.user.id), generationIds, causeKey: ctx.nextCause().causeKey };
  await ctx.app.db.$transaction((tx) => ctx.app.queue.send(tx, 'send-telegram-batch', job));
  await ctx.answer(MESSAGES.sendingBatch);
});

/** Carries out what a button of a batch asks for, and shows the batch in the message of the button. */
async function work(
  ctx: BotContext & { match: string | RegExpMatchArray },
  act: (command: { batchId: string; key: string }) => Promise<void>,
  batch: string | undefined = ctx.match[1],
): Promise<void> {
  const batchId = restoreUuid(batch);
  try {
    // A repeat of the update is the same command.
    await act({ batchId, key: `telegram:${ctx.update.update_id}` });
  } catch (error) {
    if (!(error instanceof AppError) || !SHOWN_AGAIN.includes(error.code)) throw error;
    await ctx.answer(error.code === 'batch_empty' ? MESSAGES.alreadyStarted : `${error.message}.`);
  }
  await showHere(ctx, batchId);
}

/** After these the buttons are old ones. */
const SHOWN_AGAIN = ['price_changed', 'batch_empty', 'batch_rows_wait'];

/** The message shows what becomes of the batch from now on, and no more photos go into it by themselves. */
async function follow(ctx: BotContext, batchId: string): Promise<void> {
  await changeChatBatch(
    ctx.app,
    { batchId, chatId: ctx.chatNumber },
    { isFollowed: true, isSetChosen: true, collectsUntil: STARTED },
  );
}

/** Asks for the settings in the chat, where the tool has some. */
async function askHere(ctx: BotContext, batchId: string, kind: GenerationKind): Promise<void> {
  switch (kind) {
    case 'video':
      return chooseSet(ctx, batchId, chooseUsualVideo(ctx.app));
    case 'photosession':
      return chooseSet(ctx, batchId, { kind, settings: {} });
    case 'model_change':
      return showModels(ctx, 0, nameBatchSubject(batchId));
    case 'try_on':
      return chooseOwn(ctx, batchId, { kind, settings: { category: DEFAULT_GARMENT_CATEGORY } });
  }
}

/** Chooses a set. A try-on needs the photo of the person, too. */
async function chooseOwn(ctx: BotContext, batchId: string, set: BatchSet): Promise<void> {
  if (set.kind !== 'try_on') return chooseSet(ctx, batchId, set);
  const personPhotoId = await findPerson(ctx, batchId);
  if (personPhotoId === null) return ctx.answer(MESSAGES.personMissing);
  await chooseSet(ctx, batchId, set, personPhotoId);
}

/** The last photo that was sent before those of the batch. Null for none. */
async function findPerson(ctx: BotContext, batchId: string): Promise<string | null> {
  const photo = await getFirstPhoto(ctx, batchId);
  const person = await findPhotoBefore(ctx.app.db, photo, new Date(photo.createdAt.getTime() - PERSON_MS));
  return person?.id ?? null;
}
