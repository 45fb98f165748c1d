import { Composer, type InlineKeyboard } from 'grammy';
import { AppError } from '#api/platform/errors.ts';
import { followInChat } from '#api/services/chat/orders.ts';
import { describeTools } from '#api/services/core/tool-abilities.ts';
import {
  findReroll,
  type Generation,
  getFinishedGeneration,
  getOwnGenerationOfAnyKind,
} from '#api/services/generations/results/find-generation.ts';
import { listInputs } from '#api/services/generations/results/inputs.ts';
import { dropFailedCopy, isVideoCopyMissing } from '#api/services/generations/results/video-copies.ts';
import { cancelGeneration } from '#api/services/generations/running/cancel-generation.ts';
import { startReroll } from '#api/services/generations/starting/start-reroll.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { CHAT_ACTIONS, showOrder } from '#bot/follow-orders.ts';
import { restoreUuid } from '#bot/keyboards/callback-data.ts';
import { MESSAGES } from '#bot/messages.ts';
import { modelChangeSettings } from '#shared/contract/model-change-settings.ts';
import { tryOnSettings } from '#shared/contract/try-on-settings.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import { isFinal } from '#shared/rules/generation-lifecycle.ts';
import { resolveMotionPreset } from '#shared/rules/motion-presets.ts';
import { type InputRole, TOOLS } from '#shared/rules/tools.ts';
import { listOfferedBackgrounds, writeChangeMenu } from './model-changes.ts';
import { writePhotosessionMenu } from './photosessions.ts';
import { writeTryOnMenu } from './try-on.ts';
import { defaultChoice, writeVideoMenu } from './videos.ts';

/** What can be done with a generation: cancel it, send it, make it again. */
export const resultsFeature = new Composer<BotContext>();

resultsFeature.callbackQuery(/^cancel:([\w-]{22})$/, async (ctx) => {
  const generationId = restoreUuid(ctx.match[1]);
  const cancellation = await cancelGeneration(ctx.app, ctx.accountId, generationId);
  if (cancellation.outcome === 'runs_on') {
    return ctx.answer(cancellation.hasStopped ? MESSAGES.runsOnInPart : MESSAGES.runsOn);
  }
  await showOrder(ctx.app, ctx.api, generationId);
});

resultsFeature.callbackQuery(/^result:([\w-]{22})$/, async (ctx) => {
  const generation = await getFinishedGeneration(ctx.app.db, ctx.accountId, restoreUuid(ctx.match[1]));
  const { id, kind } = generation;
  const job = { generationId: id, chatId: String(ctx.user.id), askedBy: ctx.nextCause().causeKey };
  // The job does the upload, which may take minutes. The chat's next messages do not wait for it.
  await ctx.app.db.$transaction(async (tx) => {
    await dropFailedCopy(tx, id);
    await ctx.app.queue.send(tx, 'send-telegram-result', job);
  });
  if (await isVideoCopyMissing(ctx.app, generation)) await ctx.answer(MESSAGES.preparing);
  await ctx.replyWithChatAction(CHAT_ACTIONS[TOOLS[kind].outputs.type]);
});

// Opens new messages. Those with the results stay, and each message belongs to one generation.
resultsFeature.callbackQuery(/^again:([\w-]{22})$/, async (ctx) => {
  const generation = await getOwnGenerationOfAnyKind(ctx.app.db, ctx.accountId, restoreUuid(ctx.match[1]));
  await ctx.say(...(await writeMenuAgain(ctx, generation)));
});

// The message with the drift becomes that of the re-roll's progress.
resultsFeature.callbackQuery(/^reroll:([\w-]{22})$/, async (ctx) => {
  const original = await getOwnGenerationOfAnyKind(ctx.app.db, ctx.accountId, restoreUuid(ctx.match[1]));
  const started = await findReroll(ctx.app.db, original.id);
  if (started && isFinal(started.status)) return ctx.answer(MESSAGES.rerollUsed);
  // One that runs already is followed here, too.
  const { generationId } = await startReroll(ctx.app, ctx.accountId, original.id);
  const message = ctx.callbackQuery.message;
  if (!message) return ctx.answer(MESSAGES.rerollRuns);
  await followInChat(ctx.app, { generationId, chatId: message.chat.id, messageId: message.message_id });
  await showOrder(ctx.app, ctx.api, generationId);
});

async function writeMenuAgain(ctx: BotContext, generation: Generation): Promise<[string, InlineKeyboard]> {
  const { id, kind, settings } = generation;
  const photoId = await getInputId(ctx, id, 'subject');
  switch (kind) {
    case 'video':
      return writeVideoMenuAgain(ctx, photoId, settings);
    case 'model_change':
      return writeChangeMenuAgain(ctx, photoId, settings);
    case 'photosession':
      return writePhotosessionMenu(ctx, photoId);
    case 'try_on': {
      const { category } = tryOnSettings.parse(settings);
      return writeTryOnMenu(ctx, { garmentId: photoId, personId: await getInputId(ctx, id, 'person'), category });
    }
  }
}

async function getInputId(ctx: BotContext, generationId: string, role: InputRole): Promise<string> {
  const photo = (await listInputs(ctx.app.db, generationId)).find((input) => input.role === role);
  if (!photo) throw new AppError('photo_not_found');
  return photo.id;
}

function writeVideoMenuAgain(ctx: BotContext, photoId: string, settings: unknown): Promise<[string, InlineKeyboard]> {
  const { duration, aspectRatio, preset, prompt } = videoSettings.parse(settings);
  const motion = resolveMotionPreset({ ...(preset ? { preset } : {}), ...(prompt ? { prompt } : {}) });
  return writeVideoMenu(ctx, { photoId, preset: motion, seconds: duration, ratio: aspectRatio });
}

function writeChangeMenuAgain(ctx: BotContext, photoId: string, settings: unknown): Promise<[string, InlineKeyboard]> {
  const { modelId, backgroundId } = modelChangeSettings.parse(settings);
  const { models } = ctx.app.catalogue;
  const isModelReplaced = describeTools(ctx.app).change === 'model_change';
  const model = isModelReplaced ? (models.find(({ id }) => id === modelId) ?? models[0]) : null;
  const backgrounds = listOfferedBackgrounds(ctx.app);
  const background = backgrounds.find(({ id }) => id === backgroundId) ?? backgrounds[0];
  if (model === undefined || !background) throw new Error('the catalogue is empty');
  return writeChangeMenu(ctx, { model, background, photoId });
}

resultsFeature.callbackQuery(/^motion:([\w-]{22})$/, async (ctx) => {
  const { id, settings } = await getOwnGenerationOfAnyKind(ctx.app.db, ctx.accountId, restoreUuid(ctx.match[1]));
  const { duration: seconds, aspectRatio: ratio } = videoSettings.parse(settings);
  await ctx.say(
    ...(await writeVideoMenu(ctx, { ...defaultChoice(await getInputId(ctx, id, 'subject')), seconds, ratio })),
  );
});
