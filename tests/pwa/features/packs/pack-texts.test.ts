import { expect, test } from 'vitest';
import { describeCollisions, describeUnchecked, listChanges, listExtras } from '#pwa/features/packs/pack-texts.ts';
import { MARKETPLACES, type Marketplace } from '#shared/rules/marketplaces.ts';
import { listUnchecked, type PackedFile, planFile } from '#shared/rules/packs.ts';

const PICTURE = { width: 1200, height: 1600, contentType: 'image/jpeg', bytes: 300_000, durationSeconds: null };
const VIDEO = { width: 810, height: 1080, contentType: 'video/mp4', bytes: 2_000_000, durationSeconds: 8 };

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

/** What is told of these files together, when a marketplace gets them. */
function tell(marketplace: Marketplace, files: PackedFile[]): { changes: string[]; extras: string[] } {
  const previewed = files.map((file) => {
    const { changes, problems } = planFile(file, marketplace);
    return { path: 'a', thumbnailUrl: '', changes, extra: problems.join('; ') || null };
  });
  return { changes: listChanges(previewed).map(plain), extras: listExtras(previewed).map(plain) };
}

test('the same changes are told together, whatever the sizes were before', () => {
  const wide = { ...PICTURE, width: 1600, height: 1600 };
  const small = { ...PICTURE, width: 900, height: 1200 };
  const smaller = { ...PICTURE, width: 960, height: 1280 };
  const png = { ...PICTURE, contentType: 'image/png', bytes: 40_000_000 };
  expect(tell('wildberries', [wide, wide, wide, small, smaller, png]).changes).toEqual([
    '3 картинки: дополнены полями до 3:4',
    '2 картинки: увеличены до 1200×1600',
    '1 картинка: переведена в JPEG',
    '1 картинка: сжата до 32 МБ',
  ]);
  const [short, shorter] = [5, 4.5].map((durationSeconds) => ({ ...VIDEO, durationSeconds }));
  expect(
    tell(
      'ozon',
      [VIDEO, short, shorter].flatMap((file) => file ?? []),
    ).changes,
  ).toEqual(['2 видео: удлинены до 8 с или больше, без видимого стыка']);
  const twentyOne = Array.from({ length: 21 }, () => ({ ...PICTURE, height: 1650 }));
  expect(tell('ozon', twentyOne).changes).toEqual(['21 картинка: кадрирована до 3:4']);
});

test('the same reasons to lie apart are told together', () => {
  const tiny = [300, 450].map((width) => ({ ...PICTURE, width, height: (width * 4) / 3 }));
  expect(tell('wildberries', tiny).extras).toEqual([
    '2 файла в «лишнее»: нужно не меньше 900×1200 пикселей: от большего увеличения она станет нерезкой',
  ]);
  const long = [301, 400.5].map((durationSeconds) => ({ ...VIDEO, durationSeconds }));
  expect(tell('ozon', long).extras).toEqual([
    '2 файла в «лишнее»: видео нужно до 300 с: лишнее нельзя отрезать наугад',
  ]);
});

test('what is not checked is told for each medium', () => {
  expect(MARKETPLACES.map((marketplace) => describeUnchecked(listUnchecked([PICTURE], marketplace)))).toEqual([
    null,
    expect.stringMatching(/фото \(размер в\u00a0пикселях, размер файла\)$/),
    expect.stringMatching(/фото \(.*водяной знак\)$/),
  ]);
  expect(describeUnchecked(['фото: размер файла', 'видео: длительность'])).toMatch(
    /фото \(размер файла\); видео \(длительность\)$/,
  );
});

test('collisions name the first path and count the others', () => {
  expect(describeCollisions([])).toBeUndefined();
  expect(describeCollisions(['a.jpg'])).toContain('a.jpg. Добавьте');
  expect(describeCollisions(['a.jpg', 'b.jpg', 'c.jpg'])).toContain('a.jpg и\u00a0ещё 2');
});
