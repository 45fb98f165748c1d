import { Composer, InlineKeyboard } from 'grammy';
import type { AppContext } from '#api/services/app-context.ts';
import { describeTools } from '#api/services/core/tool-abilities.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { restoreUuid, shortenUuid, writeCallback } from '#bot/keyboards/callback-data.ts';
import { BUTTONS, MESSAGES } from '#bot/messages.ts';
import type { BatchSet } from '#shared/contract/batches.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import {
  ASPECT_RATIOS,
  type AspectRatio,
  DEFAULT_MOTION_PRESET,
  MOTION_NAMES,
  MOTION_PRESETS,
  type MotionPreset,
  PRESET_PROMPTS,
} from '#shared/rules/motion-presets.ts';
import { DEFAULT_VIDEO_SECONDS, VIDEO_SECONDS, type VideoSeconds, videoPrice } from '#shared/rules/prices.ts';
import { describeReplacement, fitShape } from '#shared/rules/tool-offer.ts';
import { assertNotStarted, startFromButton } from './start-from-button.ts';
import { describeStart } from './tool-offer.ts';

/** The choices of a video. A button carries each as its index. */
export interface VideoChoice {
  photoId: string;
  preset: MotionPreset;
  seconds: VideoSeconds;
  ratio: AspectRatio;
}

const CHOICE = /^(menu|go):(\d):(\d):(\d):([\w-]{22})$/;

export const videosFeature = new Composer<BotContext>();

videosFeature.callbackQuery(/^video:([\w-]{22})$/, async (ctx) => {
  await assertNotStarted(ctx);
  await ctx.show(...(await writeVideoMenu(ctx, defaultChoice(restoreUuid(ctx.match[1])))));
});

videosFeature.callbackQuery(CHOICE, async (ctx) => {
  const choice = readChoice(ctx.match as RegExpMatchArray);
  if (ctx.match[1] === 'menu') {
    await assertNotStarted(ctx);
    return ctx.show(...(await writeVideoMenu(ctx, choice)));
  }
  const { photoId, preset, seconds, ratio } = choice;
  const settings = videoSettings.parse({
    preset,
    duration: seconds,
    aspectRatio: ratio,
    prompt: PRESET_PROMPTS[preset],
  });
  await startFromButton(ctx, videoPrice(seconds), {
    kind: 'video',
    photos: { subject: { imageId: photoId } },
    choice: settings,
  });
});

export function defaultChoice(photoId: string): VideoChoice {
  return { photoId, preset: DEFAULT_MOTION_PRESET, seconds: DEFAULT_VIDEO_SECONDS, ratio: '3:4' };
}

/** The settings of a video that nobody has chosen anything of. */
export function chooseUsualVideo(app: AppContext): BatchSet {
  const { preset, seconds, ratio } = defaultChoice('');
  const shape = fitShape({ seconds, ratio }, describeTools(app));
  const look = { preset, prompt: PRESET_PROMPTS[preset], duration: shape.seconds, aspectRatio: shape.ratio };
  return { kind: 'video', settings: videoSettings.parse(look) };
}

/** The screen for a choice. Each button leads to the screen of another one. */
export async function writeVideoMenu(ctx: BotContext, wanted: VideoChoice): Promise<[string, InlineKeyboard]> {
  const tools = describeTools(ctx.app);
  const { videoSeconds: lengths, aspectRatios: ratios } = tools;
  const choice = { ...wanted, ...fitShape(wanted, tools) };
  const { preset, seconds, ratio, photoId } = choice;
  const stars = videoPrice(seconds);
  const keyboard = new InlineKeyboard();
  MOTION_PRESETS.forEach((one, index) => {
    keyboard.text(mark(MOTION_NAMES[one], one === preset), writeChoice('menu', { ...choice, preset: one }));
    if (index % 3 === 2) keyboard.row();
  });
  keyboard.row();
  for (const one of lengths) {
    keyboard.text(mark(BUTTONS.seconds(one), one === seconds), writeChoice('menu', { ...choice, seconds: one }));
  }
  const nextRatio = ratios[(ratios.indexOf(ratio) + 1) % ratios.length] ?? ratio;
  if (nextRatio !== ratio) keyboard.text(BUTTONS.ratio(ratio), writeChoice('menu', { ...choice, ratio: nextRatio }));
  keyboard.row().text(BUTTONS.create(stars), writeChoice('go', choice));
  keyboard.row().text(BUTTONS.back, writeCallback('tools', shortenUuid(photoId)));
  const replaced = describeReplacement(wanted, choice);
  const text = MESSAGES.videoMenu({
    motion: MOTION_NAMES[preset],
    seconds,
    lengths,
    ratio,
    stars,
    balance: await getBalance(ctx.app, ctx.accountId),
    notes: [...(replaced ? [replaced] : []), ...(await describeStart(ctx, 'video'))],
  });
  return [text, keyboard];
}

function mark(label: string, isChosen: boolean): string {
  return isChosen ? `● ${label}` : label;
}

function writeChoice(action: 'menu' | 'go', { preset, seconds, ratio, photoId }: VideoChoice): string {
  const places = [MOTION_PRESETS.indexOf(preset), VIDEO_SECONDS.indexOf(seconds), ASPECT_RATIOS.indexOf(ratio)];
  return writeCallback(action, ...places, shortenUuid(photoId));
}

function readChoice([, , preset, seconds, ratio, photo = '']: RegExpMatchArray): VideoChoice {
  const usual = defaultChoice(restoreUuid(photo));
  return {
    photoId: usual.photoId,
    preset: MOTION_PRESETS[Number(preset)] ?? usual.preset,
    seconds: VIDEO_SECONDS[Number(seconds)] ?? usual.seconds,
    ratio: ASPECT_RATIOS[Number(ratio)] ?? usual.ratio,
  };
}
