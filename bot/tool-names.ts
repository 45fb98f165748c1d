import type { ResultKind } from '#shared/rules/tools.ts';

/** On buttons: what is offered, and what was made. */
export const TOOL_NAMES: Record<ResultKind, string> = {
  video: '🎬 Видео',
  photosession: '📸 Фотосессия',
  model_change: '🧍 Сменить модель',
  background_change: '🖼 Сменить фон',
  photo_kept: '🖼 Прежний фон',
};
