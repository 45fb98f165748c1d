import { expect, test } from 'vitest';
import { DOWNLOAD_NAME_MAX_LENGTH, makeNamesUnique, nameDownload, spellInLatin } from '#shared/rules/download-names.ts';

const jpeg = { contentType: 'image/jpeg' };

test.each([
  ['Платье летнее, №5', 'Платье_летнее___5.jpg'],
  ['Red dress (v2).final', 'Red_dress__v2_.final.jpg'],
  ['dress-1_a.b', 'dress-1_a.b.jpg'],
  ['../../etc/passwd', '___.._etc_passwd.jpg'],
  ['.hidden', '_hidden.jpg'],
  ['a"b\\c:d*e?<f>|g', 'a_b_c_d_e__f__g.jpg'],
  ['строка\r\nSet-Cookie: a=b', 'строка__Set-Cookie__a_b.jpg'],
  ['photo.JPEG', 'photo.jpg'],
  ['ёлка', 'ёлка.jpg'],
  ['Зайка «Ёлка»'.normalize('NFD'), 'Зайка__Ёлка_.jpg'],
])('an image titled %j is called %s', (title, name) => {
  expect(nameDownload({ ...jpeg, title })).toBe(name);
});

test.each([
  ['image/jpeg', '.jpg'],
  ['image/png', '.png'],
  ['image/webp', '.webp'],
  ['video/mp4', '.mp4'],
])('%s gets its true ending', (contentType, ending) => {
  expect(nameDownload({ title: 'Платье', contentType })).toBe(`Платье${ending}`);
});

test('a long name keeps its ending within the limit and no letter is cut in half', () => {
  const name = nameDownload({ ...jpeg, title: '𝒜'.repeat(300) });
  expect([...name]).toHaveLength(DOWNLOAD_NAME_MAX_LENGTH);
  expect(name).toMatch(/^𝒜+\.jpg$/u);
});

test('repeated names are numbered, in upper or lower case', () => {
  expect(makeNamesUnique(['Поза.jpg', 'поза.jpg', 'Поза.jpg', 'Поза_2.jpg', 'видео.mp4'])).toEqual([
    'Поза.jpg',
    'поза_2.jpg',
    'Поза_3.jpg',
    'Поза_2_2.jpg',
    'видео.mp4',
  ]);
});

test.each([
  ['Платье_Дефиле_2026-11-22_9f3a1c07.mp4', 'Plate_Defile_2026-11-22_9f3a1c07.mp4'],
  ['Чёрный Щит_йод'.normalize('NFD'), 'Chernyy Shchit_yod'],
  ['Crème_№5', 'Creme_No5'],
  ['连衣裙_2026.jpg', '____2026.jpg'],
])('%s can be read in Latin letters', (name, expected) => {
  expect(spellInLatin(name)).toBe(expected);
});
