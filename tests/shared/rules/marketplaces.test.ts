import { describe, expect, test } from 'vitest';
import {
  describeLogoRefusal,
  describeVideoUse,
  isFixSuitable,
  type JudgedFile,
  judgeForMarketplaces,
  MARKETPLACE_RULES,
  MARKETPLACE_RULES_DATE,
  maxExportBytes,
  planCrop,
  planPadding,
} from '#shared/rules/marketplaces.ts';
import { VIDEO_SECONDS } from '#shared/rules/prices.ts';

const photo: JudgedFile = { width: 1200, height: 1600, bytes: 900_000, durationSeconds: null, hasWatermark: false };
const video: JudgedFile = { width: 1080, height: 1440, bytes: 2_000_000, durationSeconds: 10, hasWatermark: false };

function judge(file: JudgedFile) {
  const [wildberries, ozon, yandexMarket] = judgeForMarketplaces(file);
  if (!wildberries || !ozon || !yandexMarket) throw new Error('a marketplace is missing');
  return { wildberries, ozon, yandexMarket };
}

test('the table says when it was true', () => {
  expect(MARKETPLACE_RULES_DATE).toMatch(/^\d{4}-\d{2}-\d{2}$/);
});

test('what our tools make for a paid owner fits everywhere', () => {
  for (const file of [photo, video]) {
    for (const judgement of judgeForMarketplaces(file)) {
      expect(judgement).toMatchObject({ fits: true, complaints: [], fix: null });
    }
  }
});

describe('a photo', () => {
  test('that is not 3:4 is cropped when little is lost, and gets margins otherwise', () => {
    const tall = judge({ ...photo, height: 1700 });
    expect(tall.wildberries).toMatchObject({
      fits: false,
      complaints: ['Нужны стороны 3:4, а у файла 1200×1700'],
      fix: 'crop_3_4',
    });
    expect(tall.ozon.fix).toBe('crop_3_4');
    expect(judge({ ...photo, width: 1600 }).wildberries.fix).toBe('pad_3_4');
    // A crop would be too small.
    expect(judge({ ...photo, width: 960, height: 1180 }).wildberries.fix).toBe('pad_3_4');
  });

  test('that is too small or too large is refused with the reason', () => {
    expect(judge({ ...photo, width: 600, height: 800 }).wildberries).toMatchObject({
      fits: false,
      complaints: ['Нужно не меньше 900×1200 пикселей, а у файла 600×800'],
      fix: null,
    });
    expect(judge({ ...photo, width: 6300, height: 8400 }).wildberries.complaints).toEqual([
      'Длинная сторона — не больше 8000 пикселей, а у файла 8400',
    ]);
    expect(judge({ ...photo, bytes: 33_000_001 }).wildberries).toMatchObject({
      complaints: ['Файл нужен до 32 МБ, а у этого 34 МБ'],
      fix: 'recompress',
    });
  });

  test('with the logo does not fit where logos are known to be refused', () => {
    const marked = judge({ ...photo, hasWatermark: true });
    expect(marked.ozon).toMatchObject({
      fits: false,
      complaints: ['Водяной знак не допускается: нужен оригинал'],
      fix: null,
    });
    expect(marked.wildberries.fits).toBe(false);
  });

  test('is not judged by points that nobody could verify, and says which', () => {
    const odd = { width: 5000, height: 400, bytes: 90_000_000, durationSeconds: null, hasWatermark: true };
    expect(judge(odd).yandexMarket).toEqual({
      marketplace: 'yandex_market',
      fits: true,
      complaints: [],
      fix: null,
      unknown: ['соотношение сторон', 'размер в пикселях', 'размер файла', 'водяной знак'],
    });
    expect(judge(photo).wildberries.unknown).toEqual([]);
  });
});

describe('a video', () => {
  test('of five seconds is too short for Ozon alone, and a loop mends that', () => {
    const short = judge({ ...video, durationSeconds: 5 });
    expect(short.ozon).toMatchObject({
      fits: false,
      complaints: ['Видео нужно от 8 секунд, у этого — 5 с'],
      fix: 'loop_10s',
    });
    expect(short.wildberries.fits).toBe(true);
    expect(judge({ ...video, durationSeconds: 7.98 }).ozon.fits).toBe(true);
  });

  test('is judged by its longer side and its size', () => {
    expect(judge({ ...video, width: 720, height: 960 }).ozon.complaints).toEqual([
      'Длинная сторона — от 1080 до 1920 пикселей, а у файла 960',
    ]);
    const large = judge({ ...video, bytes: 60_000_000 });
    expect(large.wildberries).toMatchObject({ fits: false, fix: 'recompress' });
    expect(large.ozon.fits).toBe(true);
  });
});

describe('the words about the rules', () => {
  test('name the marketplaces for a video of each length, and the length that they need', () => {
    expect(VIDEO_SECONDS.map(describeVideoUse)).toEqual(['для Wildberries', 'для Wildberries и Ozon (от 8 секунд)']);
    expect(describeVideoUse(400)).toBe('для Wildberries');
  });

  test('name the marketplaces that refuse a file with the logo', () => {
    expect(describeLogoRefusal()).toBe('Wildberries и Ozon не принимают картинки с логотипом, Ozon — и видео');
  });
});

describe('a fix', () => {
  test.each([
    ['crop_3_4', photo, false],
    ['pad_3_4', { ...photo, width: 1600 }, true],
    ['crop_3_4', { ...video, height: 1920 }, true],
    ['loop_10s', video, false],
    ['loop_10s', { ...video, durationSeconds: 5 }, true],
    ['loop_10s', photo, false],
    ['recompress', photo, false],
    ['recompress', { ...photo, bytes: 32_000_001 }, true],
    ['recompress', { ...video, bytes: 50_000_001 }, true],
  ] as const)('%s of %o is suitable: %s', (fix, file, isSuitable) => {
    expect(isFixSuitable(file, fix)).toBe(isSuitable);
  });

  test('makes files that the strictest marketplace takes', () => {
    expect(maxExportBytes(photo)).toBe((MARKETPLACE_RULES.wildberries.photo.maxMegabytes ?? 0) * 1_000_000);
    expect(maxExportBytes(video)).toBe(50_000_000);
  });

  test('cuts the middle out or adds even margins, and either is 3:4', () => {
    expect(planCrop({ width: 1600, height: 1600 })).toEqual({ width: 1200, height: 1600, left: 200, top: 0 });
    expect(planCrop({ width: 1080, height: 1920 })).toEqual({ width: 1080, height: 1440, left: 0, top: 240 });
    expect(planPadding({ width: 1600, height: 1600 })).toEqual({ width: 1600, height: 2133, left: 0, top: 266 });
    expect(planPadding({ width: 1080, height: 1920 })).toEqual({ width: 1440, height: 1920, left: 180, top: 0 });
    for (const plan of [planCrop, planPadding]) {
      const size = plan({ width: 1333, height: 977 });
      expect(isFixSuitable({ ...photo, ...size }, 'crop_3_4')).toBe(false);
    }
  });
});
