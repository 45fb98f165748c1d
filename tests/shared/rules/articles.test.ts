import { expect, test } from 'vitest';
import { articleKey, guessArticle } from '#shared/rules/articles.ts';

test.each([
  ['ART-123.jpg', 'ART-123'],
  ['ART-123_1.jpg', 'ART-123'],
  ['ART-123-2.JPEG', 'ART-123'],
  ['ART-123 (2).png', 'ART-123'],
  ['ART-123 копия.webp', 'ART-123'],
  ['ART-123 — копия 2.heic', null],
  ['ART-123 - копия 2.heic', 'ART-123'],
  ['ART-123_copy.avif', 'ART-123'],
  ['ПЛ-77.jpg', 'ПЛ-77'],
  ['12345.jpg', '12345'],
  ['ABC_12.jpg', 'ABC_12'],
  ['174.22.В.jpg', '174.22.В'],
  ['Платье ПЛ-77.jpg', null],
  ['платье.jpg', null],
  ['12.jpg', null],
  ['1 (2).jpg', null],
  [`${'a1'.repeat(21)}.jpg`, null],
])('the file %j suggests the article %j', (name, article) => {
  expect(guessArticle(name)).toBe(article);
});

test.each([
  'IMG_0042.jpg',
  'IMG-20240101-WA0001.jpg',
  'img1.jpg',
  'DSC01234.jpg',
  '_DSC1234.jpg',
  '_MG_0042.jpg',
  'DJI_0001.jpg',
  'GOPR0001.jpg',
  'P1010001.jpg',
  'DSCF0001.jpg',
  'PXL_20240101_120000123.jpg',
  'MVI_0001.jpg',
  'WhatsApp Image 2024-05-01.jpg',
  'Screenshot_20240501.png',
  'image1.png',
  'photo_2024-05-01_12-00-00.jpg',
  'фото_5.jpg',
  '20240501.jpg',
  '2024-05-01_12-30.jpg',
  '12-30-45.jpg',
  '3f2b8c1a-9d4e-4f5a-8b6c-7d8e9f0a1b2c.jpg',
])('%j is a name of a camera, a messenger or a system, and no article', (name) => {
  expect(guessArticle(name)).toBeNull();
});

test('the folder suggests the article where the file does not', () => {
  expect(guessArticle('IMG_0042.jpg', 'ART-123')).toBe('ART-123');
  expect(guessArticle('ПЛ-77.jpg', 'ART-123')).toBe('ПЛ-77');
  expect(guessArticle('IMG_0042.jpg', 'Фото 2024')).toBeNull();
});

test('a downloaded result that is uploaded again suggests the article of its product', () => {
  expect(guessArticle('ART-123_Фотосессия_1-3.jpg')).toBe('ART-123');
  expect(guessArticle('ART-123_Смена-фона_12-crop-3-4 (2).jpg')).toBe('ART-123');
});

test('letters that a Mac writes as two characters are one', () => {
  expect(guessArticle('йод-77.jpg'.normalize('NFD'))).toBe('йод-77');
});

test('articles that differ in case alone are the same', () => {
  expect(articleKey(' Пл-77 ')).toBe(articleKey('ПЛ-77'));
});
