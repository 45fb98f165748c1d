import type { ExportFix, JudgedFile, Marketplace, MarketplaceJudgement } from '#shared/rules/marketplaces.ts';

export type Verdict = 'fits' | 'fails' | 'unknown';

/** Points that a table can be silent about: a still has no seconds. */
const STILL_POINTS = 4;
const VIDEO_POINTS = 5;

/** Where a marketplace states nothing, silence does not count as a yes. */
export function readVerdict(judgement: MarketplaceJudgement, file: JudgedFile): Verdict {
  if (!judgement.fits) return 'fails';
  const points = file.durationSeconds === null ? STILL_POINTS : VIDEO_POINTS;
  return judgement.unknown.length >= points ? 'unknown' : 'fits';
}

/** Names that fit a card. */
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
