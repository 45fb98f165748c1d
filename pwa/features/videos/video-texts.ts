import type { MotionPreset } from '#shared/rules/motion-presets.ts';
import type { Mover } from '#shared/rules/tool-abilities.ts';

/** Texts of the video page that the specification fixes, and toasts built from them. */
export const VIDEO_TEXTS = {
  photoMissing: 'Отсутствует изображение',
  photoMissingHint: 'Пожалуйста, загрузите изображение',
  startFailed: 'Ошибка генерации видео',
  serverUnreachable: 'Ошибка связи с сервером',
  serverUnreachableHint: 'Не удалось получить статус видео после 5 попыток',
  pollFailed: 'Ошибка опроса статуса',
  tooLong: 'Генерация занимает слишком много времени',
  completed: 'Видео готово!',
  retrieveFailed: 'Ошибка получения видео',
  retrieveFailedHint: 'Произошла ошибка при получении видео',
  notReady: 'Видео не готово',
  notReadyHint: 'Видео ещё обрабатывается, попробуйте позже',
} as const;

export const GENERIC_ERROR_TITLE = 'Ошибка';

/** Describes each motion: of people in the words of its prompt, or of the camera when nothing in the photo can move. */
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
