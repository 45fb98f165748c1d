// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { GarmentCheckView } from '#shared/contract/garment-checks.ts';
import {
  cancelGeneration,
  type GenerationView,
  getGeneration,
  rerollGeneration,
} from '#shared/contract/generations.ts';
import { getToolAbilities } from '#shared/contract/tools.ts';
import { listVideos } from '#shared/contract/videos.ts';
import { resultPath } from '#shared/rules/result-links.ts';
import type { ContractServer } from '#tests/pwa/support/contract-server.ts';
import { CREATE_VIDEO, openGallery, openGeneration } from '#tests/pwa/support/open-pages.ts';
import {
  clean,
  closeScreen,
  letTimeBeSkipped,
  openScreen,
  readText,
  untilRead,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import {
  GENERATION_ID,
  LOCAL_TOOLS,
  PHOTO,
  sampleGeneration,
  sampleImage,
  sampleResult,
  VIDEO,
} from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const MAIN = 'main';
const TOAST = '.toast';
const DIALOG = '[role=dialog]';
const REROLL_ID = '0a1b2c3d-4e5f-4a6b-8c7d-8e9f0a1b2c3d';
const FREE = 'Бесплатная переделка: звёзды не списываются.';

afterEach(closeScreen);

function check(
  verdict: GarmentCheckView['verdict'],
  drifts: GarmentCheckView['drifts'] = verdict === 'drifted' ? ['print'] : [],
): GarmentCheckView {
  const crops = verdict === 'drifted' ? { sourceUrl: '/crops/source', resultUrl: '/crops/result' } : null;
  return { verdict, drifts, crops };
}

/** A completed try-on whose picture was compared with this outcome. */
function tryOn(garmentCheck: GarmentCheckView | null, part: Partial<GenerationView> = {}): GenerationView {
  const made = { status: 'completed' as const, photos: [PHOTO, PHOTO], results: [sampleResult({ garmentCheck })] };
  return { ...sampleGeneration('try_on', made), ...part } as GenerationView;
}

/** A session of so many drifted frames, at these positions. */
function session(drifted: readonly number[], part: Partial<GenerationView> = {}): GenerationView {
  const results = [0, 1, 2, 3, 4].map((position) =>
    sampleResult({
      id: `f${position}`,
      position,
      garmentCheck: check(drifted.includes(position) ? 'drifted' : 'kept'),
    }),
  );
  return {
    ...sampleGeneration('photosession', { status: 'completed', starsSpent: 2, results, reroll: 'offered' }),
    ...part,
  } as GenerationView;
}

/** Knows these generations. A generation that is asked about later replaces the earlier one with its id. */
function tellOf(server: ContractServer, ...views: GenerationView[]): void {
  const byId = new Map(views.map((view) => [view.id, view]));
  server.answer(getGeneration, ({ url }) => {
    const view = byId.get(url.pathname.split('/').at(-1) ?? '');
    if (!view) throw new Error(`nobody has told of ${url.pathname}`);
    return view;
  });
}

test('a drift is shown with both crops once it is found, and its one re-roll is followed as an own generation for nothing', async () => {
  letTimeBeSkipped();
  const { server, find, pressTwice } = await openGeneration(tryOn(check('pending')));
  await untilShown('Сверяем вещь с фото…', MAIN);
  const drifted = tryOn(check('drifted', ['colour', 'print']), { reroll: 'offered' });
  tellOf(server, drifted);
  await vi.advanceTimersByTimeAsync(5000);
  await untilShown('Проверьте цвет и принт', `${MAIN} [role=status]`);
  expect(readText(MAIN)).not.toContain('Сверяем');
  const crops = [...document.querySelectorAll('[aria-label="Сверка с фото"] img')];
  expect(crops.map((crop) => [crop.getAttribute('src'), crop.getAttribute('alt')])).toEqual([
    ['/crops/source', 'На вашем фото: фрагмент вещи'],
    ['/crops/result', 'На результате: фрагмент вещи'],
  ]);

  const running = { ...sampleGeneration('try_on', { photos: [PHOTO, PHOTO], starsSpent: 0 }), id: REROLL_ID };
  tellOf(server, drifted, { ...running, rerollOf: GENERATION_ID } as GenerationView);
  server.answer(rerollGeneration, { generationId: REROLL_ID });
  await pressTwice('button', 'Переделать бесплатно');
  await untilShown('Генерируем', MAIN);
  await untilShown(FREE, MAIN);
  expect(readText(MAIN)).not.toContain('звезда вернётся');
  expect(readText(TOAST)).toContain('Переделываем бесплатно');
  expect(server.callsOf(rerollGeneration).map(({ url }) => url.pathname)).toEqual([
    `/api/generations/${GENERATION_ID}/reroll`,
  ]);
  await until(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Примерка'));

  tellOf(server, drifted, tryOn(check('kept'), { id: REROLL_ID, starsSpent: 0, rerollOf: GENERATION_ID }));
  await vi.advanceTimersByTimeAsync(3000);
  await untilShown('Это бесплатная переделка. Открыть прежний результат', MAIN);
  expect(readText(MAIN)).toContain('заметных изменений цвета и принта нет');
  expect((await find('link', 'Открыть прежний результат')).getAttribute('href')).toBe(
    resultPath('try_on', GENERATION_ID),
  );
});

test.each([
  ['kept', 'Сверили с фото: заметных изменений цвета и принта нет'],
  ['not_comparable', 'Не удалось сравнить вещь с фото: посмотрите сами'],
] as const)('a result that is %s says so without alarm', async (verdict, text) => {
  await openGeneration(tryOn(check(verdict)));
  await untilShown(text, MAIN);
  expect(document.querySelector('.bg-warning-soft')).toBeNull();
  expect(readText(MAIN)).not.toContain('Переделать');
});

test('where nothing is compared nothing is said, and nothing is asked once more', async () => {
  const { server } = await openGeneration(tryOn(null));
  await untilShown('Вещь примерена', MAIN);
  expect(document.querySelector('[aria-label="Сверка с фото"]')).toBeNull();
  expect(server.callsOf(getGeneration)).toHaveLength(1);
});

test('the drifted frames of a session are named, and the re-roll waits for them only', async () => {
  letTimeBeSkipped();
  const { server, press } = await openGeneration(session([1, 3]));
  await untilShown('Поза 2: проверьте принт', MAIN);
  await untilShown('Поза 4: проверьте принт', MAIN);
  expect(readText(MAIN)).not.toContain('Поза 1:');
  expect(document.querySelectorAll('.tag.warn')).toHaveLength(2);
  expect(readText(MAIN)).toContain('только эти кадры');

  const positions = [1, 3];
  const running = { ...sampleGeneration('photosession', { positions, starsSpent: 0 }), id: REROLL_ID };
  tellOf(server, session([1, 3]), { ...running, rerollOf: GENERATION_ID } as GenerationView);
  server.answer(rerollGeneration, { generationId: REROLL_ID });
  await press('button', 'Переделать бесплатно');
  await untilRead('Готовим 2 позы', MAIN);
  expect(readText(MAIN)).toContain(FREE);
  expect([...document.querySelectorAll('.drop + div')].map(({ textContent }) => clean(textContent))).toEqual([
    'Поза 2',
    'Поза 4',
  ]);

  const results = positions.map((position) => sampleResult({ id: `r${position}`, position }));
  const ended = { positions, results, status: 'completed', starsSpent: 0 } as const;
  tellOf(server, {
    ...sampleGeneration('photosession', { ...ended, results }),
    id: REROLL_ID,
    rerollOf: GENERATION_ID,
  } as GenerationView);
  await vi.advanceTimersByTimeAsync(5000);
  await untilRead('2 изображения', MAIN);
  expect(readText(MAIN)).not.toContain('из 2 изображений');
});

test('all frames are offered as one archive only where there are several', async () => {
  const positions = [3];
  const results = [sampleResult({ position: 3 })];
  await openGeneration(session([], { positions, results, rerollOf: REROLL_ID }));
  await untilShown('1 изображение', MAIN);
  expect(readText(MAIN)).not.toContain('Скачать все');
  await openGeneration(session([]));
  await untilShown('Скачать все (ZIP)', MAIN);
});

test('a re-roll that was made is linked, and its own result names no price', async () => {
  const results = [sampleResult({ garmentCheck: check('drifted', ['colour']) })];
  const made = sampleGeneration('model_change', { status: 'completed', results, reroll: 'used' });
  const original = { ...made, rerolledBy: REROLL_ID } as GenerationView;
  const reroll = {
    ...sampleGeneration('model_change', { status: 'completed', results, starsSpent: 0 }),
    id: REROLL_ID,
    rerollOf: GENERATION_ID,
  } as GenerationView;
  const { press } = await openGeneration(original, (server) => tellOf(server, original, reroll));
  await untilShown('Проверьте цвет', MAIN);
  expect(readText(MAIN)).toContain('Бесплатная переделка использована.');
  expect(readText(MAIN)).not.toContain('Переделать бесплатно');
  // The wizard writes its step into the history first.
  await until(() => expect(history.state?.usr?.wizard?.step).toBe('generation'));
  await press('link', 'Открыть её');
  await untilRead('Это бесплатная переделка.', MAIN);
  expect(readText(MAIN)).toContain('СписаноБесплатная переделка');
});

test('a re-roll that failed has cost nothing and is repeated for nothing', async () => {
  const failure = { code: 'engine_error', message: 'Произошла ошибка' } as const;
  const failed = sampleGeneration('model_change', { status: 'failed', failure, starsSpent: 0 });
  const { server, press } = await openGeneration({ ...failed, rerollOf: REROLL_ID } as GenerationView);
  await untilShown('Произошла ошибка', `${MAIN} [role=alert]`);
  expect(readText(`${MAIN} [role=alert]`)).not.toMatch(/звезд|Повторить/);
  server.refuse(rerollGeneration, 'reroll_not_offered');
  await press('button', 'Переделать бесплатно');
  await untilShown('Не удалось начать переделку', TOAST);
  expect(server.callsOf(rerollGeneration).map(({ url }) => url.pathname)).toEqual([
    `/api/generations/${REROLL_ID}/reroll`,
  ]);
});

test('a re-roll that is cancelled leads back to the drifted result, which offers it again', async () => {
  const drifted = tryOn(check('drifted'), { reroll: 'offered' });
  const running = sampleGeneration('try_on', { id: REROLL_ID, rerollOf: GENERATION_ID, starsSpent: 0 });
  const { press, find } = await openGeneration(drifted, (server) => {
    tellOf(server, drifted, running);
    server.answer(rerollGeneration, { generationId: REROLL_ID });
    server.answer(cancelGeneration, { outcome: 'cancelled', message: 'Генерация отменена' });
  });
  await press('button', 'Переделать бесплатно');
  await untilShown(FREE, MAIN);
  await press('button', 'Отменить', MAIN);
  await untilShown('Генерация отменена', TOAST);
  await find('button', 'Переделать бесплатно');
});

test('a re-roll without an answer says what to do, and may be pressed again', async () => {
  const drifted = tryOn(check('drifted'), { reroll: 'offered' });
  const { server, press, find } = await openGeneration(drifted, (server) => server.cut(rerollGeneration));
  await press('button', 'Переделать бесплатно');
  await untilShown('Нет связи с сервером. Проверьте интернет и повторите', TOAST);
  server.refuse(rerollGeneration, 'active_generation');
  await press('button', 'Переделать бесплатно');
  await untilShown('У вас уже есть активная генерация', TOAST);
  await find('button', 'Переделать бесплатно');
});

test('the gallery marks a drifted picture, compares it on demand, and leads to the page that follows the re-roll', async () => {
  const image = sampleImage({ id: 'f1', hasDrifted: true, made: 'photosession', generationType: 'photo_generation' });
  const { server, press } = await openGallery([image, sampleImage({ id: 'plain' })], (server) =>
    tellOf(server, session([1, 3])),
  );
  await untilShown('Проверьте вещь', MAIN);
  expect(document.querySelectorAll('.tag.warn')).toHaveLength(1);
  await press('button', /^Открыть: Пальто, Генерация фото/);
  await press('button', 'Проверьте принт', DIALOG);
  await untilShown('Сверка с фото', DIALOG);
  await untilShown('Поза 2: проверьте принт', DIALOG);
  expect(readText(DIALOG)).not.toContain('Поза 4');
  const running = sampleGeneration('photosession', { positions: [1, 3], starsSpent: 0 });
  tellOf(server, { ...running, id: REROLL_ID, rerollOf: GENERATION_ID } as GenerationView);
  server.answer(rerollGeneration, { generationId: REROLL_ID });
  await press('button', 'Переделать бесплатно', DIALOG);
  await untilShown('Фотосессия по одному фото', 'h1');
  await untilRead('Готовим 2 позы', MAIN);
  expect(document.querySelector(DIALOG)).toBeNull();
});

test('a drifted video of the history is compared, and one that no engine has drawn anew is not asked about', async () => {
  const videos = [{ ...VIDEO, hasDrifted: true }];
  const results = [sampleResult({ garmentCheck: check('drifted') })];
  const { server } = await openScreen(CREATE_VIDEO, {
    prepare(server) {
      server.answer(getToolAbilities, LOCAL_TOOLS);
      server.answer(listVideos, {
        videos: [...videos, { ...VIDEO, generationId: REROLL_ID, videoId: REROLL_ID, id: REROLL_ID }],
        nextCursor: null,
      });
      tellOf(server, { ...sampleGeneration('video', { status: 'completed', results }), id: VIDEO.videoId });
    },
  });
  const history = '[aria-label="История видео"]';
  await until(() => expect(document.querySelectorAll(`${history} li button`)).toHaveLength(2));
  const [drifted, plain] = document.querySelectorAll(`${history} li button`);
  fireEvent.click(drifted as Element);
  await untilShown('Проверьте принт', MAIN);
  fireEvent.click(plain as Element);
  await until(() => expect(readText(MAIN)).not.toContain('Проверьте принт'));
  const asked = server.callsOf(getGeneration).map(({ url }) => url.pathname);
  expect(new Set(asked)).toEqual(new Set([`/api/generations/${VIDEO.videoId}`]));
});
