// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { writeStored } from '#pwa/device/storage.ts';
import { VIDEO_DRAFT } from '#pwa/features/videos/video-draft.ts';
import { getCatalogue } from '#shared/contract/catalogue.ts';
import { getGeneration } from '#shared/contract/generations.ts';
import {
  createSettingSet,
  deleteSettingSet,
  getToolSettings,
  renameSettingSet,
  type SettingSet,
} from '#shared/contract/tool-settings.ts';
import { getToolAbilities } from '#shared/contract/tools.ts';
import { startTryOn } from '#shared/contract/try-on.ts';
import { startVideo } from '#shared/contract/videos.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { likePath, resultPath } from '#shared/rules/result-links.ts';
import { CREATE_VIDEO, openGallery } from '#tests/pwa/support/open-pages.ts';
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
  GENERATION_ID,
  LOCAL_TOOLS,
  MODEL,
  PHOTO,
  photoFile,
  sampleGeneration,
  sampleImage,
  sampleResult,
  USER,
} from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const MAIN = 'main';
const TOAST = '.toast';
const DIALOG = '[role=dialog]';
const SETS = '[aria-label="Наборы настроек"]';
const CHANGE = '/dashboard/change-model';
const WALK = { preset: 'walk', duration: 10, aspectRatio: '9:16' } as const;
const LAST = { last: { video: WALK }, sets: [] };
const CATALOGUE: SettingSet = {
  id: 'set-1',
  kind: 'video',
  name: 'Каталог 3:4',
  createdAt: new Date().toISOString(),
  settings: { preset: 'pose', duration: 5, aspectRatio: '3:4' },
};

afterEach(closeScreen);

/** The names of the chosen options. */
function readChosen(): string[] {
  return [...document.querySelectorAll(`${MAIN} [role=radio][aria-checked=true]`)].map((radio) =>
    (radio.getAttribute('aria-label') ?? radio.textContent ?? '').replace(/\u00a0/g, ' ').trim(),
  );
}

const untilChosen = (...names: (string | RegExp)[]) =>
  until(() => expect(readChosen()).toEqual(names.map((name) => expect.stringMatching(name))));

/** Counts the file choosers that the page opens. */
function countChoosers(): () => number {
  const click = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(() => undefined);
  return () => click.mock.calls.length;
}

/** Lets the started video be ready at the first look. */
function letVideoBeReady({ server }: Screen, settings: object = WALK): void {
  server.answer(startVideo, { videoId: GENERATION_ID, generationId: GENERATION_ID });
  server.answer(
    getGeneration,
    sampleGeneration('video', { status: 'completed', settings, results: [sampleResult({ durationSeconds: 10 })] }),
  );
}

test('a new visit begins with the last settings of the account, and the next photo is made with them', async () => {
  const screen = await openScreen(CREATE_VIDEO, { prepare: (server) => server.answer(getToolSettings, LAST) });
  const { server, press, choosePhoto } = screen;
  const choosers = countChoosers();
  await untilChosen('Дефиле', '10 секунд', '9:16');
  await untilShown('Настройки как в прошлый раз', SETS);
  await choosePhoto();
  letVideoBeReady(screen);
  await press('button', /^Создать видео/);
  await untilShown('Видео готово!', MAIN);

  expect(choosers()).toBe(0);
  await press('button', 'Следующее фото');
  expect(choosers()).toBe(1);
  await untilShown('Сначала загрузите фото', MAIN);
  expect(readText(MAIN)).not.toContain(PHOTO.name);
  expect(document.activeElement?.textContent).toContain('Вещь целиком');
  await untilChosen('Дефиле', '10 секунд', '9:16');
  await choosePhoto();
  await press('button', /^Создать видео/);
  await until(() => expect(server.callsOf(startVideo)).toHaveLength(2));
  const [first, second] = server.callsOf(startVideo).map(({ body }) => body);
  expect(first).toMatchObject({ settings: WALK });
  expect(second).toEqual(first);
  await untilShown('Видео готово!', MAIN);
});

test('other settings of the same photo are chosen after a result, or all of them are reset', async () => {
  const screen = await openScreen(CREATE_VIDEO, { prepare: (server) => server.answer(getToolSettings, LAST) });
  const { press, choosePhoto } = screen;
  await untilChosen('Дефиле', '10 секунд', '9:16');
  await choosePhoto();
  letVideoBeReady(screen);
  await press('button', /^Создать видео/);
  await untilShown('Видео готово!', MAIN);
  await press('button', 'Другие настройки этого фото');
  await untilGone('Видео готово!', MAIN);
  await untilShown(PHOTO.name, MAIN);
  await untilChosen('Дефиле', '10 секунд', '9:16');
  await press('button', 'Сбросить настройки');
  await untilChosen('Поворот', '5 секунд', '3:4');
  expect(readText(MAIN)).not.toContain('Сбросить настройки');
  expect(readText(MAIN)).toContain(PHOTO.name);
});

test('what was chosen on this device and not sent yet comes before the last settings', async () => {
  await openScreen(CREATE_VIDEO, {
    async prepare(server) {
      server.answer(getToolSettings, LAST);
      await writeStored(USER.id, VIDEO_DRAFT.name, {
        photo: PHOTO,
        form: { preset: 'dance', duration: 5, aspectRatio: '1:1' },
      });
    },
  });
  await untilChosen('Танец', '5 секунд', '1:1');
});

test('«Сделать так же» takes the settings of a result, says whose they are and waits for a photo', async () => {
  const view = sampleGeneration('video', {
    status: 'completed',
    settings: WALK,
    results: [sampleResult({ title: 'ART-123, Видео 2' })],
  });
  const { press } = await openScreen(likePath('video', GENERATION_ID), {
    async prepare(server) {
      server.answer(getGeneration, view);
      await writeStored(USER.id, VIDEO_DRAFT.name, { photo: PHOTO, form: null });
    },
  });
  await untilShown('Настройки результата «ART-123, Видео 2»', SETS);
  await untilChosen('Дефиле', '10 секунд', '9:16');
  await untilShown('Сначала загрузите фото', MAIN);
  expect(readText(MAIN)).not.toContain(PHOTO.name);
  expect(location.search).toBe('');
  await press('radio', 'Танец');
  await untilGone('Настройки результата', MAIN);
});

test.each<[string, GenerationKind | null]>([
  ['nobody knows', null],
  ['another tool has made', 'photosession'],
])('«Сделать так же» of a generation that %s says that there is nothing to take', async (_, kind) => {
  await openScreen(likePath('video', GENERATION_ID), {
    prepare: (server) => kind && server.answer(getGeneration, sampleGeneration(kind)),
  });
  await untilShown('Не удалось взять настройки', TOAST);
  await untilChosen('Поворот', '5 секунд', '3:4');
});

test('a set is kept, chosen, renamed, removed and brought back', async () => {
  const { server, press, fill, find } = await openScreen(CREATE_VIDEO);
  await press('radio', 'Поза');
  await press('button', 'Сохранить как набор');
  server.refuse(createSettingSet, 'set_name_taken');
  await fill('Название набора', 'Каталог 3:4');
  await press('button', 'Сохранить', DIALOG);
  await untilRead('Набор с таким названием уже есть', DIALOG);
  server.answer(createSettingSet, CATALOGUE);
  server.answer(getToolSettings, { last: {}, sets: [CATALOGUE] });
  await press('button', 'Сохранить', DIALOG);
  await until(() => expect(document.querySelector(DIALOG)).toBeNull());
  expect(server.callsOf(createSettingSet).at(-1)?.body).toMatchObject({
    kind: 'video',
    name: 'Каталог 3:4',
    settings: { preset: 'pose', duration: 5, aspectRatio: '3:4' },
  });
  expect((await find('button', 'Каталог 3:4')).getAttribute('aria-pressed')).toBe('true');

  await press('radio', 'Танец');
  expect((await find('button', 'Каталог 3:4')).getAttribute('aria-pressed')).toBe('false');
  await press('button', 'Каталог 3:4');
  await untilChosen('Поза', '5 секунд', '3:4');

  const summer = { ...CATALOGUE, name: 'Лето' };
  server.answer(renameSettingSet, summer);
  server.answer(getToolSettings, { last: {}, sets: [summer] });
  await press('button', 'Изменить набор «Каталог 3:4»');
  await press('menuitem', 'Переименовать');
  await fill('Название набора', 'Лето');
  await press('button', 'Сохранить', DIALOG);
  await find('button', 'Лето');
  expect(server.callsOf(renameSettingSet).map(({ body }) => body)).toEqual([{ name: 'Лето' }]);

  server.answer(deleteSettingSet, undefined);
  server.answer(getToolSettings, { last: {}, sets: [] });
  await until(() => expect(document.activeElement).toBe(document.querySelector(MAIN)));
  await press('button', 'Изменить набор «Лето»');
  await press('menuitem', 'Удалить набор');
  await untilRead('Набор «Лето» удалён', TOAST);
  await untilGone('Наборы:', MAIN);
  server.answer(getToolSettings, { last: {}, sets: [summer] });
  await press('button', 'Вернуть');
  await find('button', 'Лето');
  expect(server.callsOf(createSettingSet).at(-1)?.body).toMatchObject({ name: 'Лето' });
});

test('the wizard keeps model and background for the next photo, and leaves their steps out', async () => {
  const settings = { modelId: MODEL.id, backgroundId: BACKGROUND.id, isModelReplaced: true };
  const { press, find, choosePhoto } = await openScreen(resultPath('model_change', GENERATION_ID), {
    prepare: (server) =>
      server.answer(
        getGeneration,
        sampleGeneration('model_change', { status: 'completed', settings, results: [sampleResult()] }),
      ),
  });
  const choosers = countChoosers();
  await press('button', 'Следующее фото');
  expect(choosers()).toBe(1);
  await choosePhoto();
  await press('button', /^Далее/);
  await find('button', /^Сменить модель/);
  expect(readText(MAIN)).toContain(MODEL.name);
  expect(readText(MAIN)).toContain(BACKGROUND.name);
});

test('other settings of a changed photo lead back to the choices with the photo in its place', async () => {
  const settings = { modelId: MODEL.id, backgroundId: BACKGROUND.id, isModelReplaced: true };
  const { press, find } = await openScreen(resultPath('model_change', GENERATION_ID), {
    prepare: (server) =>
      server.answer(
        getGeneration,
        sampleGeneration('model_change', { status: 'completed', settings, results: [sampleResult()] }),
      ),
  });
  await press('button', 'Другие настройки этого фото');
  expect((await find('radio', new RegExp(MODEL.name), '[aria-label=Модель]')).getAttribute('aria-checked')).toBe(
    'true',
  );
  await press('button', /^Далее/);
  await find('button', /^Сменить модель/);
});

test('what the catalogue does not offer any more is left out of the last settings and chosen again', async () => {
  const { press, find, choosePhoto } = await openScreen(CHANGE, {
    prepare(server) {
      server.answer(getToolAbilities, LOCAL_TOOLS);
      server.answer(getCatalogue, { models: [MODEL], backgrounds: [BACKGROUND] });
      server.answer(getToolSettings, { last: { model_change: { modelId: null, backgroundId: 'gone' } }, sets: [] });
    },
  });
  await choosePhoto();
  await press('button', /^Далее/);
  const background = await find('radio', BACKGROUND.name);
  expect(background.getAttribute('aria-checked')).toBe('false');
});

test('«Сделать так же» of a try-on keeps the person and the kind of garment', async () => {
  const person = { ...PHOTO, id: 'photo-2', name: 'anna.jpg' };
  const view = sampleGeneration('try_on', {
    status: 'completed',
    photos: [{ ...PHOTO, id: 'photo-3', name: 'old.jpg' }, person],
    settings: { category: 'bottoms' },
  });
  const { server, choose, press } = await openScreen(likePath('try_on', GENERATION_ID), {
    prepare(server) {
      server.answer(getToolAbilities, ALL_TOOLS);
      server.answer(getGeneration, view);
    },
  });
  await untilShown('anna.jpg', MAIN);
  expect(readText(MAIN)).not.toContain('old.jpg');
  await choose(photoFile('dress-1200x1600.jpg'));
  await untilShown(PHOTO.name, MAIN);
  server.answer(startTryOn, { generationId: GENERATION_ID });
  await press('button', /^Примерить/);
  await until(() => expect(server.callsOf(startTryOn)).toHaveLength(1));
  expect(server.callsOf(startTryOn)[0]?.body).toEqual({
    garmentImageId: PHOTO.id,
    personImageId: person.id,
    category: 'bottoms',
  });
});

test('a photo session like another one needs only its photo', async () => {
  await openScreen(likePath('photosession', GENERATION_ID), {
    prepare: (server) =>
      server.answer(
        getGeneration,
        sampleGeneration('photosession', { status: 'completed', results: [sampleResult()] }),
      ),
  });
  await until(() => expect(location.search).toBe(''));
  await until(() => expect(document.activeElement?.textContent).toContain('Вещь целиком'));
});

test('«Сделать так же» stands beside a picture of the gallery', async () => {
  const image = sampleImage({ made: 'background_change', generationId: GENERATION_ID });
  const { press, find } = await openGallery([image]);
  await press('button', /^Открыть: /);
  const link = await find('link', 'Сделать так же');
  expect(link.getAttribute('href')).toBe(likePath('model_change', GENERATION_ID));
});
