import { MARKETPLACE_MIN_PX } from './photo-requirements.ts';
import { pluralize } from './plurals.ts';

/** What marketplaces accept, according to their help pages on this day. When they change, only this table changes. */
export const MARKETPLACE_RULES_DATE = '2026-11-01';
export const MARKETPLACES = ['wildberries', 'ozon', 'yandex_market'] as const;
export type Marketplace = (typeof MARKETPLACES)[number];
export const MARKETPLACE_NAMES: Record<Marketplace, string> = {
  wildberries: 'Wildberries',
  ozon: 'Ozon',
  yandex_market: 'Яндекс Маркет',
};
export const EXPORT_FIXES = ['crop_3_4', 'pad_3_4', 'loop_10s', 'recompress'] as const;
export type ExportFix = (typeof EXPORT_FIXES)[number];

/** Null: the marketplace does not state it, or it could not be checked. It is then not judged. */
export interface MediumRules {
  /** Aspect ratio of the whole picture, width over height. */
  ratio: { width: number; height: number } | null;
  minPixels: { width: number; height: number } | null;
  /** For the longer side. */
  longSidePixels: { min: number; max: number } | null;
  seconds: { min: number; max: number } | null;
  maxMegabytes: number | null;
  allowsWatermark: boolean | null;
}

const UNKNOWN: MediumRules = {
  ratio: null,
  minPixels: null,
  longSidePixels: null,
  seconds: null,
  maxMegabytes: null,
  allowsWatermark: null,
};

/** The table. A still has no seconds. A null ratio means that the marketplace accepts others, too, or does not say. */
export const MARKETPLACE_RULES: Record<Marketplace, { photo: MediumRules; video: MediumRules }> = {
  wildberries: {
    photo: {
      ratio: { width: 3, height: 4 },
      minPixels: MARKETPLACE_MIN_PX,
      longSidePixels: { min: 0, max: 8000 },
      seconds: null,
      maxMegabytes: 32,
      allowsWatermark: false,
    },
    video: { ...UNKNOWN, maxMegabytes: 50 },
  },
  ozon: {
    photo: { ...UNKNOWN, ratio: { width: 3, height: 4 }, allowsWatermark: false },
    video: {
      ...UNKNOWN,
      longSidePixels: { min: 1080, max: 1920 },
      seconds: { min: 8, max: 300 },
      maxMegabytes: 100,
      allowsWatermark: false,
    },
  },
  yandex_market: { photo: UNKNOWN, video: UNKNOWN },
};

/** How many files one card takes (the marketplaces' APIs). */
export const MARKETPLACE_MAX_FILES: Record<Marketplace, { photo: number; video: number }> = {
  wildberries: { photo: 30, video: 1 },
  ozon: { photo: 30, video: 5 },
  yandex_market: { photo: 30, video: 6 },
};

export interface JudgedFile {
  width: number;
  height: number;
  bytes: number;
  durationSeconds: number | null;
  hasWatermark: boolean;
}

export interface MarketplaceJudgement {
  marketplace: Marketplace;
  fits: boolean;
  /** Sentences for the person; empty when it fits. */
  complaints: string[];
  /** The change that solves a complaint. Null when none is needed, or none helps. */
  fix: ExportFix | null;
  /** What the marketplace does not state, so that nobody takes that for a promise: «размер в пикселях» … */
  unknown: string[];
}

export const BYTES_PER_MEGABYTE = 1_000_000;
/** Tolerates a pixel lost to rounding or to the even sizes of a video. */
const RATIO_TOLERANCE = 0.01;
/** Cropping more than this would cut the product, so margins are added instead. */
const CROP_MAX_SHARE = 0.12;
/** Minimum length of a loop. It satisfies every marketplace that states a minimum. */
export const LOOP_MIN_SECONDS = 10;
export const TARGET_RATIO = 3 / 4;

export function judgeForMarketplaces(file: JudgedFile): MarketplaceJudgement[] {
  return MARKETPLACES.map((marketplace) => {
    const rules = MARKETPLACE_RULES[marketplace][file.durationSeconds === null ? 'photo' : 'video'];
    const complaints = listComplaints(file, rules);
    return {
      marketplace,
      fits: complaints.length === 0,
      complaints: complaints.map(({ text }) => text),
      fix: complaints.find(({ fix }) => fix !== null)?.fix ?? null,
      unknown: listUnknown(file, rules),
    };
  });
}

function listComplaints(file: JudgedFile, rules: MediumRules): { text: string; fix: ExportFix | null }[] {
  const found: { text: string; fix: ExportFix | null }[] = [];
  const { width, height, bytes, durationSeconds, hasWatermark } = file;
  const size = `${width}×${height}`;
  const long = Math.max(width, height);
  if (hasWatermark && rules.allowsWatermark === false) {
    found.push({ text: 'Водяной знак не допускается: нужен оригинал', fix: null });
  }
  if (rules.ratio && !hasRatio(file, rules.ratio.width / rules.ratio.height)) {
    const { width: across, height: down } = rules.ratio;
    found.push({ text: `Нужны стороны ${across}:${down}, а у файла ${size}`, fix: chooseRatioFix(file) });
  }
  if (rules.minPixels && (width < rules.minPixels.width || height < rules.minPixels.height)) {
    const needed = `${rules.minPixels.width}×${rules.minPixels.height}`;
    found.push({ text: `Нужно не меньше ${needed} пикселей, а у файла ${size}`, fix: null });
  }
  if (rules.longSidePixels && (long < rules.longSidePixels.min || long > rules.longSidePixels.max)) {
    const { min, max } = rules.longSidePixels;
    const range = min > 0 ? `от ${min} до ${max}` : `не больше ${max}`;
    found.push({ text: `Длинная сторона — ${range} пикселей, а у файла ${long}`, fix: null });
  }
  if (rules.seconds && durationSeconds !== null) {
    const { min, max } = rules.seconds;
    const length = `у этого — ${durationSeconds.toLocaleString('ru-RU', { maximumFractionDigits: 1 })} с`;
    if (isShorter(durationSeconds, min))
      found.push({ text: `Видео нужно от ${min} секунд, ${length}`, fix: 'loop_10s' });
    if (durationSeconds > max) found.push({ text: `Видео нужно до ${max} секунд, ${length}`, fix: null });
  }
  if (rules.maxMegabytes && bytes > rules.maxMegabytes * BYTES_PER_MEGABYTE) {
    const megabytes = Math.ceil(bytes / BYTES_PER_MEGABYTE);
    found.push({ text: `Файл нужен до ${rules.maxMegabytes} МБ, а у этого ${megabytes} МБ`, fix: 'recompress' });
  }
  return found;
}

/** What a marketplace does not state, as a person reads it. */
export function listUnknown({ durationSeconds }: Pick<JudgedFile, 'durationSeconds'>, rules: MediumRules): string[] {
  return [
    ...(rules.ratio ? [] : ['соотношение сторон']),
    ...(rules.minPixels || rules.longSidePixels ? [] : ['размер в пикселях']),
    ...(durationSeconds === null || rules.seconds ? [] : ['длительность']),
    ...(rules.maxMegabytes ? [] : ['размер файла']),
    ...(rules.allowsWatermark === null ? ['водяной знак'] : []),
  ];
}

export function isFixSuitable(file: JudgedFile, fix: ExportFix): boolean {
  switch (fix) {
    case 'crop_3_4':
    case 'pad_3_4':
      return !hasRatio(file, TARGET_RATIO);
    case 'loop_10s':
      return file.durationSeconds !== null && listRules('video').some(({ seconds }) => isTooShort(file, seconds));
    case 'recompress':
      return file.bytes > maxExportBytes(file);
  }
}

/** The largest size in bytes that all marketplaces accept, among those that state one. */
export function maxExportBytes({ durationSeconds }: Pick<JudgedFile, 'durationSeconds'>): number {
  const limits = listRules(durationSeconds === null ? 'photo' : 'video').flatMap(
    ({ maxMegabytes }) => maxMegabytes ?? [],
  );
  return Math.min(...limits) * BYTES_PER_MEGABYTE;
}

/** The central 3:4 part that loses the least, in pixels. */
export function planCrop({ width, height }: { width: number; height: number }) {
  const isWide = width / height > TARGET_RATIO;
  const crop = {
    width: isWide ? Math.round(height * TARGET_RATIO) : width,
    height: isWide ? height : Math.round(width / TARGET_RATIO),
  };
  return { ...crop, left: Math.floor((width - crop.width) / 2), top: Math.floor((height - crop.height) / 2) };
}

/**
 * Which marketplaces accept a video of this length: «для Wildberries и Ozon (от 8 секунд)». Empty for none.
 * Marketplaces that publish nothing about videos are not named.
 */
export function describeVideoUse(seconds: number): string {
  const names = MARKETPLACES.flatMap((marketplace) => {
    const rules = MARKETPLACE_RULES[marketplace].video;
    if (rules === UNKNOWN || isTooShort({ durationSeconds: seconds }, rules.seconds)) return [];
    if (rules.seconds === null) return [MARKETPLACE_NAMES[marketplace]];
    if (seconds > rules.seconds.max) return [];
    const { min } = rules.seconds;
    return [`${MARKETPLACE_NAMES[marketplace]} (от ${min} ${pluralize(min, ['секунды', 'секунд', 'секунд'])})`];
  });
  return names.length > 0 ? `для ${joinNames(names)}` : '';
}

/** Why a copy with the logo is not enough: «Wildberries и Ozon не принимают картинки с логотипом, Ozon — и видео». */
export function describeLogoRefusal(): string {
  const refusing = (medium: 'photo' | 'video') =>
    MARKETPLACES.filter((marketplace) => MARKETPLACE_RULES[marketplace][medium].allowsWatermark === false).map(
      (marketplace) => MARKETPLACE_NAMES[marketplace],
    );
  const refuse = pluralize(refusing('photo').length, ['принимает', 'принимают', 'принимают']);
  return `${joinNames(refusing('photo'))} не ${refuse} картинки с логотипом, ${joinNames(refusing('video'))} — и видео`;
}

function joinNames(names: string[]): string {
  return new Intl.ListFormat('ru').format(names);
}

/** The smallest 3:4 canvas around the whole picture, in pixels. */
export function planPadding({ width, height }: { width: number; height: number }) {
  const isWide = width / height > TARGET_RATIO;
  const canvas = {
    width: isWide ? width : Math.round(height * TARGET_RATIO),
    height: isWide ? Math.round(width / TARGET_RATIO) : height,
  };
  return { ...canvas, left: Math.floor((canvas.width - width) / 2), top: Math.floor((canvas.height - height) / 2) };
}

/** The margins that `planPadding` adds on each side, in pixels. */
export function planMargins(size: { width: number; height: number }) {
  const { left, top, width, height } = planPadding(size);
  return { left, top, right: width - left - size.width, bottom: height - top - size.height };
}

/** Cropping where that takes little of the picture and leaves enough pixels, otherwise margins. */
export function chooseRatioFix(size: { width: number; height: number }): 'crop_3_4' | 'pad_3_4' {
  const crop = planCrop(size);
  const lost = 1 - (crop.width * crop.height) / (size.width * size.height);
  return lost <= CROP_MAX_SHARE && hasMarketplaceSize(crop) ? 'crop_3_4' : 'pad_3_4';
}

export function hasMarketplaceSize({ width, height }: { width: number; height: number }): boolean {
  return width >= MARKETPLACE_MIN_PX.width && height >= MARKETPLACE_MIN_PX.height;
}

export function hasRatio({ width, height }: { width: number; height: number }, ratio: number): boolean {
  return Math.abs(width / height / ratio - 1) <= RATIO_TOLERANCE;
}

function isTooShort(
  { durationSeconds }: Pick<JudgedFile, 'durationSeconds'>,
  seconds: MediumRules['seconds'],
): boolean {
  return durationSeconds !== null && seconds !== null && isShorter(durationSeconds, seconds.min);
}

/** A missing frame is rounding, not a shorter video. */
export function isShorter(seconds: number, min: number): boolean {
  return seconds < min - 0.05;
}

function listRules(medium: 'photo' | 'video'): MediumRules[] {
  return MARKETPLACES.map((marketplace) => MARKETPLACE_RULES[marketplace][medium]);
}
