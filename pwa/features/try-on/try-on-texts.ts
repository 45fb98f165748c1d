import { countStars } from '#shared/rules/plurals.ts';
import { TRY_ON_PRICE } from '#shared/rules/prices.ts';

export const TRY_ON_TEXTS = {
  start: 'Примерить',
  startFailed: 'Ошибка генерации',
  startFailedHint: 'Не удалось начать примерку',
  failed: 'Примерка не получилась',
  failedHint: 'Произошла ошибка при генерации',
  completed: 'Примерка готова',
  notEnoughStars: 'Недостаточно звезд',
  notEnoughStarsHint: `Для примерки требуется ${countStars(TRY_ON_PRICE)}`,
} as const;
