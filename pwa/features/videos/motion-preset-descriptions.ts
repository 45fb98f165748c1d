import type { MotionPreset } from '#shared/rules/motion-presets.ts';
import type { Mover } from '#shared/rules/tool-abilities.ts';

/** What the motion does: people in the words of its prompt, and the camera where nobody in the photo can move. */
export const PRESET_DESCRIPTIONS: Record<Mover, Record<MotionPreset, string>> = {
  person: {
    spin: 'Модель поворачивается, показывает образ и уходит',
    walk: 'Проход по подиуму',
    pose: 'Модель позирует',
    dance: 'Модель позирует и медленно танцует',
    shoe: 'Камера облетает ботинок',
  },
  camera: {
    spin: 'Камера заходит с одной и с другой стороны, свет идёт за ней',
    walk: 'Вещь шаг за шагом выходит навстречу камере',
    pose: 'Камера замирает с двух сторон и подходит ближе',
    dance: 'Кадр медленно покачивается в такт',
    shoe: 'Камера облетает ботинок и смотрит чуть сверху',
  },
};
