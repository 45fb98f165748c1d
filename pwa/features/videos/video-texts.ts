/** Words of the video page that the specification fixes, and the toasts built from them. */
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
