import * as z from 'zod/mini';
import type { startVideo } from '#shared/contract/videos.ts';
import {
  ASPECT_RATIOS,
  DEFAULT_MOTION_PRESET,
  DEFAULT_NEGATIVE_PROMPT,
  MOTION_PRESETS,
  PRESET_PROMPTS,
  resolveCategory,
  resolveMotionPreset,
} from '#shared/rules/motion-presets.ts';
import { DEFAULT_VIDEO_SECONDS, VIDEO_SECONDS } from '#shared/rules/prices.ts';
import { describeReplacement, fitShape, type VideoOffer } from '#shared/rules/tool-offer.ts';

export const videoForm = z.object({
  preset: z._default(z.enum(MOTION_PRESETS), DEFAULT_MOTION_PRESET),
  duration: z._default(z.literal(VIDEO_SECONDS), DEFAULT_VIDEO_SECONDS),
  aspectRatio: z._default(z.enum(ASPECT_RATIOS), '3:4'),
});
export type VideoForm = z.infer<typeof videoForm>;
export const DEFAULT_VIDEO_FORM: VideoForm = videoForm.parse({});

/** The choices with what is offered in place of what is not, and the words about that. */
export function fitForm(form: VideoForm, offer: VideoOffer): { form: VideoForm; replacement: string | null } {
  const wanted = { seconds: form.duration, ratio: form.aspectRatio };
  const { seconds, ratio } = fitShape(wanted, offer);
  const replacement = describeReplacement(wanted, { seconds, ratio });
  return { form: { ...form, duration: seconds, aspectRatio: ratio }, replacement };
}

export type SentVideoSettings = NonNullable<z.input<(typeof startVideo)['body']>['settings']>;

/** The settings for the server, in the format of the specification. */
export function toVideoSettings({ preset, duration, aspectRatio }: VideoForm): SentVideoSettings {
  return {
    prompt: PRESET_PROMPTS[preset],
    negativePrompt: DEFAULT_NEGATIVE_PROMPT,
    duration,
    cfgScale: 0.5,
    aspectRatio,
    preset,
    category: resolveCategory(preset),
  };
}

/** The choices that led to these settings, from any client. */
export function fromVideoSettings(settings: Partial<SentVideoSettings>): VideoForm {
  return videoForm.parse({
    preset: resolveMotionPreset(settings),
    duration: Number(settings.duration ?? DEFAULT_VIDEO_SECONDS),
    aspectRatio: settings.aspectRatio,
  });
}
