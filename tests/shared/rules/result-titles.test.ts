import { expect, test } from 'vitest';
import { createRowId } from '#api/database/database.ts';
import { DOWNLOAD_NAME_MAX_LENGTH, nameDownload } from '#shared/rules/download-names.ts';
import { composeTitle } from '#shared/rules/result-titles.ts';
import { shortId } from '#shared/rules/short-id.ts';

const generationId = '0199a000-0000-7000-8000-00009f3a1c07';
/** In Moscow it is already the next day. */
const startedAt = new Date('2026-11-21T22:30:00Z');
const compose = (photoName: string, made = 'Дефиле') => composeTitle({ photoName, made, startedAt, generationId });

test.each([
  ['Платье.jpg', 'Платье_Дефиле_2026-11-22_9f3a1c07'],
  ['Платье красное (1).JPEG', 'Платье красное (1)_Дефиле_2026-11-22_9f3a1c07'],
  ['IMG_0042.heic', 'IMG_0042_Дефиле_2026-11-22_9f3a1c07'],
  ['  .png', 'Фото_Дефиле_2026-11-22_9f3a1c07'],
])('a result of the photo %j is called %s', (photoName, title) => {
  expect(compose(photoName)).toBe(title);
});

test('a result that becomes a photo does not carry its additions on', () => {
  expect(compose(compose('Платье.jpg', 'Фотосессия-3'))).toBe('Платье_Дефиле_2026-11-22_9f3a1c07');
  expect(compose('Платье_Смена-фона_2026-11-21_00ff00ff-crop-3-4 (2).jpg')).toBe('Платье_Дефиле_2026-11-22_9f3a1c07');
});

test('a long name of a photo leaves the rest of the title in the name of the file', () => {
  const name = nameDownload({ title: compose('ж'.repeat(300)), contentType: 'video/mp4' });
  expect(name).toMatch(/^ж{60}_Дефиле_2026-11-22_9f3a1c07\.mp4$/);
  expect(name.length).toBeLessThan(DOWNLOAD_NAME_MAX_LENGTH);
});

test('ids of one moment look different to people', () => {
  const ids = Array.from({ length: 200 }, createRowId);
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBeLessThan(3);
  expect(new Set(ids.map(shortId)).size).toBe(200);
});
