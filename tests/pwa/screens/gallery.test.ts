// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { readStored, writeStored } from '#pwa/device/storage.ts';
import { VIDEO_DRAFT } from '#pwa/features/videos/video-draft.ts';
import { formatDate, formatTime } from '#pwa/format.ts';
import { getPremiumStatus } from '#shared/contract/account.ts';
import {
  type DeletedItem,
  deleteGalleryItem,
  downloadArchive,
  type GalleryImage,
  listDeletedItems,
  listGallery,
  listResults,
  pickFromGallery,
  removeDeletedItem,
  restoreGalleryItem,
} from '#shared/contract/gallery.ts';
import { returnLostStars } from '#shared/contract/generations.ts';
import { downloadPhotosession } from '#shared/contract/photosessions.ts';
import { assignProduct, listProducts } from '#shared/contract/products.ts';
import { prepareVideo, streamVideo } from '#shared/contract/videos.ts';
import { DELETED_KEPT_MS } from '#shared/rules/retention.ts';
import { GALLERY, openGallery, openWithVideo, pressDelete } from '#tests/pwa/support/open-pages.ts';
import { closeScreen, openScreen, readText, untilAt, untilGone, untilShown } from '#tests/pwa/support/open-screen.tsx';
import { PAID, PHOTO, sampleImage, sampleResults, USER, VIDEO } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

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
  await openGallery(images);
  await untilShown('Кадр 8', CARD);
  const counts = [countCards()];
  while (countCards() < images.length) {
    await act(async () => {
      for (const callback of frames.splice(0)) callback(0);
    });
    counts.push(countCards());
  }
  expect(counts).toEqual([9, 18, 27, 30]);
  spy.mockRestore();
});

test('a deleted picture leaves the selection, and a refused ZIP says why', async () => {
  const { server, press } = await openGallery([COAT, SKIRT], (server) => {
    server.answer(deleteGalleryItem, undefined);
    server.answer(getPremiumStatus, PAID);
  });
  await press('button', 'Выбрать');
  for (const title of ['Пальто', 'Юбка']) await press('button', new RegExp(`^Выбрать: ${title}`));
  await untilShown('Выбрано: 2', CHOSEN);
  await pressDelete({ press }, 'Юбка');
  await press('button', 'Удалить', DIALOG);
  await untilShown('Выбрано: 1', CHOSEN);

  // The other one was deleted on another device.
  server.refuse(downloadArchive, 'image_not_found');
  const click = vi.mocked(HTMLAnchorElement.prototype.click).mockClear();
  await press('button', 'Скачать ZIP');
  await untilShown('Некоторых файлов больше нет. Обновите страницу и повторите', TOAST);
  expect(click).not.toHaveBeenCalled();
  expect(server.callsOf(downloadArchive).map(({ url }) => url.searchParams.get('ids'))).toEqual([COAT.id]);
});

test('a deleted picture is restored in its place', async () => {
  const { press } = await openGallery([COAT, SKIRT], (server) => {
    server.answer(deleteGalleryItem, undefined);
    server.answer(restoreGalleryItem, undefined);
  });
  await pressDelete({ press }, 'Пальто');
  await press('button', 'Удалить', DIALOG);
  await untilShown('Изображение удалено', TOAST);
  await untilGone('Пальто', CARD);
  await press('button', 'Отменить', TOAST);
  await untilShown('Пальто', CARD);
  expect(readText(CARD)).toMatch(/Пальто.*Юбка/);
});

test('two deletions in a row are undone together, and each picture returns to its place', async () => {
  const { server, press } = await openGallery([COAT, SKIRT], (server) => {
    server.answer(deleteGalleryItem, undefined);
    server.answer(restoreGalleryItem, undefined);
  });
  for (const title of ['Пальто', 'Юбка']) {
    await pressDelete({ press }, title);
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
  const { server, press } = await openGallery([COAT, SKIRT], (server) => {
    server.answer(listDeletedItems, { items: [frame, video], nextCursor: null });
    server.answer(restoreGalleryItem, undefined);
    server.answer(removeDeletedItem, undefined);
  });
  await press('link', 'Недавно удалённые');
  await untilShown('Пальто, кадр 2', CARD);
  expect(document.title).toBe('Недавно удалённые — Подиум');
  expect(readText('main')).toContain('Исчезнет через 22 дня');
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
  server.answer(listResults, sampleResults([COAT, sampleImage({ id: frame.id, title: frame.title })]));
  await press('button', 'Открыть', TOAST);
  await untilShown('Пальто, кадр 2', DIALOG);
});

test('deleted frames of a session are one card, which is restored or removed as a whole', async () => {
  const frames = [2, 0].map((position) =>
    sampleDeleted({ id: `image-${position}`, position, title: `Пальто, Фотосессия 1, кадр ${position + 1}` }),
  );
  const { server, press } = await openScreen('/dashboard/gallery/deleted', {
    prepare(prepared) {
      prepared.answer(listDeletedItems, { items: frames, nextCursor: null });
      prepared.refuse(removeDeletedItem, 'unavailable');
      prepared.answer(restoreGalleryItem, undefined);
    },
  });
  await untilShown('Пальто, Фотосессия 1', CARD);
  expect(countCards()).toBe(1);
  await press('button', 'Удалить сейчас: Пальто, Фотосессия 1');
  await untilShown(
    'Кадры «Пальто, Фотосессия 1» (2) исчезнут сразу вместе с файлами. Вернуть их будет нельзя.',
    DIALOG,
  );
  await press('button', 'Удалить навсегда', DIALOG);
  await untilShown('Не удалось удалить изображение', TOAST);
  await press('button', 'Восстановить: Пальто, Фотосессия 1');
  await untilShown('Восстановлено: 2 результата', TOAST);
  await untilShown('Удалённого нет', 'main');
  expect(server.callsOf(restoreGalleryItem).map(({ url }) => url.pathname)).toEqual([
    '/api/gallery/image-0/restore',
    '/api/gallery/image-2/restore',
  ]);
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

test('a refresh that was asked for and fails is told, and the page says that the list is old', async () => {
  const { server, press } = await openGallery([COAT, SKIRT]);
  await untilShown('Пальто', CARD);
  server.refuse(listResults, 'unavailable');
  for (const [button, place] of [
    ['Обновить', 'main'],
    ['Повторить', 'main'],
  ] as const) {
    await press('button', button, place);
    await untilShown('Ошибка', TOAST);
    await untilShown('Не удалось загрузить галерею', TOAST);
    await untilShown('Список мог устареть', 'main');
    await press('button', 'Закрыть уведомление', TOAST);
    await untilGone('Ошибка', TOAST);
  }
  expect(readText('main')).toContain('Юбка');
  server.answer(listResults, sampleResults([SKIRT]));
  await press('button', 'Обновить');
  await untilGone('Список мог устареть', 'main');
  await untilGone('Пальто', CARD);
});

test('an opened video can be downloaded, judged for marketplaces and deleted', async () => {
  const { server, press } = await openWithVideo(GALLERY, (server) => {
    server.answer(getPremiumStatus, PAID);
    server.answer(prepareVideo, { isReady: true });
    server.sendFile(streamVideo, new Blob(['x'], { type: 'video/mp4' }));
    server.answer(deleteGalleryItem, undefined);
  });
  const openVideo = async () => {
    await press('button', /^Открыть: Дефиле/);
    await untilShown('Удалить', DIALOG);
  };
  await openVideo();
  await press('button', 'Скачать', DIALOG);
  await untilShown('Файл сохранён', TOAST);
  await press('button', 'Для маркетплейсов', DIALOG);
  await untilShown('Wildberries', DIALOG);
  await press('button', 'Закрыть', DIALOG);
  await openVideo();
  await press('button', 'Удалить', DIALOG);
  await untilShown('Вы уверены, что хотите удалить это видео?', DIALOG);
  await press('button', 'Удалить', DIALOG);
  await untilShown('Видео удалено', TOAST);
  expect(server.callsOf(deleteGalleryItem).map(({ url }) => url.pathname)).toEqual([`/api/gallery/${VIDEO.id}`]);
});

test('a viewed picture can be deleted, and become the photo of a video, whose chosen settings stay', async () => {
  const form = { preset: 'dance', duration: 5, aspectRatio: '1:1' } as const;
  const { server, press } = await openGallery([COAT, SKIRT], async (server) => {
    server.answer(deleteGalleryItem, undefined);
    server.answer(pickFromGallery, PHOTO);
    await writeStored(USER.id, VIDEO_DRAFT.name, { photo: { ...PHOTO, id: 'other' }, form });
  });
  await press('button', /^Открыть: Пальто/);
  await press('button', 'Удалить', DIALOG);
  await untilShown('Вы уверены, что хотите удалить это изображение?', DIALOG);
  await press('button', 'Удалить', DIALOG);
  await untilShown('Изображение удалено', TOAST);
  await press('button', /^Открыть: Юбка/);
  await press('button', 'Сделать видео', DIALOG);
  await untilAt('/dashboard/create-video');
  await untilShown('dress.jpg', 'main');
  expect(await readStored(USER.id, VIDEO_DRAFT.name, VIDEO_DRAFT.shape)).toMatchObject({
    photo: { id: PHOTO.id },
    form,
  });
  expect(server.callsOf(pickFromGallery).map(({ url }) => url.pathname)).toEqual([`/api/gallery/${SKIRT.id}/pick`]);
});

test('a lost picture is shown as lost, and its stars come back with a press', async () => {
  const lost = sampleImage({ loss: { stars: 1, isReturned: false } });
  const { server, press } = await openGallery([lost], (server) =>
    server.answer(returnLostStars, { stars: 1, message: '1 звезда возвращена' }),
  );
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
    id: 'image-9',
    kind: 'image',
    generationId: 'session-9',
    title: 'Пальто',
    isRenamed: false,
    fileName: 'Пальто.jpg',
    product: null,
    photoName: 'Пальто',
    number: 1,
    position: 0,
    made: 'photosession',
    pictureUrl: '/media/deleted/session-9/1/poster',
    createdAt: new Date().toISOString(),
    deletedAt: new Date().toISOString(),
    removedAt: new Date(Date.now() + DELETED_KEPT_MS).toISOString(),
    isLost: false,
    ...changes,
  };
}

/** A frame of the session of this name. */
function frame(position: number, part: Partial<GalleryImage> = {}): GalleryImage {
  return sampleImage({
    id: `frame-${position}`,
    position,
    title: `ART-1, Фотосессия 1, кадр ${position + 1}`,
    photoName: 'ART-1',
    generationType: 'photo_generation',
    made: 'photosession',
    ...part,
  });
}

test('frames of a session are one card, which opens at the first one, is selected as a whole and can be unfolded', async () => {
  const { server, press } = await openGallery([2, 1, 0].map((position) => frame(position)).concat(COAT), (server) =>
    server.answer(getPremiumStatus, PAID),
  );
  await untilShown('ART-1, Фотосессия 1', CARD);
  expect(countCards()).toBe(2);
  await press('button', 'Открыть: ART-1, Фотосессия 1, Генерация фото: 3');
  await untilShown('1 из 4', DIALOG);
  await untilShown('ART-1, Фотосессия 1, кадр 1', DIALOG);
  await press('button', 'Закрыть', DIALOG);
  await press('button', 'Действия: ART-1, Фотосессия 1');
  await press('button', 'Выбрать', DIALOG);
  await untilShown('Выбрано: 3', CHOSEN);
  server.refuse(downloadArchive, 'image_not_found');
  await press('button', 'Скачать ZIP');
  await until(() => expect(server.callsOf(downloadArchive)).toHaveLength(1));
  expect(server.callsOf(downloadArchive)[0]?.url.searchParams.get('ids')).toBe('frame-0,frame-1,frame-2');
  await press('button', 'Действия: ART-1, Фотосессия 1');
  await untilShown('Удалить 3 кадра', DIALOG);
  // The list may have loaded only some of them.
  server.refuse(downloadPhotosession, 'generation_not_found');
  await press('button', 'Скачать все кадры (ZIP)', DIALOG);
  await until(() => expect(server.callsOf(downloadPhotosession)).toHaveLength(1));
  await press('button', 'Показать кадры отдельно', DIALOG);
  await untilShown('ART-1, Фотосессия 1, кадр 2', CARD);
  expect(countCards()).toBe(4);
});

test('results stand below their days, or below their products after a press, and the address and the device keep that', async () => {
  const product = { id: 'product-1', article: 'ART-1' };
  const now = new Date().toISOString();
  const { press, find, reload } = await openGallery([sampleImage({ id: 'new', createdAt: now, product }), COAT]);
  await untilShown('Сегодня', 'h2');
  const isDated = () => readText(CARD).includes(formatDate(now));
  expect(readText(CARD)).toContain(formatTime(now));
  expect(isDated()).toBe(false);
  expect(readText('h2')).toMatch(/1 ноября/);
  await press('radio', 'По товарам');
  await untilShown('Без товара', 'h2');
  expect((await find('link', 'ART-1', 'h2')).getAttribute('href')).toBe('/dashboard/products?product=product-1');
  await untilAt(`${GALLERY}?headings=product`);
  expect(isDated()).toBe(true);
  await reload(GALLERY);
  await untilShown('Без товара', 'h2');
  await press('radio', 'По дням');
  await reload(GALLERY);
  await untilShown('Сегодня', 'h2');
});

test('a search finds in all results, says how much, and is taken back', async () => {
  const { server, press, fill } = await openGallery([COAT, SKIRT]);
  await untilShown('Юбка', CARD);
  server.answer(listResults, ({ url }) => sampleResults(url.searchParams.get('search') === 'паль' ? [COAT] : []));
  await fill('Поиск по галерее', 'паль');
  await untilShown('По запросу «паль» найдено: 1', 'main');
  await untilGone('Юбка', CARD);
  await fill('Поиск по галерее', 'шуба');
  await untilShown('По запросу «шуба» ничего не нашлось', 'main');
  server.answer(listResults, sampleResults([COAT, SKIRT]));
  await press('button', 'Показать всё');
  await untilShown('Юбка', CARD);
});

test('another tab ends the search, back on «Все» the list is whole, and only the shown tab is fetched', async () => {
  const { server, press, fill } = await openGallery([COAT, SKIRT]);
  const searched = () => server.callsOf(listResults).map(({ url }) => url.searchParams.get('search'));
  server.answer(listResults, ({ url }) => sampleResults(url.searchParams.get('search') ? [COAT] : [COAT, SKIRT]));
  await fill('Поиск по галерее', 'паль ');
  await untilShown('По запросу «паль» найдено: 1', 'main');
  expect(readField('Поиск по галерее')).toBe('паль ');
  await press('tab', 'Изображения');
  await untilShown('Юбка', CARD);
  expect(readField('Поиск по галерее')).toBe('');
  const before = searched().length;
  await press('button', 'Обновить');
  await until(() => expect(server.callsOf(listGallery).length).toBeGreaterThan(1));
  expect(searched()).toHaveLength(before);
  await press('tab', 'Все');
  await untilShown('Юбка', CARD);
  expect(readField('Поиск по галерее')).toBe('');
});

test('the field shows the words of the address, also of one that is gone back to', async () => {
  const { go, fill } = await openGallery([COAT]);
  await go(`${GALLERY}?search=a`);
  await until(() => expect(readField('Поиск по галерее')).toBe('a'));
  await fill('Поиск по галерее', 'bb');
  await untilAt(`${GALLERY}?search=bb`);
  await act(async () => history.back());
  await untilAt(GALLERY);
  await until(() => expect(readField('Поиск по галерее')).toBe(''));
  await act(async () => history.forward());
  await until(() => expect(readField('Поиск по галерее')).toBe('bb'));
});

function readField(label: string): string {
  return document.querySelector<HTMLInputElement>(`input[aria-label="${label}"]`)?.value ?? expect.fail(label);
}

test('a press with Shift begins a selection and reaches to the next one; all are deleted after one question', async () => {
  const third = sampleImage({ id: 'image-3', title: 'Шарф' });
  const { server, press } = await openGallery([COAT, SKIRT, third], (server) => {
    server.answer(deleteGalleryItem, undefined);
    server.answer(restoreGalleryItem, undefined);
  });
  const pressWithShift = async (name: RegExp) => {
    const picture = await find(name);
    await act(async () => picture.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true })));
  };
  const find = (name: RegExp) =>
    until(
      () =>
        [...document.querySelectorAll(`${CARD} button`)].find((one) =>
          name.test(one.getAttribute('aria-label') ?? ''),
        ) ?? expect.fail(`no ${name}`),
    );
  await pressWithShift(/^Открыть: Пальто/);
  await untilShown('Выбрано: 1', CHOSEN);
  await pressWithShift(/^Выбрать: Шарф/);
  await untilShown('Выбрано: 3', CHOSEN);
  await press('button', /^Выбрать: Юбка/);
  await untilShown('Выбрано: 2', CHOSEN);
  await press('button', 'Удалить', CHOSEN);
  await untilShown('Удалить 2 результата?', DIALOG);
  await press('button', 'Удалить', DIALOG);
  await untilShown('Удалено: 2 результата', TOAST);
  expect(readText(CARD)).toContain('Юбка');
  expect(server.callsOf(deleteGalleryItem)).toHaveLength(2);
  await press('button', 'Отменить', TOAST);
  await untilShown('Шарф', CARD);
});

test('the chosen results get an article together', async () => {
  const { server, press, fill } = await openGallery([COAT, SKIRT], (server) => {
    server.answer(listProducts, { products: [], nextCursor: null });
    server.answer(assignProduct, { product: { id: 'product-1', article: 'ART-1' } });
  });
  await press('button', 'Выбрать', 'main');
  await press('button', 'Выбрать все', CHOSEN);
  await press('button', 'Артикул', CHOSEN);
  await fill('Артикул', 'ART-1');
  await press('button', 'Сохранить', DIALOG);
  await untilShown('Артикул ART-1 сохранён', TOAST);
  expect(server.callsOf(assignProduct)[0]?.body).toEqual({
    article: 'ART-1',
    photoIds: [],
    itemIds: [COAT.id, SKIRT.id],
  });
  expect(document.querySelector(CHOSEN)).toBeNull();
});

test('what is finished meanwhile waits for a press and pushes nothing away', async () => {
  const { server, press } = await openGallery([SKIRT]);
  await untilShown('Юбка', CARD);
  server.answer(listResults, sampleResults([COAT, SKIRT]));
  // Another tab passes on what the server has told.
  const tab = new BroadcastChannel(`podium.accountEvents.${USER.id}`);
  await until(() => {
    tab.postMessage({ event: 'generation', id: COAT.generationId });
    expect(readText('main')).toContain('Показать 1 новый результат');
  });
  tab.close();
  expect(readText(CARD)).not.toContain('Пальто');
  await press('button', 'Показать 1 новый результат');
  await untilShown('Пальто', CARD);
});
