// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { getPremiumStatus } from '#shared/contract/account.ts';
import {
  type DeletedItem,
  deleteGalleryItem,
  downloadArchive,
  listDeletedItems,
  listGallery,
  removeDeletedItem,
  restoreGalleryItem,
} from '#shared/contract/gallery.ts';
import { returnLostStars } from '#shared/contract/generations.ts';
import { DELETED_KEPT_MS } from '#shared/rules/retention.ts';
import type { ContractServer } from '#tests/pwa/support/contract-server.ts';
import { closeScreen, openScreen, readText, untilGone, untilShown } from '#tests/pwa/support/open-screen.tsx';
import { sampleImage } from '#tests/pwa/support/samples.ts';

const TOAST = '.toast';
const CARD = 'article';
const DIALOG = '[role=dialog]';
const CHOSEN = '[aria-label=Выбранное]';
const COAT = sampleImage();
const SKIRT = sampleImage({ id: 'image-2', title: 'Юбка' });

afterEach(closeScreen);

function countCards(): number {
  return document.querySelectorAll(CARD).length;
}

test('a long list comes in parts, one a frame', async () => {
  const frames: FrameRequestCallback[] = [];
  const spy = vi.spyOn(globalThis, 'requestAnimationFrame').mockImplementation((callback) => frames.push(callback));
  const images = Array.from({ length: 30 }, (_, index) =>
    sampleImage({ id: `image-${index}`, title: `Кадр ${index}` }),
  );
  await openScreen('/dashboard/gallery', {
    prepare: (server) =>
      server.answer(listGallery, { images, userStatus: { canDownloadOriginals: true }, nextCursor: null }),
  });
  await untilShown('Кадр 11', CARD);
  const counts = [countCards()];
  while (countCards() < images.length) {
    await act(async () => {
      for (const callback of frames.splice(0)) callback(0);
    });
    counts.push(countCards());
  }
  expect(counts).toEqual([12, 24, 30]);
  spy.mockRestore();
});

test('a deleted picture leaves the selection, and a refused ZIP says why', async () => {
  const { server, press } = await openGallery((server) => {
    server.answer(deleteGalleryItem, undefined);
    server.answer(getPremiumStatus, { isPremium: true, hasSuccessfulTransactions: true, transactionCount: 1 });
  });
  await press('button', 'Выбрать');
  for (const title of ['Пальто', 'Юбка']) await press('button', new RegExp(`^Выбрать: ${title}`));
  await untilShown('Выбрано 2 из 50', CHOSEN);
  await press('button', 'Удалить: Юбка');
  await press('button', 'Удалить', DIALOG);
  await untilShown('Выбрано 1 из 50', CHOSEN);

  // The other one was deleted on another device.
  server.refuse(downloadArchive, 'image_not_found');
  const click = vi.mocked(HTMLAnchorElement.prototype.click).mockClear();
  await press('button', 'Скачать ZIP');
  await press('button', 'Скачать оригинал');
  await untilShown('Некоторых файлов больше нет. Обновите страницу и повторите', DIALOG);
  expect(click).not.toHaveBeenCalled();
  expect(server.callsOf(downloadArchive).map(({ url }) => url.searchParams.get('ids'))).toEqual([COAT.id]);
});

test('a deleted picture is restored in its place', async () => {
  const { press } = await openGallery((server) => {
    server.answer(deleteGalleryItem, undefined);
    server.answer(restoreGalleryItem, undefined);
  });
  await press('button', 'Удалить: Пальто');
  await press('button', 'Удалить', DIALOG);
  await untilShown('Изображение удалено', TOAST);
  await untilGone('Пальто', CARD);
  await press('button', 'Отменить', TOAST);
  await untilShown('Пальто', CARD);
  expect(readText(CARD)).toMatch(/Пальто.*Юбка/);
});

test('two deletions in a row are undone together, and each picture returns to its place', async () => {
  const { server, press } = await openGallery((server) => {
    server.answer(deleteGalleryItem, undefined);
    server.answer(restoreGalleryItem, undefined);
  });
  for (const title of ['Пальто', 'Юбка']) {
    await press('button', `Удалить: ${title}`);
    await press('button', 'Удалить', DIALOG);
    await untilGone(title, CARD);
  }
  await untilShown('Удалено: 2 результата', TOAST);
  server.refuse(restoreGalleryItem, 'unavailable');
  await press('button', 'Отменить', TOAST);
  await untilShown('Не удалось восстановить изображение', TOAST);
  server.answer(restoreGalleryItem, undefined);
  await press('button', 'Повторить', TOAST);
  await untilShown('Восстановлено: 2 результата', TOAST);
  await untilShown('Юбка', CARD);
  expect(readText('main')).toMatch(/Пальто.*Юбка/);
});

test('what was deleted lately can be restored or removed for good', async () => {
  const removedAt = new Date(Date.now() + 21.5 * 24 * 3600_000).toISOString();
  const frame = sampleDeleted({ title: 'Пальто, кадр 2', removedAt });
  const video = sampleDeleted({ id: 'video-1', kind: 'video', made: 'video', title: 'Показ', isLost: true });
  const { server, press } = await openGallery((server) => {
    server.answer(listDeletedItems, { items: [frame, video], nextCursor: null });
    server.answer(restoreGalleryItem, undefined);
    server.answer(removeDeletedItem, undefined);
  });
  await press('link', 'Недавно удалённые');
  await untilShown('Пальто, кадр 2', CARD);
  expect(document.title).toBe('Недавно удалённые — Подиум');
  expect(readText('main')).toContain('Исчезнет через 21 день');
  expect(readText('main')).toContain('Файл потерян');
  expect(document.querySelector(`${CARD} img`)?.getAttribute('src')).toBe(frame.pictureUrl);

  await press('button', 'Удалить сейчас: Показ');
  await untilShown('«Показ» исчезнет сразу вместе с файлом. Вернуть будет нельзя.', DIALOG);
  await press('button', 'Отмена', DIALOG);
  expect(server.callsOf(removeDeletedItem)).toEqual([]);
  await press('button', 'Удалить сейчас: Показ');
  await press('button', 'Удалить навсегда', DIALOG);
  await untilShown('Видео удалено навсегда', TOAST);
  await untilGone('Показ', 'main');
  expect(server.callsOf(removeDeletedItem).map(({ url }) => url.pathname)).toEqual(['/api/gallery/deleted/video-1']);

  await press('button', 'Восстановить: Пальто, кадр 2');
  await untilShown('Изображение восстановлено', TOAST);
  await untilShown('Удалённого нет', 'main');
  server.answer(listGallery, {
    images: [COAT, sampleImage({ id: frame.id, title: frame.title })],
    userStatus: { canDownloadOriginals: false },
    nextCursor: null,
  });
  await press('button', 'Открыть', TOAST);
  await untilShown('Пальто, кадр 2', DIALOG);
});

test('deleted results that cannot be read are asked for again', async () => {
  const { server, press } = await openScreen('/dashboard/gallery/deleted', {
    prepare: (server) => server.refuse(listDeletedItems, 'unavailable'),
  });
  await untilShown('Не удалось загрузить удалённые результаты', 'main');
  server.answer(listDeletedItems, { items: [], nextCursor: null });
  await press('button', 'Повторить', 'main');
  await untilShown('Удалённого нет', 'main');
});

test('a lost picture is shown as lost, and its stars come back with a press', async () => {
  const lost = sampleImage({ loss: { stars: 1, isReturned: false } });
  const { server, press } = await openScreen('/dashboard/gallery', {
    prepare(server) {
      server.answer(listGallery, { images: [lost], userStatus: { canDownloadOriginals: false }, nextCursor: null });
      server.answer(returnLostStars, { stars: 1, message: '1 звезда возвращена' });
    },
  });
  await untilShown('Файл потерян', CARD);
  expect(document.querySelector(`${CARD} img`)).toBeNull();
  expect(readText(CARD)).not.toContain('Скачать');
  await press('button', 'Вернуть звёзды');
  await untilShown('1 звезда возвращена', TOAST);
  await untilGone('Вернуть звёзды', CARD);
  expect(server.callsOf(returnLostStars).map(({ url }) => url.pathname)).toEqual([
    `/api/generations/${lost.generationId}/return-lost-stars`,
  ]);
});

function sampleDeleted(changes: Partial<DeletedItem>): DeletedItem {
  return {
    ...{ id: 'image-9', kind: 'image', generationId: 'session-9', title: 'Пальто', made: 'photosession' },
    pictureUrl: '/media/deleted/session-9/1/poster',
    deletedAt: new Date().toISOString(),
    removedAt: new Date(Date.now() + DELETED_KEPT_MS).toISOString(),
    isLost: false,
    ...changes,
  };
}

function openGallery(prepare: (server: ContractServer) => void) {
  return openScreen('/dashboard/gallery', {
    prepare(server) {
      const userStatus = { canDownloadOriginals: false };
      server.answer(listGallery, { images: [COAT, SKIRT], userStatus, nextCursor: null });
      prepare(server);
    },
  });
}
