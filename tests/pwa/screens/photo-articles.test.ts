// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { connection } from '#pwa/device/connection.ts';
import { getGeneration } from '#shared/contract/generations.ts';
import { getPhoto } from '#shared/contract/photos.ts';
import { assignProduct, changeProduct, getProduct } from '#shared/contract/products.ts';
import { uploadPhoto } from '#shared/contract/uploads.ts';
import { startVideo } from '#shared/contract/videos.ts';
import {
  closeScreen,
  openScreen,
  readButton,
  readText,
  untilGone,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import { DIALOG } from '#tests/pwa/support/open-settings.ts';
import { GENERATION_ID, PHOTO, photoFile, PRODUCT as SAMPLE, sampleGeneration } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const GUESSED = { ...PHOTO, name: 'ART-123_1.jpg', guessedArticle: 'ART-123' };
const PRODUCT = { id: 'product-1', article: 'ART-123' };
const ARTICLES: Record<string, string> = { 'product-1': 'ART-123', 'product-2': 'A-7' };
const idOf = (url: URL) => url.pathname.split('/').at(-1) ?? '';
const TOAST = '.toast';
const PAGES = ['/dashboard/create-video', '/dashboard/photoshoot', '/dashboard/change-model'];

afterEach(closeScreen);

/** Opens a tool and uploads the photo whose file name suggests an article. */
async function openWithGuess(address = '/dashboard/create-video') {
  const screen = await openScreen(address, {
    prepare(server) {
      server.answer(uploadPhoto, GUESSED);
      server.answer(assignProduct, { product: PRODUCT });
      server.answer(getProduct, ({ url }) => ({ ...SAMPLE, id: idOf(url), article: ARTICLES[idOf(url)] ?? '' }));
    },
  });
  await screen.choose(photoFile('ART-123_1-1200x1600.jpg'));
  await untilShown('Артикул ART-123?', 'main');
  return screen;
}

test.each(PAGES)('a guess is accepted on %s with one press, and stays after a reload', async (address) => {
  const { press, reload, server } = await openWithGuess(address);
  await press('button', 'Верно, артикул ART-123');
  await untilShown('Артикул ART-123', 'main');
  // The pressed button is gone.
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Изменить артикул');
  expect(server.callsOf(assignProduct).map(({ body }) => body)).toEqual([
    { article: 'ART-123', photoIds: [PHOTO.id], itemIds: [] },
  ]);
  await reload();
  await untilShown('Артикул ART-123', 'main');
  expect(readText('main')).not.toContain('Верно');
});

test.each(PAGES)('%s shows the product that the photo has by now, and none once it is deleted', async (address) => {
  const { press, fill, go, reload, server, find } = await openWithGuess(address);
  await press('button', 'Верно, артикул ART-123');
  await untilShown('Артикул ART-123', 'main');
  const moved = { ...PHOTO, product: { id: 'product-2', article: 'A-7' } };
  server.answer(getPhoto, moved);
  await reload();
  await untilShown('Артикул A-7', 'main');
  // The form has taken it over.
  server.cut(getPhoto);
  await reload();
  await untilShown('Артикул A-7', 'main');
  const renamed = { ...SAMPLE, id: 'product-2', article: 'ART-9' };
  await go('/dashboard/products?product=product-2');
  await press('button', 'Изменить', 'main');
  server.answer(changeProduct, renamed);
  server.answer(getProduct, renamed);
  server.answer(getPhoto, { ...moved, product: { id: 'product-2', article: 'ART-9' } });
  await fill('Артикул', 'ART-9');
  await press('button', 'Сохранить', DIALOG);
  await untilShown('ART-9', 'h1');
  await go(address);
  await untilShown('Артикул ART-9', 'main');
  await press('button', 'Изменить артикул');
  await find('field', 'Артикул', DIALOG);
  expect(document.querySelector<HTMLInputElement>(`${DIALOG} input`)?.value).toBe('ART-9');
  server.answer(getPhoto, { ...moved, product: null });
  await reload(address);
  await untilShown('Указать артикул', 'main');
});

test('a guess is changed to another article', async () => {
  const { press, fill, server } = await openWithGuess();
  server.answer(assignProduct, { product: { id: 'product-2', article: 'A-7' } });
  await press('button', 'Изменить артикул');
  await fill('Артикул', 'A-7');
  await press('button', 'Сохранить');
  await untilShown('Артикул A-7', 'main');
  expect(server.callsOf(assignProduct)[0]?.body).toMatchObject({ article: 'A-7' });
});

test('a wrong guess is refused, and an article can be given later', async () => {
  const { press, server } = await openWithGuess();
  server.answer(assignProduct, { product: null });
  await press('button', 'Изменить артикул');
  await press('button', 'Без товара', DIALOG);
  await untilShown('Указать артикул', 'main');
  expect(server.callsOf(assignProduct)[0]?.body).toMatchObject({ article: null });
  await press('button', 'Указать артикул');
  await untilShown('Сохранить', DIALOG);
});

test('an article that cannot be saved leaves the guess as it is', async () => {
  const { press, server } = await openWithGuess();
  server.refuse(assignProduct, 'too_many_requests');
  await press('button', 'Верно, артикул ART-123');
  await untilShown('Не удалось сохранить артикул', TOAST);
  await untilShown('Артикул ART-123?', 'main');
});

test('without a network the article is shown and cannot be changed', async () => {
  await openWithGuess();
  await act(async () => connection.set(false));
  for (const name of ['Верно', 'Изменить']) expect(readButton(name, 'main').disabled).toBe(true);
});

test('a start needs no answer to the guess; what the server has made of it is shown after that', async () => {
  const { press, server } = await openWithGuess();
  server.answer(startVideo, { generationId: GENERATION_ID, videoId: GENERATION_ID });
  const accepted = { ...GUESSED, product: PRODUCT, guessedArticle: null };
  server.answer(getGeneration, sampleGeneration('video', { photos: [accepted] }));
  await press('button', /^Создать видео/);
  await until(() => expect(server.callsOf(startVideo)).toHaveLength(1));
  await untilShown('Артикул ART-123', 'main');
  await untilGone('Артикул ART-123?', 'main');
  expect(server.callsOf(assignProduct)).toEqual([]);
});
