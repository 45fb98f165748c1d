import { describe, expect, it } from 'vitest';
import { findFileFault, findSizeFault, inviteToChoose, listPhotoWarnings } from '#pwa/features/photos/photo-checks.ts';

const MB = 1024 * 1024;

function file(start: string, { type = '', name = 'photo', size = 2000 } = {}): File {
  const content = Buffer.alloc(size);
  content.write(start, 'latin1');
  return new File([content], name, { type });
}

const JPEG = '\xff\xd8\xff\xe0';
const HEIC = '\0\0\0\x18ftypheic\0\0\0\0mif1heic';

describe('checks of a photo before it is sent', () => {
  it.each([
    [JPEG, 'image/jpg', 'photo.jpg'],
    [JPEG, 'application/octet-stream', 'x.jpg_960x960'],
    [JPEG, '', 'photo'],
    [JPEG, 'text/plain', 'photo.txt'],
    ['\x89PNG\r\n\x1a\n', 'image/gif', 'photo.gif'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'image/jpeg', 'photo.jpg'],
    [HEIC, 'image/jpeg', 'photo.jpg'],
    [HEIC, '', 'IMG_0001.HEIC'],
    ['\0\0\0\x1cftypavif\0\0\0\0mif1miaf', 'image/avif', 'photo.avif'],
  ])('takes %j as %s, %s, by its bytes', async (start, type, name) => {
    expect(await findFileFault(file(start, { type, name }))).toBeNull();
  });

  it('takes 10 MB to the byte', async () => {
    expect(await findFileFault(file(JPEG, { size: 10 * MB }))).toBeNull();
    expect(await findFileFault(file(JPEG, { size: 10 * MB + 1 }))).toBe('Размер файла не должен превышать 10MB');
  });

  it.each([
    ['notes', 'text/plain', 'Пожалуйста, выберите изображение'],
    ['notes', '', 'Пожалуйста, выберите изображение'],
    ['MZ and so on', 'image/jpeg', 'Пожалуйста, выберите изображение в формате JPG, PNG или WebP'],
    ['<svg xmlns="http://www.w3.org/2000/svg">', 'image/png', 'SVG, GIF и TIFF не подходят'],
    ['GIF89a', 'image/jpeg', 'SVG, GIF и TIFF не подходят'],
    ['II*\0', '', 'SVG, GIF и TIFF не подходят'],
  ])('refuses %j as %s', async (start, type, text) => {
    const fault = await findFileFault(file(start, { type }));
    expect(fault?.replace(/\. Сохраните фото в JPG, PNG или WebP.*/, '')).toBe(text);
  });

  it('calls an empty file damaged', async () => {
    expect(await findFileFault(new File([], 'photo.jpg', { type: 'image/jpeg' }))).toMatch(/^Файл повреждён/);
  });

  it('refuses a side under 300 pixels', () => {
    expect(findSizeFault({ width: 299, height: 3000 })).toBe('Минимальный размер изображения 300x300 пикселей');
    expect(findSizeFault({ width: 300, height: 300 })).toBeNull();
  });

  it('warns softly under 512 pixels and under the size of marketplaces', () => {
    const warn = (width: number, height: number) =>
      listPhotoWarnings({ width, height }).map((text) => text.replaceAll('\u00a0', ' '));
    expect(warn(511, 900)).toEqual(['Фото меньше 512 px: результат получится нечётким']);
    expect(warn(768, 1024)).toEqual(['Для карточки маркетплейса лучше фото от 900×1200 px']);
    expect(warn(900, 1200)).toEqual([]);
  });
});

it('does not suggest drag and drop on a touch screen', () => {
  expect(inviteToChoose(true)).toBe('Выберите или снимите фото');
  expect(inviteToChoose(false)).toBe('Перетащите фото или выберите файл');
});
