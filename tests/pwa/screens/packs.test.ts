// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connection } from '#pwa/device/connection.ts';
import { readStored } from '#pwa/device/storage.ts';
import { PACK_DRAFT } from '#pwa/features/packs/use-pack-form.ts';
import { getPremiumStatus } from '#shared/contract/account.ts';
import { getBatch } from '#shared/contract/batches.ts';
import {
  createPack,
  deletePack,
  downloadPack,
  listPacks,
  type Pack,
  type PackPreview,
  previewPack,
} from '#shared/contract/packs.ts';
import { getProduct } from '#shared/contract/products.ts';
import type { Marketplace } from '#shared/rules/marketplaces.ts';
import type { Call, ContractServer } from '#tests/pwa/support/contract-server.ts';
import { openGallery } from '#tests/pwa/support/open-pages.ts';
import {
  closeScreen,
  openScreen,
  readButton,
  readText,
  type Screen,
  untilGone,
  untilRead,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import {
  BATCH_ID,
  FREE,
  PAID,
  PRODUCT,
  sampleBatch,
  sampleImage,
  samplePack,
  samplePackFile,
  sampleRow,
  USER,
} from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const BATCH_PAGE = `/dashboard/batches?batch=${BATCH_ID}`;
const PACKS_PAGE = `${BATCH_PAGE}&packs=1`;
const DIALOG = '[role=dialog]';
const TOAST = '.toast';
const TEMPLATE = 'Шаблон названий';

interface Order {
  id: string;
  marketplace: Marketplace;
  subject: object;
  template: string;
}

/** What the server keeps. */
let packs: Pack[];

beforeEach(() => {
  packs = [];
});
afterEach(closeScreen);

const orderOf = ({ body }: Call) => body as Order;
const preview = (part: Partial<PackPreview> = {}): PackPreview => ({
  files: [samplePackFile('ART-1_1.jpg')],
  collisions: [],
  unchecked: [],
  ...part,
});

/** Answers as a server does that has made what is in `packs`, for an account that has paid. */
function answerPacks(server: ContractServer): void {
  const rows = [sampleRow(1, { state: 'done', isTaken: true })];
  server.answer(getBatch, { batch: sampleBatch(rows), rows });
  server.answer(getProduct, PRODUCT);
  server.answer(getPremiumStatus, PAID);
  // What is deleted is gone.
  const isThere = ({ id }: Pack) => server.callsOf(deletePack).every(({ url }) => !url.pathname.endsWith(id));
  server.answer(listPacks, () => ({ packs: packs.filter(isThere) }));
  server.answer(previewPack, preview());
  server.answer(createPack, (call) => make(orderOf(call)));
  server.answer(deletePack, undefined);
}

function make({ id, marketplace, template }: Order): Pack {
  const made = samplePack({ id, marketplace, template, status: 'making', done: 0, bytes: null, expiresAt: null });
  packs = [made, ...packs];
  return made;
}

function open(address: string, prepare: (server: ContractServer) => unknown = () => undefined) {
  return openScreen(address, {
    prepare(server) {
      answerPacks(server);
      return prepare(server);
    },
  });
}

/** What the server says of a pack has changed, and it tells so. */
function change({ sendEvent }: Screen, id: string, part: Partial<Pack>): Promise<void> {
  packs = packs.map((pack) => (pack.id === id ? { ...pack, ...part } : pack));
  return sendEvent('pack', { id });
}

test('the names and the changes of all marketplaces are shown while the template is typed', async () => {
  const { server, fill, press } = await open(PACKS_PAGE, (server) =>
    server.answer(previewPack, (call) => {
      const { marketplace, template } = orderOf(call);
      const padded = { changes: ['дополнена полями до 3:4'] };
      const files = [1, 2, 3, 4, 5].map((number) =>
        samplePackFile(`${template.replace('{№}', String(number))}.jpg`, number < 4 ? padded : {}),
      );
      if (marketplace === 'wildberries') return preview({ files });
      const apart = samplePackFile('лишнее/6.jpg', { extra: 'карточка принимает не больше 30 фото' });
      return preview({ files: [...files, apart], unchecked: ['фото: размер файла'] });
    }),
  );
  await untilRead('Wildberries — 5 файлов3 картинки: дополнены полями до 3:4', DIALOG);
  await untilRead('Ozon — 6 файлов', DIALOG);
  await untilShown('1 файл в «лишнее»: карточка принимает не больше 30 фото', DIALOG);
  await untilShown('Не проверено, маркетплейс не сообщает правил: фото (размер файла)', DIALOG);

  await fill(TEMPLATE, 'лук ');
  await press('button', 'Вставить {№}');
  await untilShown('лук 1.jpg', DIALOG);
  await untilShown('и ещё 2', DIALOG);
  // Asked for once a pause, and not with every letter.
  const asked = server.callsOf(previewPack).map((call) => orderOf(call).template);
  expect(asked.length).toBeLessThan(3 * 'лук {№}'.length);
  expect(asked.at(-1)).toBe('лук {№}');
});

test('one pack is ordered for each chosen marketplace, and the dialog goes over to them', async () => {
  const { server, press } = await open(BATCH_PAGE);
  await press('button', 'Пакеты');
  await press('checkbox', 'Ozon', DIALOG);
  await press('button', 'Собрать 2 пакета');
  await untilShown('Собирается: 2 из 2. Окно можно закрыть, пакеты соберутся без него.', DIALOG);
  const orders = server.callsOf(createPack).map(orderOf);
  expect(orders.map(({ marketplace }) => marketplace)).toEqual(['wildberries', 'yandex_market']);
  for (const { subject, template } of orders) {
    expect([subject, template]).toEqual([{ batchId: BATCH_ID }, '{артикул}_{№}']);
  }
});

test('a repeat after a lost answer has the same ids, so nothing is made twice', async () => {
  const { server, press, find } = await open(PACKS_PAGE, (server) => server.cut(createPack));
  await press('button', 'Собрать 3 пакета');
  await untilShown('Пакеты не собраны', DIALOG);
  const [lost] = server.callsOf(createPack).map(orderOf);
  connection.set(true);
  let isFull = true;
  server.answer(createPack, (call) => {
    if (orderOf(call).marketplace === 'ozon' && isFull) throw new TypeError('Failed to fetch');
    return make(orderOf(call));
  });
  await press('button', 'Собрать 3 пакета');
  // What is ordered stays, and only the rest is ordered again.
  await untilShown('Не собрано: Ozon, Яндекс Маркет', DIALOG);
  isFull = false;
  await act(async () => connection.set(true));
  await find('button', 'Повторить', DIALOG);
  await press('button', 'Повторить', DIALOG);
  await untilShown('Собирается: 3 из 3. Окно можно закрыть, пакеты соберутся без него.', DIALOG);
  const [, again, ozon, ozonAgain, last, ...more] = server.callsOf(createPack).map(orderOf);
  expect(again?.id).toBe(lost?.id);
  expect(ozonAgain?.id).toBe(ozon?.id);
  expect([last?.marketplace, more]).toEqual(['yandex_market', []]);
});

test('names that collide are an error of the template, and nothing is sent', async () => {
  const { server, press, fill } = await open(PACKS_PAGE, (server) =>
    server.answer(previewPack, (call) =>
      preview({ collisions: orderOf(call).template === 'фото' ? ['фото.jpg', 'фото.mp4'] : [] }),
    ),
  );
  await fill(TEMPLATE, 'фото');
  await untilShown('Несколько файлов получили бы одно название: фото.jpg и ещё 1. Добавьте {№}', DIALOG);
  await press('button', 'Собрать 3 пакета');
  expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true');
  await fill(TEMPLATE, '');
  await press('button', 'Собрать 3 пакета');
  await untilShown('Введите шаблон названий', DIALOG);
  expect(server.callsOf(createPack)).toEqual([]);

  // Only the server knows, when it is asked at once.
  server.refuse(createPack, 'pack_names_collide');
  await fill(TEMPLATE, 'лук');
  await press('button', 'Собрать 3 пакета');
  await until(() => expect(server.callsOf(createPack)).toHaveLength(1));
  await untilRead('Добавьте в шаблон {№} или {инструмент}', DIALOG);
});

test('who has never paid sees the preview, and the offer in place of the packs', async () => {
  const { server, press } = await open(PACKS_PAGE, (server) => {
    server.answer(getPremiumStatus, FREE);
    server.refuse(createPack, 'premium_required');
  });
  await untilShown('ART-1_1.jpg', DIALOG);
  await press('button', 'Собрать 3 пакета');
  await untilShown('Скачивание оригиналов доступно только платным пользователям', `${DIALOG} h2`);
  await untilShown('Купить пакет звезд', DIALOG);
  expect(server.callsOf(createPack)).toHaveLength(1);
  await press('button', 'Закрыть', '.dlg:not([aria-hidden=true])');
  await untilGone('Купить пакет звезд');
  expect(readText(DIALOG)).not.toContain('Пакеты не собраны');
});

test('the progress of a pack comes by events, until it can be downloaded', async () => {
  const id = crypto.randomUUID();
  packs = [samplePack({ id, status: 'making', done: 0, bytes: null, expiresAt: null })];
  const screen = await open(PACKS_PAGE);
  const { server, press } = screen;
  await untilShown('Собираем: 0 из 12', DIALOG);
  await change(screen, id, { done: 5 });
  await untilShown('Собираем: 5 из 12', DIALOG);
  const bar = () => document.querySelector(`${DIALOG} [role=progressbar]`)?.getAttribute('aria-valuenow');
  expect(bar()).toBe('42');
  await change(screen, id, {
    status: 'ready',
    done: 12,
    extra: 2,
    bytes: 13_002_342,
    expiresAt: '2026-12-04T10:00:00.000Z',
  });
  await untilRead('12,4 МБ · 12 файлов, 2 в «лишнее»Хранится до 4 декабря 2026 г.', DIALOG);
  server.sendFile(downloadPack, new Blob(['zip'], { type: 'application/zip' }));
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(new URL(this.href).pathname);
  });
  await press('button', 'Скачать: Wildberries');
  await untilShown('Загрузка началась', TOAST);
  expect(saved).toEqual([`/api/packs/${id}/file`]);
});

test('a failed pack says why, and is made again in its place with its own names', async () => {
  const template = 'лук {№}';
  const failed = samplePack({ template, status: 'failed', bytes: null, expiresAt: null, failure: 'Пакет не собрался' });
  packs = [failed, samplePack({ id: crypto.randomUUID(), marketplace: 'ozon' })];
  const { server, press } = await open(PACKS_PAGE);
  await untilShown('Пакет не собрался', DIALOG);
  await press('button', 'Собрать ещё раз: Wildberries');
  await untilShown('Собирается: 1 из 2. Окно можно закрыть, пакеты соберутся без него.', DIALOG);
  expect(server.callsOf(createPack).map(orderOf)).toMatchObject([{ marketplace: 'wildberries', template }]);
  expect(server.callsOf(deletePack).map(({ url }) => url.pathname)).toEqual([`/api/packs/${failed.id}`]);
  await untilGone('Пакет не собрался', DIALOG);
});

test('a pack is removed by a second press, and the form comes back with the last one', async () => {
  packs = [samplePack()];
  const { server, press } = await open(PACKS_PAGE);
  await press('button', 'Удалить: Wildberries');
  await press('button', 'Оставить');
  await press('button', 'Удалить: Wildberries');
  expect(server.callsOf(deletePack)).toEqual([]);
  await press('button', 'Удалить пакет: Wildberries');
  await untilShown(TEMPLATE, DIALOG);
  expect(server.callsOf(deletePack)).toHaveLength(1);
});

test('a batch of which nothing was taken leads to the review', async () => {
  const { press } = await open(PACKS_PAGE, (server) => server.refuse(previewPack, 'pack_empty'));
  await untilShown('Отметьте в просмотре, что берёте.', DIALOG);
  expect(readButton('Собрать 3 пакета').disabled).toBe(true);
  await press('button', 'Открыть просмотр');
  // And back, from its end.
  await press('button', 'Собрать пакеты');
  await untilShown('Отметьте в просмотре, что берёте.', DIALOG);
});

test('without a network nothing is ordered, and the choice stays on the device', async () => {
  const screen = await open(PACKS_PAGE);
  await screen.press('checkbox', 'Яндекс Маркет', DIALOG);
  await screen.fill(TEMPLATE, 'лук ');
  await screen.press('button', 'Вставить {№}');
  await act(async () => connection.set(false));
  await untilShown('Выбор и шаблон сохранены. Соберите пакеты, когда связь вернётся.', DIALOG);
  expect(readButton('Нет сети', DIALOG).disabled).toBe(true);
  await until(async () => {
    expect((await readStored(USER.id, PACK_DRAFT.name, PACK_DRAFT.shape))?.template).toBe('лук {№}');
  });
  await act(async () => connection.set(true));
  await screen.reload(PACKS_PAGE);
  await screen.press('button', 'Собрать 2 пакета');
  await until(() => expect(screen.server.callsOf(createPack)).toHaveLength(2));
  expect(screen.server.callsOf(createPack).map((call) => orderOf(call).template)).toEqual(['лук {№}', 'лук {№}']);
});

test('the packs of a product hold its results', async () => {
  const { server, press } = await open(`/dashboard/products?product=${PRODUCT.id}`);
  await press('button', 'Пакеты');
  await untilShown('Wildberries', DIALOG);
  await until(() => expect(server.callsOf(previewPack)).toHaveLength(3));
  expect(server.callsOf(previewPack).map((call) => orderOf(call).subject)).toEqual(
    Array.from({ length: 3 }, () => ({ productId: PRODUCT.id })),
  );
});

test('a selection is packed in the order of the choice, beside the packs of other selections', async () => {
  packs = [samplePack({ batchId: null, title: 'Выбранное' }), samplePack({ id: crypto.randomUUID() })];
  const images = [sampleImage(), sampleImage({ id: 'image-2', title: 'Юбка' })];
  const { server, press } = await openGallery(images, answerPacks);
  await press('button', 'Выбрать');
  for (const title of ['Юбка', 'Пальто']) await press('button', new RegExp(`^Выбрать: ${title}`));
  await press('button', 'Пакеты');
  await press('button', 'Собрать 3 пакета');
  await until(() => expect(server.callsOf(createPack)).toHaveLength(3));
  expect(server.callsOf(createPack).map((call) => orderOf(call).subject)[0]).toEqual({
    itemIds: ['image-2', 'image-1'],
  });
});
