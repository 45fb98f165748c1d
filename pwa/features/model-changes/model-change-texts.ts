import type { Change } from '#shared/rules/tool-abilities.ts';

/** Texts of the change-model page that the specification fixes. */
export const MODEL_CHANGE_TEXTS = {
  incomplete: 'Не все данные выбраны',
  notEnoughStars: 'Недостаточно звезд',
  startFailed: 'Ошибка генерации',
  failed: 'Генерация не удалась',
  failedHint: 'Произошла ошибка при генерации',
  resultMissing: 'Генерация завершена, но результат не найден. Попробуйте еще раз.',
  downloadFailed: 'Ошибка скачивания',
  downloadFailedHint: 'Не удалось скачать файл. Попробуйте еще раз.',
} as const;

interface ChangeTexts {
  incompleteHint: string;
  notEnoughStarsHint: string;
  startFailedHint: string;
  start: string;
  /** The text of the sample notification. */
  ready: string;
}

/** Texts that name what is changed, for each kind of change. */
export const CHANGE_TEXTS: Record<Change, ChangeTexts> = {
  model_change: {
    incompleteHint: 'Пожалуйста, загрузите изображение, выберите модель и фон',
    notEnoughStarsHint: 'Для смены модели требуется 1 звезда. Пополните баланс в настройках.',
    startFailedHint: 'Ошибка генерации смены модели',
    start: 'Сменить модель',
    ready: 'Фото с новой моделью готово',
  },
  background_change: {
    incompleteHint: 'Пожалуйста, загрузите изображение и выберите фон',
    notEnoughStarsHint: 'Для смены фона требуется 1 звезда. Пополните баланс в настройках.',
    startFailedHint: 'Ошибка генерации смены фона',
    start: 'Сменить фон',
    ready: 'Фото с новым фоном готово',
  },
};
