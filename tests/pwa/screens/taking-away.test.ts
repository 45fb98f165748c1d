// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SHARE_MAX_FILES } from '#pwa/device/share-files.ts';
import { cookieConsent } from '#pwa/features/consent/consent.ts';
import { getPremiumStatus } from '#shared/contract/account.ts';
import { recordEvent } from '#shared/contract/analytics.ts';
import { downloadImage } from '#shared/contract/downloads.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { downloadPhotosession } from '#shared/contract/photosessions.ts';
import { getVideoDownloadAccess, streamVideo } from '#shared/contract/videos.ts';
import type { ContractServer } from '#tests/pwa/support/contract-server.ts';
import { GALLERY, openGallery, openGeneration, openWithVideo } from '#tests/pwa/support/open-pages.ts';
import { clean, closeScreen, readText, type Screen, untilRead, untilShown } from '#tests/pwa/support/open-screen.tsx';
import { PAID, sampleAccess, sampleGeneration, sampleImage, sampleResult } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const MAIN = 'main';
const TOAST = '.toast';
const DIALOG = '[role=dialog]';
const REFUSAL = 'Скачивание оригиналов доступно только платным пользователям';
const COAT = sampleImage();
const PICTURE = new Blob(['picture'], { type: 'image/jpeg' });
const named = (name: string) => ({ 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}` });

/** Names of the files that the page has saved. */
let saved: string[] = [];

beforeEach(() => {
  saved = [];
});
afterEach(async () => {
  for (const name of ['share', 'canShare', 'standalone']) Reflect.deleteProperty(navigator, name);
  await closeScreen();
});

/** Notes what is saved instead of saving it. */
function watchSaving(): void {
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download || new URL(this.href).pathname);
  });
}

const paid = (server: ContractServer) => {
  server.answer(getPremiumStatus, PAID);
  server.sendFile(downloadImage, PICTURE, named('Пальто.jpg'));
};

/** Lets the browser share files. Returns what was shared. */
function letShare(share: (files: readonly File[]) => Promise<void> = async () => undefined): string[][] {
  const shared: string[][] = [];
  Object.defineProperty(navigator, 'canShare', { value: () => true, configurable: true });
  Object.defineProperty(navigator, 'share', {
    value: async ({ files }: { files: File[] }) => {
      shared.push(files.map(({ name }) => name));
      await share(files);
    },
    configurable: true,
  });
  return shared;
}

test('who has paid downloads a picture with one press, under the name that the server gives, and sees no dialog', async () => {
  const { server, pressTwice } = await openGallery([COAT], paid);
  watchSaving();
  const letAnswer = server.hold(downloadImage);
  await pressTwice('button', /^(Скачать|Оригинал HD): Пальто/);
  await untilShown('Готовим файл…', 'article');
  letAnswer();
  await untilShown('Файл сохранён', TOAST);
  expect(saved).toEqual(['Пальто.jpg']);
  expect(server.callsOf(downloadImage)).toHaveLength(1);
  expect(document.querySelector(DIALOG)).toBeNull();
});

test('the picture of a changed model is saved under the name of the documents', async () => {
  const { press } = await openResult('model_change', paid);
  watchSaving();
  await press('button', 'Скачать', MAIN);
  await until(() => expect(saved).toEqual([expect.stringMatching(/^change-model-result-\d+\.jpg$/)]));
});

test('all frames of a session are the first action, and come with one press as a ZIP of the browser', async () => {
  const { server, press, find } = await openSession((server) => {
    paid(server);
    server.answer(downloadPhotosession, undefined);
  });
  watchSaving();
  await find('button', 'Скачать все (ZIP)', MAIN);
  const buttons = [...document.querySelectorAll(`${MAIN} .btn`)].map(({ textContent }) => clean(textContent ?? ''));
  expect(buttons.indexOf('Скачать все (ZIP)')).toBeLessThan(buttons.indexOf('Создать новую'));
  expect([...document.querySelectorAll(`${MAIN} .btn.primary`)].map(({ textContent }) => textContent)).toEqual([
    'Скачать все (ZIP)',
  ]);
  await press('button', 'Скачать все (ZIP)');
  await untilShown('Загрузка началась', TOAST);
  expect(saved).toEqual([server.callsOf(downloadPhotosession)[0]?.url.pathname]);
});

test('the dialog of the documents is in a menu for who may download', async () => {
  const { press } = await openResult('try_on', paid);
  watchSaving();
  await press('button', 'Ещё о скачивании', MAIN);
  await press('menuitem', 'Варианты скачивания');
  await untilShown('Платный пользователь (1 покупка)', DIALOG);
  await press('button', 'Скачать оригинал', DIALOG);
  await untilShown('Файл сохранён', DIALOG);
  expect(saved).toEqual(['Пальто.jpg']);
});

test('who is known to have never paid gets the dialog, and nothing is asked for', async () => {
  const { server, press, find } = await openResult('video');
  server.answer(getVideoDownloadAccess, sampleAccess(false));
  server.sendFile(streamVideo, new Blob(['video'], { type: 'video/mp4' }));
  await untilShown('Для ознакомления: с логотипом сервиса', MAIN);
  await press('button', 'Скачать', MAIN);
  await find('button', 'Закрыть', DIALOG);
  expect(server.callsOf(streamVideo).filter(({ url }) => url.searchParams.has('download'))).toEqual([]);
  expect(document.querySelector('[aria-label="Ещё о скачивании"]')).toBeNull();
});

test.each(['picture', 'ZIP'])(
  'a %s that is refused for want of a payment opens the dialog with the reason',
  async (kind) => {
    const { press } = await openGallery([COAT]);
    if (kind === 'picture') await press('button', 'Скачать: Пальто');
    else {
      await press('button', 'Выбрать');
      await press('button', /^Выбрать: Пальто/);
      await press('button', 'Скачать ZIP');
    }
    await untilShown(REFUSAL, `${DIALOG} h2`);
    await untilShown('Купить пакет звезд', DIALOG);
  },
);

test('once the dialog has seen the purchase, one press downloads', async () => {
  const { server, press } = await openGallery([COAT]);
  watchSaving();
  await press('button', 'Скачать: Пальто');
  await untilShown(REFUSAL, `${DIALOG} h2`);
  paid(server);
  await press('button', 'Закрыть', DIALOG);
  await press('button', 'Скачать: Пальто');
  await untilShown('Готово к скачиванию!', DIALOG);
  await press('button', 'Закрыть', DIALOG);
  await press('button', 'Скачать: Пальто');
  await until(() => expect(saved).toEqual(['Пальто.jpg']));
});

test.each([
  [
    'no connection',
    (server: ContractServer) => server.cut(downloadImage),
    'Нет связи с сервером. Проверьте интернет и повторите',
  ],
  [
    'a server in trouble',
    (server: ContractServer) => server.refuse(downloadImage, 'internal'),
    'Ошибка сервера (500). Попробуйте ещё раз через минуту',
  ],
  [
    'a deleted result',
    (server: ContractServer) => server.refuse(downloadImage, 'image_not_found'),
    'Изображение не найдено (404). Обновите страницу: возможно, результат удалён',
  ],
  [
    "somebody else's result",
    (server: ContractServer) => server.refuse(downloadImage, 'image_forbidden'),
    'У вас нет прав на это изображение (403). Войдите в аккаунт, в котором создан результат',
  ],
  [
    'a storage that is away',
    (server: ContractServer) => server.refuse(downloadImage, 'storage_unavailable'),
    ERRORS.storage_unavailable.message,
  ],
])('a download that fails (%s) says why and what to do, and can be tried again', async (_why, fail, words) => {
  const { server, press } = await openGallery([COAT], (server) => {
    paid(server);
    fail(server);
  });
  watchSaving();
  await press('button', 'Скачать: Пальто');
  await untilShown('Ошибка при скачивании файла', TOAST);
  await untilShown(words, TOAST);
  expect(document.querySelector(DIALOG)).toBeNull();
  paid(server);
  await press('button', 'Скачать: Пальто');
  await until(() => expect(saved).toEqual(['Пальто.jpg']));
});

test('an app installed on an iPhone saves through its share sheet, which a press opens again when it was slow', async () => {
  Object.defineProperty(navigator, 'standalone', { value: true, configurable: true });
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)');
  let isSlow = true;
  const shared = letShare(async () => {
    if (isSlow) throw new DOMException('the press is too old', 'NotAllowedError');
  });
  const { press } = await openGallery([COAT], paid);
  watchSaving();
  await press('button', 'Скачать: Пальто');
  await untilShown('Файл готов', TOAST);
  isSlow = false;
  await press('button', 'Сохранить', TOAST);
  await until(() => expect(shared).toEqual([['Пальто.jpg'], ['Пальто.jpg']]));
  await press('button', 'Скачать: Пальто');
  await untilShown('Файл сохранён', TOAST);
  expect(saved).toEqual([]);
});

test('a video that an iPhone saves late counts once it is saved, and a failure is told', async () => {
  Object.defineProperty(navigator, 'standalone', { value: true, configurable: true });
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)');
  const outcomes = ['NotAllowedError', 'DataError', 'NotAllowedError', 'NotAllowedError', null];
  letShare(async () => {
    const outcome = outcomes.shift();
    if (outcome) throw new DOMException('not shared', outcome);
  });
  const { server, press } = await openWithVideo(GALLERY, (server) => {
    server.answer(getPremiumStatus, PAID);
    server.sendFile(streamVideo, new Blob(['video'], { type: 'video/mp4' }), named('Дефиле.mp4'));
  });
  await act(async () => cookieConsent.set('accepted'));
  const counted = () =>
    server.callsOf(recordEvent).filter(({ body }) => JSON.stringify(body).includes('video_download'));
  await press('button', /^(Скачать|Оригинал HD): Дефиле/);
  await untilShown('Файл готов', TOAST);
  await press('button', 'Сохранить', TOAST);
  await untilShown('Ошибка при скачивании файла', TOAST);
  await press('button', /^(Скачать|Оригинал HD): Дефиле/);
  await untilShown('Файл готов', TOAST);
  // The press was too old once more.
  await press('button', 'Сохранить', TOAST);
  await until(() => expect(outcomes).toHaveLength(1));
  expect(counted()).toEqual([]);
  await press('button', 'Сохранить', TOAST);
  await untilShown('Файл сохранён', TOAST);
  await until(() => expect(counted()).toHaveLength(1));
});

test('frames are fetched by the first press and shared by a press of its own', async () => {
  const shared = letShare();
  const { server, press, find } = await openSession(paid);
  const letAnswer = server.hold(downloadImage);
  await press('button', 'Поделиться', MAIN);
  await untilRead('Готовим 1 из 2…', MAIN);
  letAnswer();
  await untilShown('Файлы готовы', TOAST);
  expect(shared).toEqual([]);
  await press('button', 'Поделиться', MAIN);
  await until(() => expect(shared).toEqual([['Пальто.jpg', 'Пальто.jpg']]));
  expect(server.callsOf(downloadImage).map(({ body }) => body)).toEqual([
    { imageId: 'frame-1' },
    { imageId: 'frame-2' },
  ]);
  await find('button', 'Поделиться', MAIN);
});

test('a video is shared under its own name, and counts as taken away only then', async () => {
  const shared = letShare();
  const video = new Blob(['video'], { type: 'video/mp4' });
  const { server, press } = await openWithVideo(GALLERY, (server) => {
    server.answer(getPremiumStatus, PAID);
    server.sendFile(streamVideo, video, named('Дефиле.mp4'));
  });
  await act(async () => cookieConsent.set('accepted'));
  const counted = () =>
    server.callsOf(recordEvent).filter(({ body }) => JSON.stringify(body).includes('video_download'));
  await press('button', 'Выбрать');
  await press('button', /^Выбрать: Дефиле/);
  await press('button', 'Поделиться');
  await untilShown('Файл готов', TOAST);
  expect(counted()).toEqual([]);
  await press('button', 'Поделиться');
  await until(() => expect(shared).toEqual([['Дефиле.mp4']]));
  await until(() => expect(counted()).toHaveLength(1));
});

test('a share sheet that is closed is no failure, and the next press opens it again', async () => {
  let isClosed = true;
  const shared = letShare(async () => {
    if (isClosed) throw new DOMException('closed', 'AbortError');
  });
  const { server, press } = await openResult('try_on', paid);
  await press('button', 'Поделиться', MAIN);
  await untilShown('Файл готов', TOAST);
  await press('button', 'Поделиться', MAIN);
  await until(() => expect(shared).toHaveLength(1));
  isClosed = false;
  await press('button', 'Поделиться', MAIN);
  await until(() => expect(shared).toHaveLength(2));
  expect(readText(TOAST)).not.toContain('Не удалось');
  expect(server.callsOf(downloadImage)).toHaveLength(1);
});

test('a system that shares nothing says what to do instead', async () => {
  letShare(async () => {
    throw new DOMException('no target', 'DataError');
  });
  const { press } = await openResult('try_on', paid);
  await press('button', 'Поделиться', MAIN);
  await untilShown('Файл готов', TOAST);
  await press('button', 'Поделиться', MAIN);
  await untilShown('Скачайте файл и отправьте его из загрузок', TOAST);
});

test('who has never paid gets the dialog in place of sharing', async () => {
  const shared = letShare();
  const { press } = await openSession();
  await press('button', 'Поделиться', MAIN);
  await untilShown(REFUSAL, `${DIALOG} h2`);
  expect(shared).toEqual([]);
});

test('files that are too many or too large are not shared, with the reason', async () => {
  letShare();
  const images = Array.from({ length: SHARE_MAX_FILES + 1 }, (_, index) =>
    sampleImage({ id: `image-${index}`, title: `Кадр ${index}.` }),
  );
  const { server, press } = await openGallery(images, paid);
  await press('button', 'Выбрать');
  for (const { title } of images) await press('button', new RegExp(`^Выбрать: ${title}`));
  await untilShown('Поделиться: до 10 файлов', 'main');
  await press('button', /^Выбрать: Кадр 0./);
  server.sendFile(downloadImage, new Blob([new Uint8Array(60 * 1024 * 1024)], { type: 'image/jpeg' }));
  await press('button', 'Поделиться');
  await untilShown('Файлы слишком большие', TOAST);
  expect(server.callsOf(downloadImage)).toHaveLength(1);
});

test('nothing is offered where files cannot be shared', async () => {
  const { find } = await openSession(paid);
  await find('button', 'Скачать все (ZIP)', MAIN);
  expect(readText(MAIN)).not.toContain('Поделиться');
});

/** Opens the page of one finished result. */
function openResult(
  kind: 'video' | 'model_change' | 'try_on',
  prepare?: (server: ContractServer) => void,
): Promise<Screen> {
  return openGeneration(sampleGeneration(kind, { status: 'completed', results: [sampleResult()] }), prepare);
}

/** Opens a session of two frames. */
function openSession(prepare?: (server: ContractServer) => void): Promise<Screen> {
  const results = [sampleResult({ id: 'frame-1' }), sampleResult({ id: 'frame-2', position: 1 })];
  return openGeneration(sampleGeneration('photosession', { status: 'completed', results }), prepare);
}
