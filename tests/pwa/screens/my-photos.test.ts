// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { connection } from '#pwa/device/connection.ts';
import { listGallery, listResults, pickFromGallery } from '#shared/contract/gallery.ts';
import { type KeptPhoto, type KeptPhotos, listPhotos } from '#shared/contract/photos.ts';
import { getProduct, listProducts } from '#shared/contract/products.ts';
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
import {
  GENERATION_ID,
  KEPT_PHOTO,
  PHOTO,
  PRODUCT,
  sampleGallery,
  sampleImage,
  VIDEO,
} from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const CREATE_VIDEO = '/dashboard/create-video';
const COAT_PHOTO: KeptPhoto = {
  ...KEPT_PHOTO,
  id: 'coat',
  name: 'ART-123_1.jpg',
  product: { id: PRODUCT.id, article: PRODUCT.article },
};
const SKIRT_PHOTO: KeptPhoto = { ...KEPT_PHOTO, id: 'skirt', name: 'юбка.jpg' };

function list(photos: KeptPhoto[], nextCursor: string | null = null): KeptPhotos {
  return { photos, nextCursor, total: 2, usedBytes: 120 * 1024 ** 2, limitBytes: 300 * 1024 ** 2 };
}

afterEach(closeScreen);

test('one of my photos becomes the photo of the tool without another call, and starts it', async () => {
  const { press, server } = await openScreen(CREATE_VIDEO, {
    prepare(server) {
      server.answer(listPhotos, list([COAT_PHOTO, SKIRT_PHOTO]));
      server.answer(getProduct, PRODUCT);
      server.answer(startVideo, { generationId: GENERATION_ID, videoId: GENERATION_ID });
    },
  });
  await press('button', 'Выбрать из галереи');
  expect(server.callsOf(listPhotos).map(({ url }) => url.searchParams.get('order'))).toEqual(['newest']);
  await untilShown('Фото: 2. Занято 120 МБ из 300 МБ.', DIALOG);
  await press('radio', /^ART-123_1\.jpg, артикул ART-123/);
  await press('button', 'Выбрать');
  await untilShown('Артикул ART-123', 'main');
  expect(server.callsOf(pickFromGallery)).toEqual([]);
  await press('button', /^Создать видео/);
  await until(() => expect(server.callsOf(startVideo)).toHaveLength(1));
  expect(server.callsOf(startVideo)[0]?.body).toMatchObject({ imageId: 'coat' });
});

test('my photos are narrowed by words and by a product, and come page by page', async () => {
  const { press, fill, server } = await openScreen(CREATE_VIDEO, {
    prepare(server) {
      server.answer(listProducts, ({ url: { searchParams } }) =>
        searchParams.get('cursor') === 'older'
          ? { products: [PRODUCT], nextCursor: null }
          : { products: [{ ...PRODUCT, id: 'newest', article: 'A-7' }], nextCursor: 'older' },
      );
      server.answer(listPhotos, ({ url: { searchParams } }) => {
        if (searchParams.get('product') === PRODUCT.id) return list([COAT_PHOTO]);
        if (searchParams.get('search')) return list([]);
        return searchParams.get('cursor') === 'next' ? list([SKIRT_PHOTO]) : list([COAT_PHOTO], 'next');
      });
    },
  });
  await press('button', 'Выбрать из галереи');
  await untilShown('ART-123_1.jpg', DIALOG);
  await press('button', 'Показать ещё');
  await untilShown('юбка.jpg', DIALOG);
  await press('radio', /^юбка/);
  await fill('Найти фото', 'платье');
  await untilShown('Ничего не нашлось', DIALOG);
  // What is not shown any more cannot be taken.
  expect(readButton('Сначала выберите фото', DIALOG).disabled).toBe(true);
  await fill('Найти фото', '');
  await untilShown('ART-123_1.jpg', DIALOG);
  const products = await until(
    () => document.querySelector('select') ?? expect.fail('there is no choice of a product'),
  );
  const readOptions = () => [...products.options].map(({ text }) => text);
  expect(readOptions()).toEqual(['Все товары', 'A-7, Пальто', 'Показать ещё товары']);
  await act(async () => fireEvent.change(products, { target: { value: products.options[2]?.value } }));
  await until(() => expect(readOptions()).toEqual(['Все товары', 'A-7, Пальто', 'ART-123, Пальто']));
  const before = server.callsOf(listPhotos).length;
  await act(async () => fireEvent.change(products, { target: { value: PRODUCT.id } }));
  await until(() => expect(server.callsOf(listPhotos).length).toBeGreaterThan(before));
  expect(server.callsOf(listPhotos).at(-1)?.url.searchParams.get('product')).toBe(PRODUCT.id);
});

test('results are searched by their names; a video among them cannot be taken', async () => {
  const found = sampleImage({ id: 'found', title: 'ART-123, Смена модели 1' });
  const { press, fill, server } = await openScreen(CREATE_VIDEO, {
    prepare(server) {
      server.answer(listGallery, sampleGallery([sampleImage()]));
      server.answer(listResults, {
        items: [
          { kind: 'video', video: VIDEO },
          { kind: 'image', image: found },
        ],
        userStatus: { canDownloadOriginals: false },
        nextCursor: null,
      });
      server.answer(pickFromGallery, PHOTO);
    },
  });
  await press('button', 'Выбрать из галереи');
  await press('tab', 'Результаты');
  await untilShown('Пальто', DIALOG);
  await fill('Найти результат', 'art-123');
  await untilGone('Пальто', DIALOG);
  expect(readText(DIALOG)).not.toContain(VIDEO.title);
  await press('radio', /^ART-123, Смена модели 1/);
  await press('button', 'Выбрать');
  await untilShown(PHOTO.name, 'main');
  expect(server.callsOf(listResults)[0]?.url.searchParams.get('search')).toBe('art-123');
  expect(server.callsOf(pickFromGallery).map(({ url }) => url.pathname)).toEqual(['/api/gallery/found/pick']);
});

test('without a network the stored list is there and a photo of it can be taken, a result cannot', async () => {
  const { press } = await openScreen(CREATE_VIDEO, {
    prepare(server) {
      server.answer(listPhotos, list([COAT_PHOTO]));
      server.answer(listGallery, sampleGallery([sampleImage()]));
    },
  });
  await press('button', 'Выбрать из галереи');
  await untilShown('ART-123_1.jpg', DIALOG);
  await press('tab', 'Результаты');
  await untilShown('Пальто', DIALOG);
  await act(async () => connection.set(false));
  await untilShown('Нет сети. Показано то, что сохранилось на устройстве.', DIALOG);
  await press('radio', /^Пальто/);
  expect(readButton('Нет сети', DIALOG).disabled).toBe(true);
  await press('tab', 'Мои фото');
  await press('radio', /^ART-123_1/);
  await press('button', 'Выбрать');
  await untilShown('Артикул ART-123', 'main');
});

test('a list that does not come can be asked for again', async () => {
  const { press, server } = await openScreen(CREATE_VIDEO, {
    prepare: (server) => server.garble(listPhotos, '<html>Bad Gateway</html>', 502),
  });
  await press('button', 'Выбрать из галереи');
  await untilShown('Не удалось загрузить список фото', DIALOG);
  server.answer(listPhotos, list([]));
  await press('button', 'Повторить');
  await untilShown('Загруженных фото нет', DIALOG);
});
