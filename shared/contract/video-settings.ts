import { z } from 'zod';
import {
  ASPECT_RATIOS,
  DEFAULT_NEGATIVE_PROMPT,
  MOTION_PRESETS,
  PRODUCT_CATEGORIES,
} from '#shared/rules/motion-presets.ts';
import { DEFAULT_VIDEO_SECONDS, VIDEO_SECONDS } from '#shared/rules/prices.ts';

const PROMPT_MAX_LENGTH = 2000;

/** Settings of a video. Everything has a default, so a client may send only its changes. */
export const videoSettings = z.object({
  prompt: z.string().trim().max(PROMPT_MAX_LENGTH).optional(),
  negativePrompt: z.string().trim().max(PROMPT_MAX_LENGTH).default(DEFAULT_NEGATIVE_PROMPT),
  /** In seconds. A string is parsed as an integer, as the specification requires. */
  duration: z
    .union([z.int(), z.string().regex(/^\d+$/).transform(Number)])
    .pipe(z.literal(VIDEO_SECONDS, 'Длительность — 5 или 10 секунд'))
    .default(DEFAULT_VIDEO_SECONDS),
  cfgScale: z.number().min(0).max(1).default(0.5),
  aspectRatio: z.enum(ASPECT_RATIOS).default('3:4'),
  preset: z.enum(MOTION_PRESETS).optional(),
  category: z.enum(PRODUCT_CATEGORIES).optional(),
});
export type VideoSettings = z.output<typeof videoSettings>;

/** Settings of a stored video. A row of an earlier version may lack some. */
export const storedVideoSettings = videoSettings.partial();
