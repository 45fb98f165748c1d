// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { ERRORS } from '#shared/contract/errors.ts';
import { deleteGalleryItem, listResults } from '#shared/contract/gallery.ts';
import { type KeptPhoto, listPhotos } from '#shared/contract/photos.ts';
import {
  assignProduct,
  changeProduct,
  createProduct,
  deleteProduct,
  getProduct,
  listProducts,
  type Product,
} from '#shared/contract/products.ts';
import { uploadPhoto } from '#shared/contract/uploads.ts';
import type { ContractServer } from '#tests/pwa/support/contract-server.ts';
import { pressDelete } from '#tests/pwa/support/open-pages.ts';
import {
  closeScreen,
  openScreen,
  readText,
  type Screen,
  untilAt,
  untilDialogGone,
  untilGone,
  untilRead,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import {
  KEPT_PHOTO,
  PHOTO,
  PRODUCT,
  photoFile,
  sampleImage,
  sampleResults,
  VIDEO,
} from '#tests/pwa/support/samples.ts';

const PRODUCTS = '/dashboard/products';
const COAT_PAGE = `${PRODUCTS}?product=${PRODUCT.id}`;
const DIALOG = '[role=dialog]';
const TOAST = '.toast';
const DRESS: Product = { ...PRODUCT, id: 'product-2', article: 'ПЛ-7', name: null, photos: 0, results: 0 };
const BACK: KeptPhoto = { ...KEPT_PHOTO, id: 'photo-2', name: 'ART-123_1.jpg' };

afterEach(closeScreen);

/** Opens the list of these products. A search finds by the article alone. */
function openList(products: Product[], prepare: (server: ContractServer) => unknown = () => undefined) {
  return openScreen(PRODUCTS, {
    prepare(server) {
      server.answer(listProducts, ({ url }) => {
        const words = url.searchParams.get('search') ?? '';
        return { products: products.filter(({ article }) => article.includes(words)), nextCursor: null };
      });
      return prepare(server);
    },
  });
}

/** Opens a product with two photos, a picture and a video. */
function openCoat(prepare: (server: ContractServer) => unknown = () => undefined): Promise<Screen> {
  return openScreen(COAT_PAGE, {
    prepare(server) {
      server.answer(getProduct, PRODUCT);
      server.answer(listProducts, { products: [PRODUCT, DRESS], nextCursor: null });
      const photos = [KEPT_PHOTO, BACK];
      server.answer(listPhotos, { photos, nextCursor: null, total: 2, usedBytes: 2, limitBytes: 100 });
      server.answer(listResults, {
        items: [
          { kind: 'image', image: sampleImage({ title: 'ART-123, Смена фона 1' }) },
          { kind: 'video', video: { ...VIDEO, title: 'ART-123, Видео 1' } },
        ],
        userStatus: { canDownloadOriginals: false },
        nextCursor: null,
      });
      return prepare(server);
    },
  });
}

test('the list shows products with their numbers; a search keeps its words in the address and can be taken back', async () => {
  const { server, fill, press } = await openList([PRODUCT, DRESS]);
  await untilShown('ART-123', 'main');
  expect(readText('main')).toContain('1 фото · 2 результата');
  await fill('Поиск товаров', 'ПЛ');
  await untilShown('По запросу «ПЛ» найдено: 1', 'main');
  await untilGone('ART-123', 'main');
  await untilAt(`${PRODUCTS}?search=%D0%9F%D0%9B`);
  await fill('Поиск товаров', 'нет такого');
  await untilShown('По запросу «нет такого» ничего не нашлось', 'main');
  await press('button', 'Показать всё');
  await untilShown('ART-123', 'main');
  await untilAt(PRODUCTS);
  expect(server.callsOf(listProducts).map(({ url }) => url.searchParams.get('search'))).toContain('ПЛ');
});

test('without products the page says what they are for, and the first one is created and opened', async () => {
  const { server, press, fill } = await openList([], (server) => {
    server.refuse(createProduct, 'article_taken');
    server.answer(getProduct, PRODUCT);
    server.answer(listPhotos, { photos: [], nextCursor: null, total: 0, usedBytes: 0, limitBytes: 100 });
    server.answer(listResults, { items: [], userStatus: { canDownloadOriginals: false }, nextCursor: null });
  });
  await untilShown('Товаров пока нет', 'main');
  await press('button', 'Создать товар');
  await press('button', 'Создать', DIALOG);
  await untilShown('Введите артикул', DIALOG);
  await fill('Артикул', ' ART-123 ');
  await press('button', 'Создать', DIALOG);
  await untilShown(ERRORS.article_taken.message, DIALOG);
  server.answer(createProduct, PRODUCT);
  await press('button', 'Создать', DIALOG);
  await untilAt(COAT_PAGE);
  await untilShown('Фото этого товара пока нет', 'main');
  expect(server.callsOf(createProduct).at(-1)?.body).toEqual({ article: 'ART-123', name: null });
});

test('a photo is uploaded from the page of its product', async () => {
  const { server, choose, find } = await openCoat((server) => {
    server.answer(listPhotos, { photos: [], nextCursor: null, total: 0, usedBytes: 0, limitBytes: 100 });
    server.answer(uploadPhoto, PHOTO);
    server.answer(assignProduct, { product: { id: PRODUCT.id, article: PRODUCT.article } });
  });
  await find('button', 'Загрузить фото');
  await choose(new File(['текст'], 'описание.txt', { type: 'text/plain' }));
  await untilShown('Ошибка загрузки', TOAST);
  expect(server.callsOf(uploadPhoto)).toEqual([]);
  const photos = [KEPT_PHOTO];
  server.answer(listPhotos, { photos, nextCursor: null, total: 1, usedBytes: 2, limitBytes: 100 });
  await choose(photoFile('пальто-1200x1600.jpg'));
  await untilShown(`Фото «${PHOTO.name}» загружено`, TOAST);
  expect(server.callsOf(assignProduct)[0]?.body).toEqual({ article: 'ART-123', photoIds: [PHOTO.id], itemIds: [] });
  await find('radio', KEPT_PHOTO.name);
});

test('a search for products finds their results, too', async () => {
  const { server, fill, press } = await openList([PRODUCT]);
  const images = [sampleImage({ title: 'ART-123, Смена фона 1' })];
  server.answer(listResults, sampleResults(images));
  await fill('Поиск товаров', 'art');
  await untilShown('По запросу «art» найдено: 1', 'main');
  await press('button', /^Открыть: ART-123, Смена фона 1/);
  await untilShown('ART-123, Смена фона 1', DIALOG);
  expect(server.callsOf(listResults).at(-1)?.url.searchParams.get('search')).toBe('art');
});

test.each([
  { button: 'Сделать видео', page: '/dashboard/create-video' },
  { button: 'Сменить модель', page: '/dashboard/change-model' },
  { button: 'Фотосессия', page: '/dashboard/photoshoot' },
])('«$button» opens the tool with the chosen photo, also after a reload', async ({ button, page }) => {
  const { press, reload } = await openCoat();
  await press('radio', BACK.name);
  await press('button', button, 'main');
  await untilAt(page);
  await untilRead(page.includes('change-model') ? 'Вера' : BACK.name, 'main');
  await reload();
  await untilRead(page.includes('change-model') ? 'Вера' : BACK.name, 'main');
});

test('a product shows its results together, and one of them can be deleted', async () => {
  const { server, press } = await openCoat((server) => server.answer(deleteGalleryItem, undefined));
  await untilShown('ART-123, Видео 1', 'main');
  expect(server.callsOf(listResults)[0]?.url.searchParams.get('product')).toBe(PRODUCT.id);
  expect(server.callsOf(listPhotos)[0]?.url.searchParams.get('product')).toBe(PRODUCT.id);
  await pressDelete({ press }, 'ART-123, Видео 1');
  await press('button', 'Удалить', DIALOG);
  await untilGone('ART-123, Видео 1', 'article');
  await untilShown('ART-123, Смена фона 1', 'article');
});

test('article and name are changed in a dialog, which says why it is refused', async () => {
  const { server, press, fill } = await openCoat((server) => server.refuse(changeProduct, 'unavailable'));
  await press('button', 'Изменить');
  await fill('Артикул', 'ART-9');
  await press('button', 'Сохранить', DIALOG);
  await untilShown(ERRORS.unavailable.message, DIALOG);
  const changed = { ...PRODUCT, article: 'ART-9' };
  server.answer(changeProduct, changed);
  server.answer(getProduct, changed);
  await press('button', 'Сохранить', DIALOG);
  await untilDialogGone();
  await untilShown('ART-9', 'h1');
  expect(server.callsOf(changeProduct).at(-1)?.body).toEqual({ article: 'ART-9', name: 'Пальто' });
});

test('the question before a deletion says what stays, and an unknown product leads to the others', async () => {
  const { server, press, go } = await openCoat((server) => server.answer(deleteProduct, undefined));
  await press('button', 'Удалить', 'main');
  await untilShown('Фото и результаты товара ART-123 останутся: они будут без товара.', DIALOG);
  await press('button', 'Удалить', DIALOG);
  await untilShown('Товар ART-123 удалён', TOAST);
  await untilAt(PRODUCTS);
  expect(server.callsOf(deleteProduct).map(({ url }) => url.pathname)).toEqual([`/api/products/${PRODUCT.id}`]);
  server.refuse(getProduct, 'product_not_found');
  await go(`${PRODUCTS}?product=gone`);
  await untilShown('Такого товара нет', 'main');
  await press('link', 'Все товары', '[role=alert]');
  await untilAt(PRODUCTS);
});

test('a photo gets the article of another product by one press, a typed one, or none', async () => {
  const { server, press, fill } = await openCoat((server) => server.refuse(assignProduct, 'photo_not_found'));
  await press('button', 'Другой артикул');
  await press('button', 'ПЛ-7', DIALOG);
  await untilShown(ERRORS.photo_not_found.message, DIALOG);
  server.answer(assignProduct, { product: { id: DRESS.id, article: DRESS.article } });
  await press('button', 'ПЛ-7', DIALOG);
  await untilShown('Артикул ПЛ-7 сохранён', TOAST);
  await untilDialogGone();
  await press('button', 'Другой артикул');
  await fill('Артикул', 'НОВ-1');
  await press('button', 'Сохранить', DIALOG);
  await untilDialogGone();
  server.answer(assignProduct, { product: null });
  await press('button', 'Другой артикул');
  await press('button', 'Без товара', DIALOG);
  await untilShown('Теперь без товара', TOAST);
  const sent = server.callsOf(assignProduct).map(({ body }) => (body as { article: string | null }).article);
  expect(sent).toEqual(['ПЛ-7', 'ПЛ-7', 'НОВ-1', null]);
  expect(server.callsOf(assignProduct)[0]?.body).toEqual({ article: 'ПЛ-7', photoIds: [KEPT_PHOTO.id], itemIds: [] });
});

test('what could not be loaded says so and is loaded again', async () => {
  const { server, press } = await openList([], (server) => server.cut(listProducts));
  await untilShown('Не удалось загрузить товары', 'main');
  server.answer(listProducts, { products: [PRODUCT], nextCursor: null });
  await press('button', 'Повторить');
  await untilShown('ART-123', 'main');
});
