import type { MotionPreset } from '#shared/rules/motion-presets.ts';

/** What the motion does, in the words of its prompt. */
export const PRESET_DESCRIPTIONS: Record<MotionPreset, string> = {
  spin: 'Модель поворачивается, показывает образ и уходит',
  walk: 'Проход по подиуму',
  pose: 'Модель позирует',
  dance: 'Модель позирует и медленно танцует',
  shoe: 'Камера облетает ботинок',
};
