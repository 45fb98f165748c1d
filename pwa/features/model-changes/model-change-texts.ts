/** Words of the change-model page that the specification fixes (document 2, section 8). */
export const MODEL_CHANGE_TEXTS = {
  incomplete: 'Не все данные выбраны',
  incompleteHint: 'Пожалуйста, загрузите изображение, выберите модель и фон',
  notEnoughStars: 'Недостаточно звезд',
  notEnoughStarsHint: 'Для смены модели требуется 1 звезда. Пополните баланс в настройках.',
  startFailed: 'Ошибка генерации',
  startFailedHint: 'Ошибка генерации смены модели',
  failed: 'Генерация не удалась',
  failedHint: 'Произошла ошибка при генерации',
  pollFailed: 'Ошибка проверки статуса',
  pollFailedHint: 'Не удалось проверить статус генерации',
  resultMissing: 'Генерация завершена, но результат не найден. Попробуйте еще раз.',
  downloadFailed: 'Ошибка скачивания',
  downloadFailedHint: 'Не удалось скачать файл. Попробуйте еще раз.',
} as const;
