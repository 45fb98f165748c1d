/** Texts that the specification fixes. */
export const PAYMENT_TEXTS = {
  title: 'Пополнить звезды',
  subtitle: 'Выберите пакет звезд и создавайте удивительные видео',
  loading: 'Загружаем пакеты...',
  loadFailed: 'Ошибка загрузки',
  loadFailedHint: 'Пожалуйста, попробуйте позже',
  packagesFailed: 'Не удалось загрузить пакеты звезд',
  pay: 'Перейти к оплате',
  paying: 'Создаем платеж...',
  error: 'Ошибка',
  nothingChosen: 'Пожалуйста, выберите пакет звезд',
  notCreated: 'Не удалось создать платеж',
  succeeded: 'Оплата прошла успешно!',
  succeededHint: 'Звезды зачислены на ваш баланс',
  failed: 'Ошибка оплаты',
  failedHint: 'Не удалось выполнить платеж. Попробуйте еще раз.',
  backToApp: 'Вернуться в приложение',
} as const;

/** Messages for an empty or unreadable body. */
export const PACKAGES_ANSWER_MESSAGES = {
  empty: 'Пустой ответ от сервера',
  invalid: 'Некорректный ответ от сервера',
} as const;
export const INVOICE_ANSWER_MESSAGES = {
  empty: 'Пустой ответ от сервера при создании платежа',
  invalid: 'Некорректный ответ от сервера при создании платежа',
} as const;
