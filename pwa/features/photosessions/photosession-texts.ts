import { countStars, pluralize } from '#shared/rules/plurals.ts';
import { PHOTOSESSION_PRICE } from '#shared/rules/prices.ts';

const PRICE = countStars(PHOTOSESSION_PRICE);

/** Texts of the photoshoot page that the specification fixes. */
export const PHOTOSESSION_TEXTS = {
  create: `Создать фотосессию (${PRICE})`,
  notEnoughStars: 'Недостаточно звезд для генерации',
  notEnoughStarsHint: `Для генерации фотосессии ${pluralize(PHOTOSESSION_PRICE, ['требуется', 'требуются', 'требуется'])} ${PRICE}`,
  processing: 'Обработка...',
  completed: 'Фотосессия готова!',
  failed: 'Ошибка генерации',
  failedHint: 'Генерация фотосессии завершилась с ошибкой',
  startFailedHint: 'Произошла ошибка при генерации фотосессии',
  resumed: 'Продолжение генерации',
  resumedHint: 'Фотосессия ещё создаётся',
} as const;
