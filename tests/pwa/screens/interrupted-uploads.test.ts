// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queueStart, readQueuedUpload } from '#pwa/features/uploads/upload-queue.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { getGeneration, IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import { startPhotosession } from '#shared/contract/photosessions.ts';
import { uploadPhoto } from '#shared/contract/uploads.ts';
import { PHOTOSESSION_PRICE } from '#shared/rules/prices.ts';
import type { Call, ContractServer } from '#tests/pwa/support/contract-server.ts';
import {
  closeScreen,
  letTimeBeSkipped,
  openScreen,
  readText,
  untilGone,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import { GENERATION_ID, PHOTO, photoFile, sampleGeneration, USER } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const SESSION = '/dashboard/photoshoot';
const MAIN = 'main';
const STATUS = 'main [role=status]';
const AGAIN = 'Соединение прервалось, загружаем снова…';
const STOPPED = 'Не удалось загрузить. Проверьте интернет и повторите';
const RETRY = 'Повторить';
const FULL = `${ERRORS.storage_full.message}. Мы повторим и сами`;
const STEP_MS = 5_000;
const HOUR_MS = 60 * 60_000;
/** The page's own try comes before those of the queue. */
const TRIES = 1 + 8;

beforeEach(letTimeBeSkipped);
afterEach(closeScreen);

const listKeys = (calls: Call[]) => calls.map(({ headers }) => headers.get(IDEMPOTENCY_KEY_HEADER));

const newStart = () => ({ slot: 'photosession', price: PHOTOSESSION_PRICE, agreedAt: Date.now() }) as const;
const untilRunning = () => untilShown('Ход фотосессии', '[role=progressbar]');

async function openCutOff() {
  const screen = await openScreen(SESSION, { prepare: (server) => server.cut(uploadPhoto) });
  await screen.choose(photoFile('платье-1200x1600.jpg'));
  await untilShown(AGAIN, STATUS);
  return screen;
}

/** Lets pauses pass until the server was called so often, or more. */
async function untilCalled(
  server: ContractServer,
  endpoint: typeof uploadPhoto | typeof startPhotosession,
  count: number,
) {
  await until(async () => {
    await vi.advanceTimersByTimeAsync(STEP_MS);
    expect(server.callsOf(endpoint).length).toBeGreaterThanOrEqual(count);
  });
}

test('an upload whose connection broke goes on by itself, even in a hidden tab, under one key', async () => {
  const { server } = await openCutOff();
  await untilCalled(server, uploadPhoto, 3);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  server.answer(uploadPhoto, PHOTO);
  await until(() => vi.advanceTimersByTimeAsync(STEP_MS).then(() => expect(readText(MAIN)).toContain(PHOTO.name)));
  await untilGone(AGAIN);
  expect(new Set(listKeys(server.callsOf(uploadPhoto))).size).toBe(1);
});

test('the tool stores a photo once, and before the queue forgets it, so that a page that ends in between loses nothing', async () => {
  const { server } = await openCutOff();
  const stored: string[] = [];
  const { put, delete: remove } = IDBObjectStore.prototype;
  const note = ({ transaction }: IDBObjectStore, change: string) =>
    transaction.addEventListener('complete', () => stored.push(change));
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
    if (String(key).endsWith('/photoshootPhoto')) note(this, 'the tool has it');
    return put.call(this, value, key);
  });
  vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(function (this: IDBObjectStore, key) {
    if (String(key).endsWith('/queuedUpload.photosession')) note(this, 'the queue has it no more');
    return remove.call(this, key);
  });
  server.answer(uploadPhoto, PHOTO);
  await until(() =>
    vi.advanceTimersByTimeAsync(STEP_MS).then(() => expect(stored).toContain('the queue has it no more')),
  );
  expect(stored).toEqual(['the tool has it', 'the queue has it no more']);
});

test('an upload that is never answered stops with a button, which sends it again by keyboard', async () => {
  const { server, find, key } = await openCutOff();
  await untilCalled(server, uploadPhoto, TRIES);
  await untilShown(STOPPED, STATUS);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(server.callsOf(uploadPhoto)).toHaveLength(TRIES);

  server.answer(uploadPhoto, PHOTO);
  const letAnswer = server.hold(uploadPhoto);
  (await find('button', RETRY, MAIN)).focus();
  await key('{Enter}');
  await untilShown(AGAIN, STATUS);
  expect(document.activeElement?.textContent).toBe('Убрать');
  letAnswer();
  await untilShown(PHOTO.name, MAIN);
  await until(() => expect(server.callsOf(uploadPhoto)).toHaveLength(TRIES + 1));
  expect(new Set(listKeys(server.callsOf(uploadPhoto))).size).toBe(1);
});

test('a photo whose upload has stopped can be put away', async () => {
  const { server, press } = await openCutOff();
  await untilCalled(server, uploadPhoto, TRIES);
  await untilShown(STOPPED, STATUS);
  await press('button', 'Убрать', MAIN);
  await untilGone(STOPPED);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(server.callsOf(uploadPhoto)).toHaveLength(TRIES);
});

test('a photo for which the storage is full says so, also after a reload, and waits as long as the server asks', async () => {
  const { server, choose, press, reload } = await openScreen(SESSION, {
    prepare: (server) => server.refuse(uploadPhoto, 'storage_full', { retryAfter: 300 }),
  });
  const letRefuse = server.hold(uploadPhoto);
  await choose(photoFile('платье-1200x1600.jpg'));
  await untilShown('Загружаем фото…', STATUS);
  letRefuse();
  await untilShown(FULL, STATUS);
  await reload();
  await untilShown(FULL, STATUS);
  for (let passed = 0; passed < 280_000; passed += STEP_MS) await vi.advanceTimersByTimeAsync(STEP_MS);
  expect(server.callsOf(uploadPhoto)).toHaveLength(1);
  await untilCalled(server, uploadPhoto, 2);
  await untilShown(FULL, STATUS);

  server.answer(uploadPhoto, PHOTO);
  const letAnswer = server.hold(uploadPhoto);
  await press('button', RETRY, MAIN);
  await untilShown('Загружаем снова…', STATUS);
  letAnswer();
  await untilShown(PHOTO.name, MAIN);
  expect(new Set(listKeys(server.callsOf(uploadPhoto))).size).toBe(1);
});

test('a photo that the server cannot keep for long stops with the words of the server', async () => {
  const { server, choose } = await openScreen(SESSION, {
    prepare: (server) => server.refuse(uploadPhoto, 'unavailable', { retryAfter: 5 }),
  });
  await choose(photoFile('платье-1200x1600.jpg'));
  await untilShown(`${ERRORS.unavailable.message}. Мы повторим и сами`, STATUS);
  await untilCalled(server, uploadPhoto, 8);
  await untilShown(ERRORS.unavailable.message, STATUS);
});

test('a start whose photo the server cannot take does not wait for a connection', async () => {
  const { choose } = await openScreen(SESSION, {
    prepare: (server) => server.refuse(uploadPhoto, 'storage_full', { retryAfter: 300 }),
  });
  await choose(photoFile('платье-1200x1600.jpg'));
  await untilShown(FULL, STATUS);
  const queuedId = (await readQueuedUpload(USER.id, 'photosession'))?.id ?? '';
  await queueStart(USER.id, newStart(), { queuedId });
  await untilShown('Запустим, как только получится', MAIN);
  await untilShown(FULL, STATUS);
});

test('a start whose result the storage cannot keep says so, and what is spent', async () => {
  const { server, press } = await openScreen(SESSION, {
    prepare: (server) => server.refuse(startPhotosession, 'storage_unavailable', { retryAfter: 60 }),
  });
  await untilShown('Фото товара', MAIN);
  await queueStart(USER.id, newStart(), { photo: PHOTO });
  await untilShown('Запуск ждёт', MAIN);
  expect(readText(MAIN)).toContain(`${ERRORS.storage_unavailable.message}. Мы повторим и сами. При запуске спишем`);
  server.answer(startPhotosession, { sessionId: GENERATION_ID });
  server.answer(getGeneration, sampleGeneration('photosession'));
  const letAnswer = server.hold(startPhotosession);
  await press('button', RETRY, MAIN);
  await untilShown('Запускаем снова…', MAIN);
  letAnswer();
  await untilRunning();
});

test('a start that is never answered stops with a button, and starts once under its key', async () => {
  const { server, press } = await openScreen(SESSION, { prepare: (server) => server.cut(startPhotosession) });
  await untilShown('Фото товара', MAIN);
  await queueStart(USER.id, newStart(), { photo: PHOTO });
  await untilShown('Запустим, когда появится связь', MAIN);
  await untilCalled(server, startPhotosession, TRIES - 1);
  await untilShown('Запуск не отправлен', MAIN);
  server.answer(startPhotosession, { sessionId: GENERATION_ID });
  server.answer(getGeneration, sampleGeneration('photosession'));
  await press('button', RETRY, MAIN);
  await untilRunning();
  const keys = listKeys(server.callsOf(startPhotosession));
  expect([keys.length, new Set(keys).size]).toEqual([TRIES, 1]);
});
