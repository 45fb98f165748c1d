import type { ToolAbilities } from '#shared/contract/tools.ts';
import { describeGarment, type GarmentCategory } from '#shared/rules/garments.ts';
import { GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { describeVideoUse } from '#shared/rules/marketplaces.ts';
import { countStars } from '#shared/rules/plurals.ts';
import {
  MODEL_CHANGE_PRICE,
  PHOTOSESSION_FRAMES,
  PHOTOSESSION_PRICE,
  TRY_ON_PRICE,
  videoPrice,
} from '#shared/rules/prices.ts';
import { CHANGE_NAMES } from '#shared/rules/tool-abilities.ts';
import { lowerFirst } from './format.ts';

/** The bot's words about tools. They name only what is offered here. */

export function describeBot({ change, offered }: ToolAbilities): string {
  const results: Record<GenerationKind, string> = {
    video: 'короткое видео для карточки',
    model_change: change === 'model_change' ? 'фото с другой моделью' : 'фото с новым фоном',
    try_on: 'примерку на человеке',
    photosession: 'фотосессию из пяти кадров',
  };
  return `Пришлите фото товара — вернём ${listChoices(results, offered)}.`;
}

function listChoices(words: Record<GenerationKind, string>, offered: readonly GenerationKind[]): string {
  const chosen = GENERATION_KINDS.filter((kind) => offered.includes(kind)).map((kind) => words[kind]);
  const last = chosen.pop() ?? '';
  return chosen.length > 0 ? `${chosen.join(', ')} или ${last}` : last;
}

/** «видео, фотосессию или смену фона» */
export function listActions({ change, offered }: ToolAbilities): string {
  const actions: Record<GenerationKind, string> = {
    video: 'видео',
    photosession: 'фотосессию',
    model_change: change === 'model_change' ? 'смену модели' : 'смену фона',
    try_on: 'примерку',
  };
  return listChoices(actions, offered);
}

/** «видео 5 с — 1 звезда, 10 с — 2 звезды, смена фона — 1 звезда …» */
export function listPrices({ change, offered, videoSeconds }: ToolAbilities): string {
  const prices: Record<GenerationKind, string> = {
    video: `видео ${videoSeconds.map((seconds) => `${seconds} с — ${countStars(videoPrice(seconds))}`).join(', ')}`,
    model_change: `${lowerFirst(CHANGE_NAMES[change])} — ${countStars(MODEL_CHANGE_PRICE)}`,
    photosession: `фотосессия из ${PHOTOSESSION_FRAMES} кадров — ${countStars(PHOTOSESSION_PRICE)}`,
    try_on: `примерка — ${countStars(TRY_ON_PRICE)}`,
  };
  return GENERATION_KINDS.filter((kind) => offered.includes(kind))
    .map((kind) => prices[kind])
    .join(', ');
}

/** The screens before a start. */
export const MENUS = {
  /** `lengths`: those that can be chosen. `notes`: what to know before the start. */
  videoMenu: (choice: {
    motion: string;
    seconds: number;
    lengths: readonly number[];
    ratio: string;
    stars: number;
    balance: number;
    notes: readonly string[];
  }) =>
    [
      `Видео: ${choice.motion.toLowerCase()}, ${choice.seconds} с, формат ${choice.ratio}.`,
      priceLine(choice.stars, choice.balance),
      ...choice.lengths.map((seconds) => `${seconds} с — ${describeVideoUse(seconds)}.`),
      ...choice.notes,
    ].join('\n'),
  /** `warning`: what the photo is too small for. */
  photosessionMenu: (balance: number, warning: string | null, notes: readonly string[]) =>
    [
      `Фотосессия: ${PHOTOSESSION_FRAMES} кадров из одного фото.`,
      ...(warning === null ? [] : [`${warning}.`]),
      priceLine(PHOTOSESSION_PRICE, balance),
      ...notes,
    ].join('\n'),
  tryOnHowTo:
    'Примерка: вещь с этого фото наденем на человека с другого. Пришлите следующим сообщением фото человека и нажмите под ним «Примерить».',
  /** `isGarmentFirst`: whether its photo was sent before the person's. */
  tryOnMenu: (choice: {
    category: GarmentCategory;
    isGarmentFirst: boolean;
    balance: number;
    notes: readonly string[];
  }) =>
    [
      `Примерка: вещь — ${choice.isGarmentFirst ? 'с первого фото, человек — со второго' : 'со второго фото, человек — с первого'}.`,
      `Что за вещь: ${lowerFirst(describeGarment(choice.category))}.`,
      priceLine(TRY_ON_PRICE, choice.balance),
      'Для другой пары пришлите два фото подряд: вещь, потом человека.',
      ...choice.notes,
    ].join('\n'),
  modelMenu: (page: number, pages: number) =>
    `Выберите модель: номер на снимке — номер на кнопке. Страница ${page} из ${pages}.`,
  backgroundMenu: (model: string | null) =>
    model === null
      ? 'Выберите новый фон: номер на снимке — номер на кнопке (PRO — после любой покупки звёзд). Человек и вещь на фото останутся прежними.'
      : `Модель: ${model}. Теперь фон (PRO — после любой покупки звёзд).`,
  changeMenu: (choice: { model: string | null; background: string; balance: number; notes: readonly string[] }) =>
    [
      choice.model === null
        ? `Смена фона: «${choice.background}», человек прежний.`
        : `Смена модели: ${choice.model}, фон «${choice.background}».`,
      priceLine(MODEL_CHANGE_PRICE, choice.balance),
      ...choice.notes,
    ].join('\n'),
};

function priceLine(stars: number, balance: number): string {
  const rest = balance - stars;
  return rest >= 0
    ? `Цена ${countStars(stars)}. На балансе ${countStars(balance)}, останется ${countStars(rest)}.`
    : `Цена ${countStars(stars)}. На балансе только ${countStars(balance)}.`;
}
