import { expect, test } from 'vitest';
import { withoutDownload } from '#pwa/features/generations/wanted-download.ts';

test('the way back of whoever has not paid leads to the result and offers no download', () => {
  const wanted = encodeURIComponent('{"kind":"video","videoId":"v1"}');
  const place = {
    path: `/dashboard/create-video?generation=g1&download=${wanted}`,
    label: 'Скачать видео',
    purpose: 'Скачать видео',
  };
  expect(withoutDownload(place)).toEqual({
    path: '/dashboard/create-video?generation=g1',
    label: 'Вернуться к результату',
    purpose: 'Скачать видео',
  });
});

test('another place stays as it is', () => {
  const place = { path: '/dashboard/photoshoot', label: 'Продолжить: Фотосессия', purpose: 'Фотосессия' };
  expect(withoutDownload(place)).toBe(place);
});
