import { ApiError } from '#pwa/lib/api-error.ts';
import { pluralize } from '#shared/rules/plurals.ts';

export const DOWNLOAD_TEXTS = {
  checking: 'Проверка доступа...',
  ready: 'Готово к скачиванию!',
  download: 'Скачать оригинал',
  premiumOnly: 'Скачивание оригиналов доступно только платным пользователям',
  failed: 'Ошибка при скачивании файла',
} as const;

/** Why the access could not be learnt, with the HTTP status in brackets. */
export function describeAccessError(error: unknown): string {
  const status = error instanceof ApiError ? error.status : 0;
  return status === 0 ? textFor(status) : `${textFor(status)} (${status})`;
}

function textFor(status: number): string {
  if (status === 401) return 'Требуется авторизация';
  if (status === 403) return 'У вас нет прав на это видео';
  if (status === 404) return 'Видео не найдено';
  if (status >= 500) return 'Ошибка сервера';
  return 'Ошибка загрузки информации о доступе';
}

/** «Платный пользователь (3 покупки)» or «Бесплатный пользователь». */
export function describePremiumStatus(premium: {
  hasSuccessfulTransactions: boolean;
  transactionCount: number;
}): string {
  if (!premium.hasSuccessfulTransactions) return 'Бесплатный пользователь';
  const count = premium.transactionCount;
  return `Платный пользователь (${count} ${pluralize(count, ['покупка', 'покупки', 'покупок'])})`;
}
