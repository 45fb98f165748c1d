import { expect, test } from 'vitest';
import { createRowId } from '#api/database/database.ts';
import { DOWNLOAD_NAME_MAX_LENGTH, nameFile } from '#shared/rules/download-names.ts';
import {
  fillNameTemplate,
  type NamedResult,
  nameGenerationStem,
  namePhotoStem,
  nameResult,
  nameResultStem,
} from '#shared/rules/result-names.ts';
import { shortId } from '#shared/rules/short-id.ts';
import { RESULT_KINDS } from '#shared/rules/tools.ts';

const VIDEO: NamedResult = {
  title: null,
  article: 'ART-123',
  photoName: 'Платье',
  kind: 'video',
  made: 'video',
  number: 2,
  position: 0,
};
const FRAME: NamedResult = { ...VIDEO, kind: 'photosession', made: 'photosession', number: 1, position: 2 };
const CHANGE: NamedResult = { ...VIDEO, kind: 'model_change', made: 'background_change', number: 4 };

test.each([
  [VIDEO, 'ART-123, Видео 2', 'ART-123_Видео_2'],
  [{ ...VIDEO, article: null }, 'Платье, Видео 2', 'Платье_Видео_2'],
  [FRAME, 'ART-123, Фотосессия 1, кадр 3', 'ART-123_Фотосессия_1-3'],
  [CHANGE, 'ART-123, Смена фона 4', 'ART-123_Смена-фона_4'],
  [{ ...VIDEO, article: 'АРТ 5/7' }, 'АРТ 5/7, Видео 2', 'АРТ_5_7_Видео_2'],
  [{ ...VIDEO, title: 'Главное, синее!' }, 'Главное, синее!', 'Главное__синее_'],
  [{ ...VIDEO, title: 'Главное.jpg' }, 'Главное.jpg', 'Главное'],
])('people and files call %j %s and %s', (result, name, stem) => {
  expect(nameResult(result)).toBe(name);
  expect(nameResultStem(result)).toBe(stem);
});

test('the archive of a photo session is called like its frames', () => {
  expect(nameGenerationStem(FRAME)).toBe('ART-123_Фотосессия_1');
});

test.each([
  ['Платье красное (1).JPEG', 'Платье красное (1)'],
  ['IMG_0042.heic', 'IMG_0042'],
  ['  .png', 'Фото'],
  ['ж'.repeat(300), 'ж'.repeat(60)],
])('results of the photo %j are called after %s', (photo, stem) => {
  expect(namePhotoStem(photo)).toBe(stem);
});

test('what a file of ours adds to a name is not carried on, whatever tool has made it', () => {
  for (const made of RESULT_KINDS) {
    expect(namePhotoStem(`${nameResultStem({ ...VIDEO, article: null, made })}.jpg`)).toBe('Платье');
  }
});

test('the longest names leave number and extension in the name of the file', () => {
  const name = nameFile(nameResultStem({ ...FRAME, article: 'ж'.repeat(60), number: 999_999 }), 'video/mp4');
  expect(name).toMatch(/^ж{60}_Фотосессия_999999-3\.mp4$/);
  expect(name.length).toBeLessThan(DOWNLOAD_NAME_MAX_LENGTH);
});

test.each([
  ['{артикул} {инструмент} {№}', 'ART-123 Фотосессия 1'],
  ['{артикул}-{кадр}', 'ART-123-3'],
  ['  Осень  ', 'Осень'],
  ['{неизвестное} {№}', '{неизвестное} 1'],
  ['ж'.repeat(200), 'ж'.repeat(120)],
])('the template %j names a frame %s', (template, title) => {
  expect(fillNameTemplate(template, FRAME)).toBe(title);
});

test('a placeholder in an article is text', () => {
  expect(fillNameTemplate('{артикул} {№}', { ...VIDEO, article: '{№}$&' })).toBe('{№}$& 2');
});

test('ids of one moment look different to people', () => {
  const ids = Array.from({ length: 200 }, createRowId);
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBeLessThan(3);
  expect(new Set(ids.map(shortId)).size).toBe(200);
});
