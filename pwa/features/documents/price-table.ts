import { countStars } from '#shared/rules/plurals.ts';
import {
  MODEL_CHANGE_PRICE,
  PHOTOSESSION_FRAMES,
  PHOTOSESSION_PRICE,
  VIDEO_SECONDS,
  videoPrice,
} from '#shared/rules/prices.ts';
import type { DocumentTable } from './legal-document.ts';

/** What one star buys, from the same rules that the server charges by. */
export const PRICE_TABLE: DocumentTable = {
  caption: 'Сколько звёзд стоит генерация',
  head: ['Что создаётся', 'Цена'],
  rows: [
    ...VIDEO_SECONDS.map((seconds) => [`Видео ${seconds} секунд`, countStars(videoPrice(seconds))]),
    ['Смена модели и фона', countStars(MODEL_CHANGE_PRICE)],
    [`Фотосессия из ${PHOTOSESSION_FRAMES} кадров`, countStars(PHOTOSESSION_PRICE)],
  ],
};
