// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readStored, writeStored } from '#pwa/device/storage.ts';
import { AGE_RANGES, getCatalogue, MODEL_CATEGORIES } from '#shared/contract/catalogue.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { cancelGeneration, getGeneration, IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import { startModelChange } from '#shared/contract/model-changes.ts';
import { startPhotosession } from '#shared/contract/photosessions.ts';
import { getStarBalance } from '#shared/contract/stars.ts';
import { getToolAbilities } from '#shared/contract/tools.ts';
import { uploadPhoto } from '#shared/contract/uploads.ts';
import { getVideoDownloadAccess, startVideo, streamVideo } from '#shared/contract/videos.ts';
import { GENERATION_FAILURES } from '#shared/rules/generation-lifecycle.ts';
import type { Call } from '#tests/pwa/support/contract-server.ts';
import { CREATE_VIDEO, openGeneration, openWithVideo } from '#tests/pwa/support/open-pages.ts';
import {
  clean,
  closeScreen,
  letTimeBeSkipped,
  openScreen,
  readButton,
  readText,
  untilGone,
  untilRead,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import {
  BACKGROUND,
  GENERATION_ID,
  LOCAL_TOOLS,
  MODEL,
  PHOTO,
  photoFile,
  sampleAccess,
  sampleGeneration,
  sampleResult,
  USER,
  VIDEO,
} from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const TOAST = '.toast';
const MAIN = 'main';
const DIALOG = '[role=dialog]';
const STEPS = '[aria-label=Шаги]';
const STAGE = '[aria-label="Видео"]';
const CHANGE = '/dashboard/change-model';
const NEXT = /^Далее/;
const CONCRETE = { ...BACKGROUND, id: 'b02', name: 'Бетон', imageUrl: '/catalogue/b02.webp' };

afterEach(closeScreen);

test('where another person is put in there are four steps, and a page of that time starts nothing else', async () => {
  const kept = { ...BACKGROUND, id: 'keep', name: 'Как на фото', type: 'keep_original' as const };
  const { server, press, find, choosePhoto } = await openScreen(CHANGE, {
    prepare: (server) => server.answer(getCatalogue, { models: listModels(), backgrounds: [CONCRETE, kept] }),
  });
  await untilShown('Смена модели', 'h1');
  expect(listClosedSteps()).toEqual(['Модель', 'Фон', 'Генерация']);
  await choosePhoto();
  expect(listClosedSteps()).toEqual(['Фон', 'Генерация']);
  await press('button', /Модель$/, STEPS);
  await until(() => expect(listRadios('Модель')).toHaveLength(15));
  await press('radio', /^Мужчины/);
  await until(() => expect(listRadios('Модель')).toHaveLength(9));
  await press('button', '18–25');
  await until(() => expect(listRadios('Модель')).toHaveLength(5));
  await press('button', '26–35');
  await until(() => expect(listRadios('Модель')).toHaveLength(4));
  await press('radio', /^Модель men 1/, '[aria-label=Модель]');
  await press('radio', /^Модель men 3/, '[aria-label=Модель]');
  const chosen = listRadios('Модель').filter((radio) => radio.getAttribute('aria-checked') === 'true');
  expect(chosen.map(({ textContent }) => clean(textContent))).toEqual([expect.stringMatching(/^Модель men 3/)]);
  expect(listClosedSteps()).toEqual(['Генерация']);
  await press('button', NEXT);
  await find('radio', 'Как на фото');
  await press('radio', 'Бетон');
  await press('button', NEXT);

  // The engine of the program is another by now.
  server.answer(getToolAbilities, LOCAL_TOOLS);
  server.refuse(startModelChange, 'change_differs');
  await press('button', /^Сменить модель/);
  await untilRead('ничего не запущено и не списано', TOAST);
  await untilShown('Смена фона', 'h1');
  expect(listSteps()).toEqual(['Фото', 'Фон']);
  expect(readText(MAIN)).toContain('Бетон');
  await find('button', /^Сменить фон/);
  expect(server.callsOf(startModelChange).map(readStart)).toEqual([
    {
      fields: {
        imageId: PHOTO.id,
        modelImageUrl: '/catalogue/men-3.webp',
        backgroundImageUrl: CONCRETE.imageUrl,
        agreedChange: 'model_change',
      },
      key: expect.stringMatching(/^.{16,}$/),
    },
  ]);
});

test('what was stored badly is cleared', async () => {
  await openScreen(CHANGE, {
    async prepare(server) {
      server.answer(getToolAbilities, LOCAL_TOOLS);
      for (const name of ['changeModelRequestId', 'changeModelData']) await writeStored(USER.id, name, '{not json');
    },
  });
  await until(() => expect(listClosedSteps()).toEqual(['Фон']));
  await until(async () => {
    expect(await readRaw('changeModelRequestId')).toBeNull();
    expect(await readRaw('changeModelData')).toBeNull();
  });
});

test('a change that was cancelled costs nothing', async () => {
  const { server, press, find, choosePhoto } = await openScreen(CHANGE, {
    prepare(server) {
      server.answer(getToolAbilities, LOCAL_TOOLS);
      server.answer(getCatalogue, { models: [MODEL], backgrounds: [BACKGROUND, CONCRETE] });
      server.answer(getStarBalance, { balance: 1 });
    },
  });
  await choosePhoto();
  await press('button', NEXT);
  await untilShown('Сначала выберите фон', MAIN);
  await press('radio', 'Бетон');
  server.answer(startModelChange, {
    status: 'QUEUED',
    request_id: GENERATION_ID,
    result_url: null,
    stars_spent: 1,
    current_star_balance: 0,
  });
  const settings = { modelId: null, backgroundId: CONCRETE.id, isModelReplaced: false };
  server.answer(getGeneration, sampleGeneration('model_change', { made: 'background_change', settings }));
  server.answer(getStarBalance, { balance: 0 });
  await press('button', /^Сменить фон/);
  await find('button', 'Отменить');
  await untilRead(/^0/, 'header .bal');
  server.answer(cancelGeneration, { outcome: 'cancelled', message: 'Генерация отменена, звёзды возвращены' });
  server.answer(getStarBalance, { balance: 1 });
  await press('button', 'Отменить');
  await untilShown('Генерация отменена, звёзды возвращены', TOAST);
  await find('button', /^Сменить фон/);
  await untilRead(/^1\D/, 'header .bal');
  expect(server.callsOf(cancelGeneration).map(({ url }) => url.pathname)).toEqual([
    `/api/generations/${GENERATION_ID}/cancel`,
  ]);
  expect(server.callsOf(startModelChange).map(readStart)).toEqual([
    {
      fields: { imageId: PHOTO.id, backgroundImageUrl: CONCRETE.imageUrl, agreedChange: 'background_change' },
      key: expect.stringMatching(/^.{16,}$/),
    },
  ]);
});

test('a session that brings nothing says so and gives the stars back', async () => {
  letTimeBeSkipped();
  const { server, press, find, choosePhoto } = await openScreen('/dashboard/photoshoot', {
    prepare(server) {
      server.answer(getStarBalance, { balance: 2 });
      server.answer(startPhotosession, { sessionId: GENERATION_ID });
      server.answer(getGeneration, sampleGeneration('photosession', { starsSpent: 2 }));
    },
  });
  await choosePhoto();
  server.answer(getStarBalance, { balance: 0 });
  await press('button', 'Создать фотосессию (2 звезды)');
  await untilShown('Обработка...', MAIN);
  await until(() => expect(server.callsOf(getGeneration)).toHaveLength(1));
  await untilRead(/^0/, 'header .bal');

  const failure = { code: 'timed_out', message: GENERATION_FAILURES.timed_out } as const;
  server.answer(getGeneration, sampleGeneration('photosession', { status: 'failed', failure, starsSpent: 0 }));
  server.answer(getStarBalance, { balance: 2 });
  await vi.advanceTimersByTimeAsync(5000);
  await untilShown('Ошибка генерации', MAIN);
  expect(readText(MAIN)).toContain('Генерация не завершилась за 30 минут. Звёзды возвращены');
  await untilRead('Баланс: 2 звезды', MAIN);
  await find('button', 'Создать фотосессию (2 звезды)');
  expect(server.callsOf(startPhotosession).map(readStart)).toEqual([
    { fields: { imageId: PHOTO.id }, key: expect.stringMatching(/^.{16,}$/) },
  ]);
});

test('a free owner is offered stars instead of the original', async () => {
  letTimeBeSkipped();
  const results = [sampleResult({ id: VIDEO.id, url: `/api/video-proxy/${GENERATION_ID}`, durationSeconds: 5 })];
  const upgradeMessage = 'Скачивание оригиналов доступно только платным пользователям';
  const { server, press } = await openGeneration(sampleGeneration('video'), (server) =>
    server.answer(getVideoDownloadAccess, { ...sampleAccess(false), upgradeMessage }),
  );
  await untilRead(/Готовим фото|Кроим сцену|Шьём движение/, STAGE);
  server.answer(getGeneration, sampleGeneration('video', { status: 'completed', results }));
  server.sendFile(streamVideo, new Blob(['video'], { type: 'video/mp4' }));
  await vi.advanceTimersByTimeAsync(10_000);
  await press('button', 'Скачать', STAGE);
  await untilShown(upgradeMessage, DIALOG);
  await untilShown('Бесплатный пользователь', DIALOG);
  expect(server.callsOf(streamVideo).filter(({ url }) => url.searchParams.has('download'))).toEqual([]);
  await press('button', 'Купить пакет звезд', DIALOG);
  await untilShown('Пополнить звезды', DIALOG);
});

test('a video that does not come for want of a connection says so, and comes when it is asked for again', async () => {
  const { server, press } = await openWithVideo(CREATE_VIDEO, (server) => server.cut(streamVideo));
  await press('button', /^Видео, .*0:05$/);
  // The browser itself calls a file that it did not get one of an unknown format.
  fireEvent.error(await showVideo({ code: 4 }));
  const alert = `${STAGE} [role=alert]`;
  await untilShown('Видео не загрузилось: нет связи с сервером', alert);
  expect(server.callsOf(streamVideo).map(({ url }) => url.pathname)).toEqual([VIDEO.url]);
  server.sendFile(streamVideo, new Blob(['video'], { type: 'video/mp4' }));
  const load = vi.spyOn(HTMLMediaElement.prototype, 'load');
  await press('button', 'Повторить', alert);
  await until(() => expect(load).toHaveBeenCalled());
  const player = await showVideo(null);
  expect(player.getAttribute('src')).toBe(VIDEO.url);
  fireEvent.loadedMetadata(player);
  fireEvent.loadedData(player);
  await untilGone('Видео не загрузилось: нет связи с сервером', STAGE);
});

test('a photo that was deleted meanwhile is taken off the form when the start is refused', async () => {
  const { server, choosePhoto, press } = await openScreen(CREATE_VIDEO);
  await choosePhoto();
  server.refuse(startVideo, 'photo_not_found');
  await press('button', /^Создать видео/);
  await untilGone(PHOTO.name, MAIN);
  expect(server.callsOf(startVideo)).toHaveLength(1);
});

test('files that are no product photo are refused with a reason, and not sent', async () => {
  const { server, choose } = await openScreen(CREATE_VIDEO);
  // As a cloud's file that is not on the device.
  const unreadable = Object.assign(photoFile('cloud-1200x1600.jpg'), {
    slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) }),
  });
  const refusals: [File, string][] = [
    [new File(['GIF89a'], 'dress-1200x1600.jpg'), ERRORS.photo_format_refused.message],
    [unreadable, 'Не удалось загрузить изображение'],
  ];
  for (const [file, text] of refusals) {
    await choose(file);
    await untilShown(text, MAIN);
  }
  expect(readButton('Сначала загрузите фото').disabled).toBe(true);
  expect([...server.callsOf(uploadPhoto), ...server.callsOf(startVideo)]).toEqual([]);
});

test('what the browser cannot read is left to the server, which says what is wrong', async () => {
  const { server, choose } = await openScreen(CREATE_VIDEO);
  server.refuse(uploadPhoto, 'photo_unreadable');
  await choose(photoFile('IMG_0001.heic'));
  await untilShown('Файл повреждён. Сохраните фото заново в JPG и загрузите ещё раз', MAIN);
  expect(server.callsOf(uploadPhoto)).toHaveLength(1);
});

describe('the address of a picture instead of a file is explained', () => {
  const EXPLAINED = 'Это ссылка, а не файл. Сохраните картинку на устройство и загрузите её файлом';
  const transfer = {
    types: ['text/uri-list', 'text/html'],
    files: [],
    items: [],
    getData: (type: string) => (type === 'text/plain' ? 'https://shop.example/dress.webp' : ''),
  };
  const openZone = async () => {
    await openScreen(CREATE_VIDEO);
    return findZone();
  };

  test('dropped from another tab', async () => {
    const zone = await openZone();
    expect(fireEvent.dragOver(zone, { dataTransfer: transfer })).toBe(false);
    fireEvent.drop(zone, { dataTransfer: transfer });
    await untilShown(EXPLAINED, MAIN);
  });

  test('pasted, but not into a field', async () => {
    const zone = await openZone();
    const field = document.body.appendChild(document.createElement('input'));
    expect(fireEvent.paste(field, { clipboardData: transfer })).toBe(true);
    field.remove();
    expect(fireEvent.paste(zone, { clipboardData: transfer })).toBe(false);
    await untilShown(EXPLAINED, MAIN);
  });

  test('and dropped beside the zone it does not take the page away', async () => {
    await openZone();
    expect(fireEvent.drop(document.body, { dataTransfer: transfer })).toBe(false);
  });
});

test('of several dropped photos the first is used, and the others wait', async () => {
  const { server, press, find } = await openScreen(CREATE_VIDEO);
  const zone = await findZone();
  const note = new File(['размеры'], 'размеры.txt', { type: 'text/plain' });
  const photos = ['dress', 'skirt', 'coat'].map((name) => photoFile(`${name}-1200x1600.jpg`));
  const transfer = { types: ['Files'], files: [note, ...photos], items: [], getData: () => '' };
  fireEvent.drop(zone, { dataTransfer: transfer });
  await untilShown('Ещё 2 фото ждут', MAIN);
  await until(() => expect(server.callsOf(uploadPhoto)).toHaveLength(1));
  // The last of the toasts, because there is one at a time.
  await untilShown('1 файл не взят: это не фото.', '.toast');
  for (const name of ['Убрать фото skirt-1200x1600.jpg', 'Взять фото coat-1200x1600.jpg', 'Убрать все']) {
    await find('button', name, MAIN);
  }
  await press('button', 'Взять фото skirt-1200x1600.jpg');
  await untilShown('Ещё 1 фото ждёт', MAIN);
  await find('button', 'Убрать', MAIN);
  expect(server.callsOf(uploadPhoto)).toHaveLength(2);
});

test('of several dropped files that are no photos one is refused, and none waits', async () => {
  const { server } = await openScreen(CREATE_VIDEO);
  const zone = await findZone();
  const files = ['a.txt', 'b.txt'].map((name) => new File(['x'], name, { type: 'text/plain' }));
  fireEvent.drop(zone, { dataTransfer: { types: ['Files'], files, items: [], getData: () => '' } });
  await untilShown('Выбрать другой файл', MAIN);
  expect(server.callsOf(uploadPhoto)).toEqual([]);
  expect(document.querySelector('#received-photos')).toBeNull();
});

test('photos of a dropped folder are uploaded with its name, also the one that has waited', async () => {
  const { server, press } = await openScreen(CREATE_VIDEO);
  const zone = await findZone();
  const photos = ['10', '9'].map((name) => photoFile(`${name}-1200x1600.jpg`));
  // A browser lists the folder among the files, too.
  const listed = new File([], 'ART-123');
  fireEvent.drop(zone, { dataTransfer: { types: ['Files'], files: [listed], items: [folderItem('ART-123', photos)] } });
  await until(() => expect(server.callsOf(uploadPhoto)).toHaveLength(1));
  await press('button', 'Взять фото 10-1200x1600.jpg');
  await until(() => expect(server.callsOf(uploadPhoto)).toHaveLength(2));
  const sent = server.callsOf(uploadPhoto).map(({ url, body }) => {
    return [((body as FormData).get('image') as File).name, url.searchParams.get('folder')];
  });
  expect(sent).toEqual([
    ['9-1200x1600.jpg', 'ART-123'],
    ['10-1200x1600.jpg', 'ART-123'],
  ]);
});

test('a dropped folder that cannot be read says that there is no photo', async () => {
  const { server } = await openScreen(CREATE_VIDEO);
  const zone = await findZone();
  const item = folderItem('ART-123', null);
  fireEvent.drop(zone, { dataTransfer: { types: ['Files'], files: [new File([], 'ART-123')], items: [item] } });
  await untilShown('Выбрать другой файл', MAIN);
  expect(server.callsOf(uploadPhoto)).toEqual([]);
});

/** A folder as a drop carries it. Null: it cannot be read. */
function folderItem(name: string, files: File[] | null) {
  const entries = files?.map((file) => {
    return { name: file.name, isFile: true, isDirectory: false, file: (take: (file: File) => void) => take(file) };
  });
  const parts = [entries ?? [], []];
  const createReader = () => ({
    readEntries: (take: (part: unknown) => void, refuse: (error: Error) => void) =>
      entries ? take(parts.shift()) : refuse(new DOMException('gone', 'NotFoundError')),
  });
  return { kind: 'file', webkitGetAsEntry: () => ({ name, isFile: false, isDirectory: true, createReader }) };
}

function findZone(): Promise<Element> {
  return until(() => document.querySelector('.drop') ?? expect.fail('no zone'));
}

function listSteps(): string[] {
  return [...document.querySelectorAll(`${STEPS} button`)].map(readStepName);
}

function listClosedSteps(): string[] {
  return [...document.querySelectorAll(`${STEPS} button:disabled`)].map(readStepName);
}

/** Without its number. */
function readStepName({ textContent }: Element): string {
  return clean(textContent).replace(/^\d/, '');
}

function listRadios(group: string): Element[] {
  return [...document.querySelectorAll(`[role=radiogroup][aria-label="${group}"] [role=radio]`)];
}

/** 15 women and 9 men, five of whom are young. */
function listModels() {
  return MODEL_CATEGORIES.flatMap((category) =>
    Array.from({ length: category === 'women' ? 15 : 9 }, (_, index) => ({
      ...MODEL,
      category,
      id: `${category}-${index}`,
      name: `Модель ${category} ${index}`,
      ageRange: AGE_RANGES[index % 2] ?? '18-25',
      imageUrl: `/catalogue/${category}-${index}.webp`,
    })),
  );
}

/** A start whose body is a form. */
function readStart({ body, headers }: Call) {
  return {
    fields: Object.fromEntries(body as FormData),
    key: headers.get(IDEMPOTENCY_KEY_HEADER),
  };
}

/** As the device keeps it, whatever it is. */
function readRaw(name: string): Promise<unknown> {
  return readStored(USER.id, name, { safeParse: (data) => ({ success: true, data }) });
}

/** The element that plays; `error` is what it says of itself. */
function showVideo(error: { code: number } | null): Promise<HTMLVideoElement> {
  return until(() => {
    const video = document.querySelector('video');
    if (!video) throw new Error('there is no video');
    return Object.defineProperty(video, 'error', { value: error, configurable: true });
  });
}
