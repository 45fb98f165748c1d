/** Motion presets of the video page with the literal prompts of the specification. */
export const MOTION_PRESETS = ['spin', 'walk', 'pose', 'dance', 'shoe'] as const;
export type MotionPreset = (typeof MOTION_PRESETS)[number];
export const DEFAULT_MOTION_PRESET: MotionPreset = 'spin';

export const PRESET_PROMPTS: Record<MotionPreset, string> = {
  spin: 'A model turning around to show the outfit. At the end the model leaves',
  walk: 'Walking on a fashion runway',
  pose: 'Model is posing',
  dance: 'Model is posing and slowly dancing',
  shoe: 'An orbiting shot of a boot',
};
export const MOTION_NAMES: Record<MotionPreset, string> = {
  spin: 'Поворот',
  walk: 'Дефиле',
  pose: 'Поза',
  dance: 'Танец',
  shoe: 'Обувь',
};
export const DEFAULT_NEGATIVE_PROMPT = 'blurry, distorted, text, logos, hands';

export const ASPECT_RATIOS = ['3:4', '9:16', '1:1'] as const;
export type AspectRatio = (typeof ASPECT_RATIOS)[number];

export const PRODUCT_CATEGORIES = ['одежда', 'обувь'] as const;
export type ProductCategory = (typeof PRODUCT_CATEGORIES)[number];

/** Frame sizes of the videos, in pixels. Marketplaces require a width of at least 1080. */
export const VIDEO_FRAME_SIZES: Record<AspectRatio, { width: number; height: number }> = {
  '3:4': { width: 1080, height: 1440 },
  '9:16': { width: 1080, height: 1920 },
  '1:1': { width: 1080, height: 1080 },
};

/** The motion to use: the preset, otherwise the one whose text equals the prompt, otherwise spin. */
export function resolveMotionPreset(settings: { preset?: MotionPreset; prompt?: string }): MotionPreset {
  if (settings.preset) return settings.preset;
  return MOTION_PRESETS.find((preset) => PRESET_PROMPTS[preset] === settings.prompt) ?? DEFAULT_MOTION_PRESET;
}

/** The category: the caller's, otherwise shoes for the shoe preset and clothes for all others. */
export function resolveCategory(preset: MotionPreset, category?: ProductCategory): ProductCategory {
  return category ?? (preset === 'shoe' ? 'обувь' : 'одежда');
}
