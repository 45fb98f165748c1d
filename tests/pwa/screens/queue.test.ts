// @vitest-environment happy-dom
import { onlineManager } from '@tanstack/react-query';
import { act, fireEvent } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { listBatches, queueRow } from '#shared/contract/batches.ts';
import { type GenerationView, getGeneration } from '#shared/contract/generations.ts';
import { startModelChange } from '#shared/contract/model-changes.ts';
import { startPhotosession } from '#shared/contract/photosessions.ts';
import { getStarBalance } from '#shared/contract/stars.ts';
import { getToolAbilities } from '#shared/contract/tools.ts';
import { startTryOn } from '#shared/contract/try-on.ts';
import { uploadPhoto } from '#shared/contract/uploads.ts';
import { startVideo } from '#shared/contract/videos.ts';
import type { ContractServer } from '#tests/pwa/support/contract-server.ts';
import { CREATE_VIDEO } from '#tests/pwa/support/open-pages.ts';
import {
  closeScreen,
  openScreen,
  readText,
  type Screen,
  untilGone,
  untilRead,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import {
  ALL_TOOLS,
  BACKGROUND,
  BATCH_ID,
  GENERATION_ID,
  LOCAL_TOOLS,
  PHOTO,
  photoFile,
  sampleBatch,
  sampleGeneration,
  sampleResult,
  sampleRow,
} from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const MAIN = 'main';
const FORM = '[aria-label="Фото и настройки"]';
const TOAST = '.toast';
const NEXT = { ...PHOTO, id: 'photo-7', name: 'юбка.jpg' };
const PERSON = { ...PHOTO, id: 'photo-2', name: 'anna.jpg' };
const STARTED = { videoId: GENERATION_ID, generationId: GENERATION_ID };

afterEach(closeScreen);

/** Says how many photos wait in line. */
function answerLine(server: ContractServer, waiting: number): void {
  const rows = Array.from({ length: waiting }, (_, position) => sampleRow(position, { state: 'waiting' }));
  const batch = sampleBatch(rows, { isQueue: true, status: 'running' });
  server.answer(listBatches, { batches: waiting > 0 ? [{ ...batch, covers: [] }] : [], nextCursor: null });
}

/** Takes orders for the line, in which so many wait from then on. */
function takeOrders(server: ContractServer, waiting = 1): void {
  server.answer(queueRow, () => {
    answerLine(server, waiting);
    const row = sampleRow(0, { state: 'waiting' });
    return { batch: sampleBatch([row]), row };
  });
}

/** Chooses the next photo in the first chooser of the page. */
async function chooseNext({ server, choose }: Screen): Promise<void> {
  server.answer(uploadPhoto, NEXT);
  await choose(photoFile('skirt-1200x1600.jpg'));
  await untilShown(NEXT.name, MAIN);
}

/** Starts a video of PHOTO, which runs. */
async function startAVideo(prepare?: (server: ContractServer) => void): Promise<Screen> {
  vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(() => undefined);
  const screen = await openScreen(CREATE_VIDEO, { prepare });
  await screen.choosePhoto();
  screen.server.answer(startVideo, STARTED);
  screen.server.answer(getGeneration, sampleGeneration('video', { settings: { preset: 'spin' } }));
  await screen.press('button', /^Создать видео/);
  await untilShown('Подготовить следующее', MAIN);
  return screen;
}

/** The generation ends while its page is open. */
async function end({ server }: Screen, view: GenerationView): Promise<void> {
  server.answer(getGeneration, view);
  // A page that has its network back asks at once.
  await act(async () => {
    onlineManager.setOnline(false);
    onlineManager.setOnline(true);
  });
}

test('the photo in work is not queued once more: another one is', async () => {
  const screen = await startAVideo();
  const { server, press } = screen;
  expect((await screen.find('button', 'Создаём видео…')).getAttribute('aria-busy')).toBe('true');
  await press('button', 'Подготовить следующее');
  await untilShown('Сначала загрузите фото', FORM);
  await chooseNext(screen);
  await press('radio', 'Танец');
  takeOrders(server, 2);
  await press('button', /^В очередь/);

  await untilRead('В очереди: 2 фото', FORM);
  expect(server.callsOf(queueRow).map(({ body }) => body)).toEqual([
    expect.objectContaining({
      photoId: NEXT.id,
      agreedStars: 1,
      set: { kind: 'video', settings: expect.objectContaining({ preset: 'dance' }) },
    }),
  ]);
  expect(document.querySelector(`${FORM} [role=status] a`)?.getAttribute('href')).toContain(`batch=${BATCH_ID}`);
  // The form waits for another photo with the same settings, and the first video is followed as before.
  await untilGone(NEXT.name, FORM);
  expect((await screen.find('radio', 'Танец')).getAttribute('aria-checked')).toBe('true');
  await untilShown('Фото в очереди', TOAST);
  expect(server.callsOf(startVideo)).toHaveLength(1);
});

test('an order whose answer was lost is repeated with the same row, and the next one has its own', async () => {
  const screen = await startAVideo();
  const { server, press } = screen;
  await chooseNext(screen);
  server.cut(queueRow);
  await press('button', /^В очередь/);
  await untilShown('Не удалось поставить в очередь', TOAST);
  await untilShown(NEXT.name, FORM);
  takeOrders(server);
  await press('button', /^В очередь/);
  await untilGone(NEXT.name, FORM);
  await chooseNext(screen);
  await press('button', /^В очередь/);
  await until(() => expect(server.callsOf(queueRow)).toHaveLength(3));
  const [lost, repeated, other] = server.callsOf(queueRow).map(({ body }) => (body as { rowId: string }).rowId);
  expect(repeated).toBe(lost);
  expect(other).not.toBe(lost);
});

test('a changed price is said, and nothing is queued', async () => {
  const screen = await startAVideo();
  await chooseNext(screen);
  screen.server.refuse(queueRow, 'price_changed');
  await screen.press('button', /^В очередь/);
  await untilRead('Цена изменилась', TOAST);
  expect(readText(FORM)).toContain(NEXT.name);
});

test('the result comes without taking away what is prepared, and then that is started', async () => {
  const screen = await startAVideo();
  const { server, press } = screen;
  await chooseNext(screen);
  await end(
    screen,
    sampleGeneration('video', { status: 'completed', results: [sampleResult({ durationSeconds: 5 })] }),
  );
  await untilShown('Видео готово!', MAIN);
  expect(readText(FORM)).toContain(NEXT.name);
  await press('button', 'Следующее фото');
  await untilGone('Видео готово!', MAIN);
  expect(readText(FORM)).toContain(NEXT.name);
  await press('button', /^Создать видео/);
  await until(() => expect(server.callsOf(startVideo)).toHaveLength(2));
  expect(server.callsOf(startVideo)[1]?.body).toMatchObject({ imageId: NEXT.id });
  expect(server.callsOf(queueRow)).toEqual([]);
});

test('what is prepared is there after a reload', async () => {
  const screen = await startAVideo();
  await chooseNext(screen);
  await screen.reload();
  await untilShown(NEXT.name, FORM);
  await screen.find('button', /^В очередь/);
});

test('what failed is tried again with its own photo, whatever is prepared', async () => {
  const screen = await startAVideo();
  await chooseNext(screen);
  await end(
    screen,
    sampleGeneration('video', { status: 'failed', failure: { code: 'engine_error', message: 'Сбой' } }),
  );
  await screen.press('button', /^Повторить/);
  await until(() => expect(screen.server.callsOf(startVideo)).toHaveLength(2));
  expect(screen.server.callsOf(startVideo)[1]?.body).toMatchObject({ imageId: PHOTO.id });
});

test('stars that the line will need are not promised twice', async () => {
  const screen = await startAVideo((server) => {
    server.answer(getStarBalance, { balance: 2 });
    answerLine(server, 2);
  });
  await chooseNext(screen);
  await untilRead('Вместе с очередью нужно 3 звезды, на балансе 2.', FORM);
  await untilShown('Недостаточно звезд', FORM);
});

test('a photo session queues the next photo, and names its price on the button', async () => {
  const screen = await openScreen('/dashboard/photoshoot');
  const { server, press } = screen;
  await screen.choosePhoto();
  server.answer(startPhotosession, { sessionId: GENERATION_ID });
  server.answer(getGeneration, sampleGeneration('photosession'));
  await press('button', /^Создать фотосессию/);
  await untilShown('Подготовить следующее', MAIN);
  expect(readText(FORM)).not.toContain('В очередь');
  await chooseNext(screen);
  takeOrders(server);
  await press('button', /^В очередь\s*2$/);
  await untilRead('В очереди: 1 фото', FORM);
  expect(server.callsOf(queueRow)[0]?.body).toMatchObject({ photoId: NEXT.id, agreedStars: 2 });
  expect(readText(FORM)).not.toContain(NEXT.name);

  await chooseNext(screen);
  await end(screen, sampleGeneration('photosession', { status: 'completed', results: [sampleResult()] }));
  await untilShown('Готово', MAIN);
  expect(readText(FORM)).toContain(NEXT.name);
  await screen.find('button', /^Создать фотосессию/);
});

test('the wizard of a change gives way to the next choice and keeps the running one in a strip', async () => {
  vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(() => undefined);
  const screen = await openScreen('/dashboard/change-model', {
    prepare: (server) => server.answer(getToolAbilities, LOCAL_TOOLS),
  });
  const { server, press } = screen;
  await screen.choosePhoto();
  await press('button', /^Далее/);
  await press('radio', BACKGROUND.name);
  server.answer(startModelChange, {
    request_id: GENERATION_ID,
    status: 'QUEUED',
    result_url: null,
    stars_spent: 1,
    current_star_balance: 0,
  });
  const settings = { modelId: null, backgroundId: BACKGROUND.id, isModelReplaced: false };
  server.answer(getGeneration, sampleGeneration('model_change', { settings }));
  await press('button', /^Сменить фон/);
  await press('button', 'Подготовить следующее');
  await untilShown('Показать ход', MAIN);
  await chooseNext(screen);
  await press('button', /^Далее/);
  takeOrders(server);
  await press('button', /^В очередь/);
  await untilRead('В очереди: 1 фото', MAIN);
  expect(server.callsOf(queueRow)[0]?.body).toMatchObject({
    photoId: NEXT.id,
    agreedStars: 1,
    set: { kind: 'model_change', settings: { backgroundId: BACKGROUND.id, modelId: null } },
  });
  await untilShown('Фото товара', MAIN);
  expect(readText(MAIN)).not.toContain(NEXT.name);

  await end(screen, sampleGeneration('model_change', { status: 'completed', settings, results: [sampleResult()] }));
  await untilShown('Фото с новым фоном готово', TOAST);
  await press('button', 'Посмотреть', MAIN);
  await untilShown('Новый фон готов', MAIN);
});

test('a try-on queues the next garment on the same person', async () => {
  const screen = await openScreen('/dashboard/try-on', {
    prepare: (server) => server.answer(getToolAbilities, ALL_TOOLS),
  });
  const { server, press } = screen;
  await screen.choosePhoto();
  server.answer(uploadPhoto, PERSON);
  const inputs = [...document.querySelectorAll(`${MAIN} input[type=file]:not([capture])`)];
  await act(async () => {
    fireEvent.change(inputs.at(-1) as Element, { target: { files: [photoFile('anna-1200x1600.jpg')] } });
  });
  await untilShown(PERSON.name, MAIN);
  server.answer(startTryOn, { generationId: GENERATION_ID });
  const view = { photos: [PHOTO, PERSON], settings: { category: 'auto' as const } };
  server.answer(getGeneration, sampleGeneration('try_on', view));
  await press('button', /^Примерить/);
  await press('button', 'Подготовить следующее');
  await untilShown('Показать ход', MAIN);
  await untilShown('Добавьте фото вещи', MAIN);
  await chooseNext(screen);
  takeOrders(server);
  await press('button', /^В очередь/);
  await untilRead('В очереди: 1 фото', MAIN);
  expect(server.callsOf(queueRow)[0]?.body).toMatchObject({
    photoId: NEXT.id,
    personPhotoId: PERSON.id,
    set: { kind: 'try_on', settings: { category: 'auto' } },
  });
  await untilGone(NEXT.name, MAIN);
  expect(readText(MAIN)).toContain(PERSON.name);
  await press('button', 'Показать ход');
  await untilShown('Отменить', MAIN);
});
