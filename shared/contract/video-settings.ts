import * as z from 'zod/mini';
import {
  ASPECT_RATIOS,
  DEFAULT_NEGATIVE_PROMPT,
  MOTION_PRESETS,
  PRODUCT_CATEGORIES,
} from '#shared/rules/motion-presets.ts';
import { DIGITS } from '#shared/rules/outside-text.ts';
import { DEFAULT_VIDEO_SECONDS, VIDEO_SECONDS } from '#shared/rules/prices.ts';

const PROMPT_MAX_LENGTH = 500;

/** Settings of a video. Everything has a default, so a client may send only its changes. */
export const videoSettings = z.object({
  prompt: z.optional(z.string().check(z.trim(), z.maxLength(PROMPT_MAX_LENGTH))),
  negativePrompt: z._default(z.string().check(z.trim(), z.maxLength(PROMPT_MAX_LENGTH)), DEFAULT_NEGATIVE_PROMPT),
  /** In seconds. A string is parsed as an integer, as the specification requires. */
  duration: z._default(
    z.pipe(
      z.union([z.int(), z.pipe(z.string().check(z.regex(DIGITS)), z.transform(Number))]),
      z.literal(VIDEO_SECONDS, 'Длительность — 5 или 10 секунд'),
    ),
    DEFAULT_VIDEO_SECONDS,
  ),
  cfgScale: z._default(z.number().check(z.minimum(0), z.maximum(1)), 0.5),
  aspectRatio: z._default(z.enum(ASPECT_RATIOS), '3:4'),
  preset: z.optional(z.enum(MOTION_PRESETS)),
  category: z.optional(z.enum(PRODUCT_CATEGORIES)),
});
export type VideoSettings = z.output<typeof videoSettings>;

/** Settings of a video as a row or a device has stored them. An answer about another tool has none. */
export const storedVideoSettings = z.partial(videoSettings);
