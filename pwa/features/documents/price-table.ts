import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { VIDEO_SECONDS } from '#shared/rules/prices.ts';
import { priceOf, TOOLS } from '#shared/rules/tools.ts';
import type { DocumentTable } from './legal-document.ts';

const ROWS: Record<GenerationKind, [name: string, price: string][]> = {
  video: VIDEO_SECONDS.map((seconds) => [`Видео ${seconds} секунд`, countStars(priceOf('video', seconds))]),
  model_change: [['Смена модели и фона', countStars(priceOf('model_change'))]],
  photosession: [[`Фотосессия из ${TOOLS.photosession.outputs.count} кадров`, countStars(priceOf('photosession'))]],
  try_on: [['Виртуальная примерка', countStars(priceOf('try_on'))]],
};

/** Prices of the tools in stars, from the same rules that the server charges by. */
export function writePriceTable(offered: readonly GenerationKind[]): DocumentTable {
  return {
    caption: 'Сколько звёзд стоит генерация',
    head: ['Что создаётся', 'Цена'],
    rows: Object.entries(ROWS).flatMap(([kind, rows]) => (offered.includes(kind as GenerationKind) ? rows : [])),
  };
}
