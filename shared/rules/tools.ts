import { PATHS, type Path } from './app-paths.ts';
import { GENERATION_KINDS, type GenerationKind } from './generation-lifecycle.ts';
import {
  MODEL_CHANGE_PRICE,
  PHOTOSESSION_FRAMES,
  PHOTOSESSION_PRICE,
  photosessionRefund,
  VIDEO_PRICES,
  type VideoSeconds,
} from './prices.ts';
import { shortId } from './short-id.ts';
import { CHANGE_NAMES } from './tool-abilities.ts';

/** The part that an input photo plays. `subject`: it shows what the result is about. */
export const INPUT_ROLES = ['subject'] as const;
export type InputRole = (typeof INPUT_ROLES)[number];

/** What the files of a result are. */
export type OutputType = 'video' | 'picture';

/** The filters of the gallery's pictures, by their names on the wire. */
export const GALLERY_TYPES = ['photo_generation', 'model_change'] as const;
export type GalleryType = (typeof GALLERY_TYPES)[number];

/** How long a generation usually takes, said where no earlier one tells; `seconds`: what the text promises at the most. */
export interface UsualWait {
  text: string;
  seconds: number;
}

/** What is said of one kind of result. */
export interface ResultWords {
  /** What it is called: «Фото с новым фоном». */
  name: string;
  /** On its picture in the gallery. */
  tag: string;
  /** Its part of a result's title, without «_», which parts the parts. Null: the name of the chosen motion. */
  titlePart: string | null;
  /** Said on the home page while it is made. */
  running: string;
  /** Titles of the notices of its end. */
  notice: { completed: string; failed: string };
  /** In the history of stars: «Списано …», and why they were spent or came back. */
  stars: { spentOn: string; completed: string; failed: string };
}

/** What is known of a kind of generation. */
export interface Tool {
  name: string;
  /** Where it is started, followed and shown. */
  page: Path;
  /** In stars; of a video by its length. */
  price: number | Readonly<Record<VideoSeconds, number>>;
  /** Stars of the price that come back when only so many outputs could be made. Null: there is one output, or none. */
  refund: ((outputs: number) => number) | null;
  /** The part that each photo plays, in their order. A part is played by one photo. */
  inputs: readonly InputRole[];
  /** `count`: at the most. Of several, each is kept and shown as it comes. */
  outputs: { type: OutputType; count: number };
  /** Which tab of the gallery lists its results, and under which filter. */
  gallery: { tab: 'videos' } | { tab: 'images'; type: GalleryType };
  /** The name of a downloaded file, without its ending, for results of the time when they had no titles. */
  nameUntitled: (result: { id: string; generationId: string; createdAt: Date }) => string;
  usualWait: UsualWait;
  /** The same for an engine that only moves the pixels of the photo; absent where that takes as long. */
  usualLocalWait?: UsualWait;
  /** What its results may really be: at least what it is called itself. */
  results: Readonly<Record<string, ResultWords>>;
}

/** Every kind of generation. What depends on the kind and is not said here is a record or a switch over all kinds. */
export const TOOLS = {
  video: {
    name: 'Видео',
    page: PATHS.createVideo,
    price: VIDEO_PRICES,
    refund: null,
    inputs: ['subject'],
    outputs: { type: 'video', count: 1 },
    gallery: { tab: 'videos' },
    nameUntitled: ({ generationId }) => `podium-${shortId(generationId)}`,
    usualWait: { text: 'Обычно 5–10 минут', seconds: 10 * 60 },
    usualLocalWait: { text: 'Обычно меньше минуты', seconds: 60 },
    results: {
      video: {
        name: 'Видео',
        tag: 'Видео',
        titlePart: null,
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
    nameUntitled: ({ createdAt }) => `change-model-result-${createdAt.getTime()}`,
    usualWait: { text: 'Обычно до пяти минут', seconds: 5 * 60 },
    results: {
      model_change: {
        name: 'Фото с новой моделью',
        tag: CHANGE_NAMES.model_change,
        titlePart: 'Смена-модели',
        running: 'Модель меняется',
        notice: { completed: 'Фото с новой моделью готово', failed: 'Смена модели не получилась' },
        stars: {
          spentOn: 'за смену модели',
          completed: 'Смена модели готова',
          failed: 'Смена модели не получилась или была отменена',
        },
      },
      /** The person of the photo stayed, and what is behind changed. */
      background_change: {
        name: 'Фото с новым фоном',
        tag: CHANGE_NAMES.background_change,
        titlePart: 'Смена-фона',
        running: 'Фон меняется',
        notice: { completed: 'Фото с новым фоном готово', failed: 'Смена фона не получилась' },
        stars: {
          spentOn: 'за смену фона',
          completed: 'Смена фона готова',
          failed: 'Смена фона не получилась или была отменена',
        },
      },
      /** The background stayed too. That changed nothing, and is not sold any more. */
      photo_kept: {
        name: 'Фото с прежним фоном',
        tag: 'Фон прежний',
        titlePart: 'Смена-фона',
        running: 'Фон меняется',
        notice: { completed: 'Фото с прежним фоном готово', failed: 'Фото с прежним фоном не получилось' },
        stars: {
          spentOn: 'за фото с прежним фоном',
          completed: 'Фото с прежним фоном готово',
          failed: 'Фото с прежним фоном не получилось или было отменено',
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
    nameUntitled: ({ id }) => `image_${id}`,
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
} as const satisfies { [Kind in GenerationKind]: Tool & { results: Record<Kind, ResultWords> } };

/** The parts that the photos of a kind play. */
export type InputRoleOf<Kind extends GenerationKind> = (typeof TOOLS)[Kind]['inputs'][number];

/** What a generation really made. Every kind of generation is one, and a change of model may be another. */
export type ResultKind = { [Kind in GenerationKind]: keyof (typeof TOOLS)[Kind]['results'] }[GenerationKind];

/** The words of each kind of result, out of the table. */
export const RESULT_WORDS = Object.assign({}, ...GENERATION_KINDS.map((kind) => TOOLS[kind].results)) as Readonly<
  Record<ResultKind, ResultWords>
>;
export const RESULT_KINDS = Object.keys(RESULT_WORDS) as ResultKind[];

/** The kinds whose results are such files. */
export function listKindsMaking(type: OutputType): GenerationKind[] {
  return GENERATION_KINDS.filter((kind) => TOOLS[kind].outputs.type === type);
}

/** The kinds whose results the gallery shows among its images; of one filter, or of all. */
export function listImageKinds(type?: GalleryType): GenerationKind[] {
  return GENERATION_KINDS.filter((kind) => {
    const { gallery } = TOOLS[kind];
    return gallery.tab === 'images' && (type === undefined || gallery.type === type);
  });
}

/** Stars that a generation costs. `seconds`: of a video. */
export function priceOf(kind: GenerationKind, seconds?: VideoSeconds): number {
  const { price } = TOOLS[kind];
  if (typeof price === 'number') return price;
  if (seconds === undefined) throw new Error(`what a ${kind} costs depends on its length`);
  return price[seconds];
}

/** Stars of the price that come back when a generation has made so many outputs. */
export function refundOf(kind: GenerationKind, outputs: number): number {
  return TOOLS[kind].refund?.(outputs) ?? 0;
}
