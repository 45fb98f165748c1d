import { describe, expect, it } from 'vitest';
import {
  findFileFault,
  findSizeFault,
  inviteToChoose,
  isHeic,
  listPhotoWarnings,
} from '#pwa/features/photos/photo-checks.ts';

const MB = 1024 * 1024;
const file = (type: string, size = MB, name = 'photo') => ({ name, type, size });

describe('checks of a photo before it is sent', () => {
  it('takes JPEG, PNG, WebP and HEIC of up to 10 MB', () => {
    for (const type of ['image/jpeg', 'image/png', 'image/webp', 'image/heic']) {
      expect(findFileFault(file(type, 10 * MB))).toBeNull();
    }
    expect(findFileFault(file('', MB, 'IMG_0001.HEIC'))).toBeNull();
  });

  it.each([
    ['text/plain', MB, 'Пожалуйста, выберите изображение'],
    ['', MB, 'Пожалуйста, выберите изображение'],
    ['image/svg+xml', MB, 'Пожалуйста, выберите изображение в формате JPG, PNG или WebP'],
    ['image/gif', MB, 'Пожалуйста, выберите изображение в формате JPG, PNG или WebP'],
    ['image/jpeg', 10 * MB + 1, 'Размер файла не должен превышать 10MB'],
    ['image/jpeg', 0, 'Не удалось загрузить изображение'],
  ])('refuses %s of %d bytes', (type, size, text) => {
    expect(findFileFault(file(type, size))).toBe(text);
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

  it('knows HEIC by type and by name', () => {
    expect([file('image/heif'), file('', 1, 'a.heic'), file('image/jpeg', 1, 'a.jpg')].map(isHeic)).toEqual([
      true,
      true,
      false,
    ]);
  });
});

it('does not suggest drag and drop on a touch screen', () => {
  expect(inviteToChoose(true)).toBe('Выберите или снимите фото');
  expect(inviteToChoose(false)).toBe('Перетащите фото или выберите файл');
});
