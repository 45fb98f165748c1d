import { PATHS, type Path } from './app-paths.ts';
import { GENERATION_KINDS, type GenerationKind } from './generation-lifecycle.ts';
import {
  MODEL_CHANGE_PRICE,
  PHOTOSESSION_FRAMES,
  PHOTOSESSION_PRICE,
  photosessionRefund,
  TRY_ON_PRICE,
  VIDEO_PRICES,
  type VideoSeconds,
} from './prices.ts';
import { CHANGE_NAMES } from './tool-abilities.ts';

/** The role of an input photo. `subject`: shows what the result is about. `person`: shows who puts it on. */
export type InputRole = 'subject' | 'person';

export type OutputType = 'video' | 'picture';

/** The filters of the gallery's pictures, as named in the API. */
export const GALLERY_TYPES = ['photo_generation', 'model_change', 'try_on'] as const;
export type GalleryType = (typeof GALLERY_TYPES)[number];

/**
 * Usual duration of a generation, shown when there are no earlier runs. `seconds`: the longest time that the text
 * promises.
 */
export interface UsualWait {
  text: string;
  seconds: number;
}

export interface ResultWords {
  /** What it is called: «Фото с новым фоном». */
  name: string;
  /** Label on its picture in the gallery. */
  tag: string;
  /** Its part of a result's name: «Видео» in «ART-123, Видео 2». */
  titlePart: string;
  /** Shown on the home page while it is made. */
  running: string;
  notice: { completed: string; failed: string };
  /** For the history of stars: «Списано …», and why they were spent or returned. */
  stars: { spentOn: string; completed: string; failed: string };
}

export interface Tool {
  name: string;
  page: Path;
  /** In stars. For a video by its length. */
  price: number | Readonly<Record<VideoSeconds, number>>;
  /** Stars of the price that are returned for so many outputs. Null: there is one output or none. */
  refund: ((outputs: number) => number) | null;
  /** The roles of its photos, in order. Each role has one photo. The product's comes first and names the results. */
  inputs: readonly ['subject', ...InputRole[]];
  /** `count`: the maximum. With several, each is stored and shown when it is ready. */
  outputs: { type: OutputType; count: number };
  gallery: { tab: 'videos' } | { tab: 'images'; type: GalleryType };
  usualWait: UsualWait;
  /** Usual wait with an engine that only moves the pixels of the photo. Absent if that takes as long. */
  usualLocalWait?: UsualWait;
  /** What its results may really be, including its own kind. */
  results: Readonly<Record<string, ResultWords>>;
}

/** Every kind of generation. Other properties that depend on the kind are records or switches over all kinds. */
export const TOOLS = {
  video: {
    name: 'Видео',
    page: PATHS.createVideo,
    price: VIDEO_PRICES,
    refund: null,
    inputs: ['subject'],
    outputs: { type: 'video', count: 1 },
    gallery: { tab: 'videos' },
    usualWait: { text: 'Обычно 5–10 минут', seconds: 10 * 60 },
    usualLocalWait: { text: 'Обычно меньше минуты', seconds: 60 },
    results: {
      video: {
        name: 'Видео',
        tag: 'Видео',
        titlePart: 'Видео',
        running: 'Видео создаётся',
        notice: { completed: 'Видео готово', failed: 'Видео не получилось' },
        stars: {
          spentOn: 'за видео',
          completed: 'Видео готово',
          failed: 'Видео не получилось или было отменено',
        },
      },
    },
  },
  model_change: {
    name: CHANGE_NAMES.model_change,
    page: PATHS.changeModel,
    price: MODEL_CHANGE_PRICE,
    refund: null,
    inputs: ['subject'],
    outputs: { type: 'picture', count: 1 },
    gallery: { tab: 'images', type: 'model_change' },
    usualWait: { text: 'Обычно до пяти минут', seconds: 5 * 60 },
    usualLocalWait: { text: 'Обычно меньше минуты', seconds: 20 },
    results: {
      model_change: {
        name: 'Фото с новой моделью',
        tag: CHANGE_NAMES.model_change,
        titlePart: 'Смена модели',
        running: 'Модель меняется',
        notice: { completed: 'Фото с новой моделью готово', failed: 'Смена модели не получилась' },
        stars: {
          spentOn: 'за смену модели',
          completed: 'Смена модели готова',
          failed: 'Смена модели не получилась или была отменена',
        },
      },
      /** The person of the photo stayed, and the background changed. */
      background_change: {
        name: 'Фото с новым фоном',
        tag: CHANGE_NAMES.background_change,
        titlePart: 'Смена фона',
        running: 'Фон меняется',
        notice: { completed: 'Фото с новым фоном готово', failed: 'Смена фона не получилась' },
        stars: {
          spentOn: 'за смену фона',
          completed: 'Смена фона готова',
          failed: 'Смена фона не получилась или была отменена',
        },
      },
    },
  },
  photosession: {
    name: 'Фотосессия',
    page: PATHS.photoshoot,
    price: PHOTOSESSION_PRICE,
    refund: photosessionRefund,
    inputs: ['subject'],
    outputs: { type: 'picture', count: PHOTOSESSION_FRAMES },
    gallery: { tab: 'images', type: 'photo_generation' },
    usualWait: { text: 'Обычно несколько минут', seconds: 5 * 60 },
    results: {
      photosession: {
        name: 'Фотосессия',
        tag: 'Генерация фото',
        titlePart: 'Фотосессия',
        running: 'Фотосессия создаётся',
        notice: { completed: 'Фотосессия готова', failed: 'Фотосессия не получилась' },
        stars: {
          spentOn: 'за фотосессию',
          completed: 'Фотосессия готова',
          failed: 'Фотосессия не получилась, вышла неполной или была отменена',
        },
      },
    },
  },
  try_on: {
    name: 'Примерка',
    page: PATHS.tryOn,
    price: TRY_ON_PRICE,
    refund: null,
    inputs: ['subject', 'person'],
    outputs: { type: 'picture', count: 1 },
    gallery: { tab: 'images', type: 'try_on' },
    usualWait: { text: 'Обычно до двух минут', seconds: 2 * 60 },
    results: {
      try_on: {
        name: 'Фото с примеркой',
        tag: 'Примерка',
        titlePart: 'Примерка',
        running: 'Вещь примеряется',
        notice: { completed: 'Примерка готова', failed: 'Примерка не получилась' },
        stars: {
          spentOn: 'за примерку',
          completed: 'Примерка готова',
          failed: 'Примерка не получилась или была отменена',
        },
      },
    },
  },
} as const satisfies { [Kind in GenerationKind]: Tool & { results: Record<Kind, ResultWords> } };

export type InputRoleOf<Kind extends GenerationKind> = (typeof TOOLS)[Kind]['inputs'][number];

/** What a generation really made: its own kind, or another one for a change of model. */
export type ResultKind = { [Kind in GenerationKind]: keyof (typeof TOOLS)[Kind]['results'] }[GenerationKind];

export const RESULT_WORDS = Object.assign({}, ...GENERATION_KINDS.map((kind) => TOOLS[kind].results)) as Readonly<
  Record<ResultKind, ResultWords>
>;
export const RESULT_KINDS = Object.keys(RESULT_WORDS) as ResultKind[];

/** The tool that makes such results. */
export function kindMaking(made: ResultKind): GenerationKind {
  const kind = GENERATION_KINDS.find((one) => made in TOOLS[one].results);
  if (!kind) throw new Error(`no tool makes a ${made}`);
  return kind;
}

export function listKindsMaking(type: OutputType): GenerationKind[] {
  return GENERATION_KINDS.filter((kind) => TOOLS[kind].outputs.type === type);
}

/** The kinds among the gallery's images, for one filter or all. */
export function listImageKinds(type?: GalleryType): GenerationKind[] {
  return GENERATION_KINDS.filter((kind) => {
    const { gallery } = TOOLS[kind];
    return gallery.tab === 'images' && (type === undefined || gallery.type === type);
  });
}

/** Stars that a generation costs. `seconds`: length of a video. */
export function priceOf(kind: GenerationKind, seconds?: VideoSeconds): number {
  const { price } = TOOLS[kind];
  if (typeof price === 'number') return price;
  if (seconds === undefined) throw new Error(`what a ${kind} costs depends on its length`);
  return price[seconds];
}

/** What one result costs, as a share of the price paid for all. Rounded up, because a star cannot be divided. */
export function shareOf(kind: GenerationKind, stars: number): number {
  return Math.ceil(stars / TOOLS[kind].outputs.count);
}

/** Stars of the price that are returned when a generation has made so many outputs. */
export function refundOf(kind: GenerationKind, outputs: number): number {
  return TOOLS[kind].refund?.(outputs) ?? 0;
}
