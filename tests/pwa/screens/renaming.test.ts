// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createElement } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import type { NamedItem } from '#pwa/features/renaming/name-preview.ts';
import { RenameDialog } from '#pwa/features/renaming/rename-dialog.tsx';
import { renameResults } from '#shared/contract/gallery.ts';
import { listVideos } from '#shared/contract/videos.ts';
import { startContractServer } from '#tests/pwa/support/contract-server.ts';
import { clean, closeScreen, openScreen, untilShown } from '#tests/pwa/support/open-screen.tsx';
import { DIALOG } from '#tests/pwa/support/open-settings.ts';
import { VIDEO } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const CREATE_VIDEO = `/dashboard/create-video?generation=${VIDEO.videoId}`;

const FRAME: NamedItem = {
  id: 'frame',
  title: 'ART-123, Фотосессия 4, кадр 2',
  isRenamed: false,
  product: { id: 'product-1', article: 'ART-123' },
  photoName: 'dress',
  number: 4,
  position: 1,
  made: 'photosession',
};
const CLIP: NamedItem = { ...FRAME, id: 'clip', product: null, number: 1, position: 0, made: 'video' };

afterEach(closeScreen);

test('several results are named by a template, which shows the names that the server will give', async () => {
  const items = [
    FRAME,
    CLIP,
    { ...CLIP, id: 'third', number: 2 },
    { ...CLIP, id: 'fourth', number: 3, isRenamed: true },
  ];
  const server = startContractServer();
  server.answer(renameResults, { names: [] });
  const dialog = createElement(RenameDialog, { items, onClose: cleanup });
  render(createElement(MemoryRouter, null, createElement(QueryClientProvider, { client: new QueryClient() }, dialog)));
  const preview = () => [...document.querySelectorAll('[aria-live] li')].map(({ textContent }) => clean(textContent));
  expect(preview()).toEqual(['ART-123 Фотосессия 4', 'dress Видео 1', 'dress Видео 2', 'и ещё 1']);
  const field = screen.getByLabelText<HTMLInputElement>('Шаблон названий');
  fireEvent.change(field, { target: { value: 'лук ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Вставить {кадр}' }));
  expect(field.value).toBe('лук {кадр}');
  expect(preview()).toEqual(['лук 2', 'лук', 'лук', 'и ещё 1']);
  fireEvent.change(field, { target: { value: '{кадр}' } });
  // Nothing is left of a video's name, so it keeps the usual one.
  expect(preview()).toEqual(['2', 'dress, Видео 1', 'dress, Видео 2', 'и ещё 1']);
  fireEvent.click(screen.getByRole('button', { name: 'Сохранить' }));
  const ids = ['frame', 'clip', 'third', 'fourth'];
  await until(() => expect(server.callsOf(renameResults).map(({ body }) => body)).toEqual([{ ids, title: '{кадр}' }]));
});

test('a result is named in place, and gets its usual name back', async () => {
  let video = VIDEO;
  const { press, fill, server } = await openScreen(CREATE_VIDEO, {
    prepare(server) {
      server.answer(listVideos, () => ({ videos: [video], nextCursor: null }));
      server.answer(renameResults, { names: [] });
    },
  });
  await press('button', 'Переименовать');
  await fill('Название', '');
  await press('button', 'Сохранить', DIALOG);
  await untilShown('Введите название', DIALOG);
  await fill('Название', 'Пальто на прогулке');
  video = { ...VIDEO, title: 'Пальто на прогулке', isRenamed: true };
  await press('button', 'Сохранить', DIALOG);
  await untilShown('Пальто на прогулке', 'main h2');
  await press('button', 'Переименовать');
  video = { ...VIDEO, title: 'dress, Видео 1' };
  await press('button', 'Вернуть обычное название: dress, Видео 1', DIALOG);
  await untilShown('dress, Видео 1', 'main h2');
  expect(server.callsOf(renameResults).map(({ body }) => body)).toEqual([
    { ids: [VIDEO.videoId], title: 'Пальто на прогулке' },
    { ids: [VIDEO.videoId], title: null },
  ]);
});
