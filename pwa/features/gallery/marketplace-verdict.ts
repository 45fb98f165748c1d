import type { ExportFix, JudgedFile, Marketplace, MarketplaceJudgement } from '#shared/rules/marketplaces.ts';

export type Verdict = 'fits' | 'fails' | 'unknown';

/** Requirements for a still picture: aspect ratio, pixels, file size, watermark. */
const STILL_POINTS = 4;
/** Those for a still picture, and the duration. */
const VIDEO_POINTS = 5;

/** The verdict for a file: `unknown` when the marketplace publishes none of the requirements. */
export function readVerdict(judgement: MarketplaceJudgement, file: JudgedFile): Verdict {
  if (!judgement.fits) return 'fails';
  const points = file.durationSeconds === null ? STILL_POINTS : VIDEO_POINTS;
  return judgement.unknown.length >= points ? 'unknown' : 'fits';
}

/** Names short enough for a card. */
export const SHORT_NAMES: Record<Marketplace, string> = { wildberries: 'WB', ozon: 'Ozon', yandex_market: 'ЯМ' };

export const VERDICT_TEXTS: Record<Verdict, string> = {
  fits: 'подходит',
  fails: 'не подходит',
  unknown: 'требования не опубликованы',
};

export const FIX_LABELS: Record<ExportFix, string> = {
  crop_3_4: 'Обрезать до 3:4',
  pad_3_4: 'Добавить поля до 3:4',
  loop_10s: 'Зациклить до 10 секунд',
  recompress: 'Сжать файл',
};
