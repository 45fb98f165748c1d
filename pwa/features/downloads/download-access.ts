import { ApiError } from '#pwa/client/api-error.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { pluralize } from '#shared/rules/plurals.ts';

/** Texts of the download dialogs that the specification fixes. */
export const DOWNLOAD_TEXTS = {
  checking: 'Проверка доступа...',
  ready: 'Готово к скачиванию!',
  download: 'Скачать оригинал',
  premiumOnly: ERRORS.premium_required.message,
  imagesPremiumOnly: 'Скачивание оригинальных изображений доступно только платным пользователям',
  failed: 'Ошибка при скачивании файла',
} as const;

/** The dialog closes this long after a download. */
export const DOWNLOAD_CLOSE_DELAY_MS = 1000;

export type DownloadedMedium = 'image' | 'video';

const MEDIUM_TEXTS: Record<DownloadedMedium, { forbidden: string; notFound: string }> = {
  image: { forbidden: 'У вас нет прав на это изображение', notFound: 'Изображение не найдено' },
  video: { forbidden: 'У вас нет прав на это видео', notFound: 'Видео не найдено' },
};

/** Why the check of the access failed, with the HTTP status in brackets. */
export function describeAccessError(error: unknown, medium: DownloadedMedium): string {
  return describeRefusal(error instanceof ApiError ? error.status : 0, medium);
}

/** Why the server refuses a file, with the HTTP status in brackets; 0 stands for no answer. */
export function describeRefusal(status: number, medium: DownloadedMedium): string {
  return status === 0 ? textFor(status, medium) : `${textFor(status, medium)} (${status})`;
}

function textFor(status: number, medium: DownloadedMedium): string {
  if (status === 401) return 'Требуется авторизация';
  if (status === 403) return MEDIUM_TEXTS[medium].forbidden;
  if (status === 404) return MEDIUM_TEXTS[medium].notFound;
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
