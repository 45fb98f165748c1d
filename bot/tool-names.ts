import type { Made } from '#shared/rules/what-is-made.ts';

/** On buttons: what is offered, and what was made. */
export const TOOL_NAMES: Record<Made, string> = {
  video: '🎬 Видео',
  photosession: '📸 Фотосессия',
  model_change: '🧍 Сменить модель',
  background_change: '🖼 Сменить фон',
  photo_kept: '🖼 Прежний фон',
};
