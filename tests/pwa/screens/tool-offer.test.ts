// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { cancelGeneration, type GenerationView, getGeneration } from '#shared/contract/generations.ts';
import { startPhotosession } from '#shared/contract/photosessions.ts';
import { getToolAbilities, getToolOffer } from '#shared/contract/tools.ts';
import { startVideo } from '#shared/contract/videos.ts';
import { FAILURES, type GenerationFailureCode } from '#shared/rules/generation-lifecycle.ts';
import { DEMONSTRATION_NOTE } from '#shared/rules/tool-offer.ts';
import { openGeneration } from '#tests/pwa/support/open-pages.ts';
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
  GENERATION_ID,
  GENERATIVE_TOOLS,
  PHOTO,
  sampleGeneration,
  sampleOffer,
  sampleResult,
} from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const MAIN = 'main';
const PROBLEM = `${MAIN} [role=alert]`;
const NAVIGATION = 'nav[aria-label=Разделы]';
const VIDEO = '/dashboard/create-video';
const CHANGE = '/dashboard/change-model';
const SESSION = '/dashboard/photoshoot';
const MAINTENANCE = /^Инструмент на обслуживании: новые генерации/;
const KINDS = ['video', 'model_change', 'photosession'] as const;
const ABROAD = 'Фото обрабатывается на сервере за границей.';

afterEach(closeScreen);

test('an obstacle is said before anything is pressed, keeps the start closed, and goes by itself', async () => {
  letTimeBeSkipped();
  const { server, find, choosePhoto } = await openScreen(VIDEO, {
    prepare: (server) => server.answer(getToolOffer, sampleOffer({ video: 'engine_maintenance' })),
  });
  await untilRead(MAINTENANCE, `${MAIN} [role=status]`);
  expect(readButton('Инструмент на обслуживании').disabled).toBe(true);
  await choosePhoto();
  expect(readButton('Инструмент на обслуживании').disabled).toBe(true);

  server.answer(getToolOffer, sampleOffer());
  await vi.advanceTimersByTimeAsync(30_000);
  await find('button', /^Создать видео/);
  expect(readText(MAIN)).not.toContain('на обслуживании');
});

test('an obstacle that comes while the page is open is seen on the return to it', async () => {
  letTimeBeSkipped();
  const { server } = await openScreen(SESSION);
  await until(() => expect(server.callsOf(getToolOffer).length).toBeGreaterThan(0));
  await vi.advanceTimersByTimeAsync(20_000);
  server.answer(getToolOffer, sampleOffer({ photosession: 'engine_failing' }));
  dispatchEvent(new Event('visibilitychange'));
  await untilRead('Сервис генерации сейчас работает с ошибками', MAIN);
});

test('a refused start shows the same notice at once', async () => {
  const { server, press, choosePhoto } = await openScreen(SESSION);
  await choosePhoto();
  server.refuse(startPhotosession, 'engine_budget_reached');
  await press('button', /^Создать фотосессию/);
  await untilRead('На сегодня генерации закончились', `${MAIN} [role=status]`);
  await until(() => expect(readButton('Генерации на сегодня закончились').disabled).toBe(true));
});

test('who may still buy stars is offered to when the free runs have ended', async () => {
  const { find } = await openScreen(CHANGE, {
    prepare: (server) => server.answer(getToolOffer, sampleOffer({ model_change: 'engine_free_runs_reached' })),
  });
  await untilRead('Бесплатные генерации на сегодня закончились', MAIN);
  await find('button', 'Купить звезды', MAIN);
});

test('the home page names the tools that are closed, with one notice for each reason', async () => {
  await openScreen('/dashboard', {
    prepare: (server) =>
      server.answer(
        getToolOffer,
        sampleOffer({ video: 'engine_failing', photosession: 'engine_failing', model_change: 'engine_maintenance' }),
      ),
  });
  await untilShown('Видео, Фотосессия', MAIN);
  await untilShown('Смена модели', `${MAIN} [role=status]`);
  expect(readText(`${MAIN} [role=status]`).match(/работает с ошибками/g)).toHaveLength(1);
});

test('a tool that no engine has is nowhere offered, and its page says so', async () => {
  const { go } = await openScreen('/dashboard', {
    prepare(server) {
      server.answer(getToolAbilities, {
        ...GENERATIVE_TOOLS,
        offered: ['model_change'],
        videoSeconds: [],
        aspectRatios: [],
      });
      server.answer(getToolOffer, sampleOffer({ video: 'tool_not_offered', photosession: 'tool_not_offered' }));
    },
  });
  await untilShown('Здесь появятся ваши результаты', MAIN);
  const links = () => [...document.querySelectorAll('a')].map((link) => link.getAttribute('href'));
  expect(links()).toContain(CHANGE);
  expect(links().filter((address) => address?.startsWith(VIDEO) || address === SESSION)).toEqual([]);
  expect(readText(NAVIGATION)).not.toMatch(/Видео|Фото/);
  expect(readText(MAIN)).not.toContain('не предлагается');
  for (const page of [VIDEO, SESSION]) {
    await go(page);
    await untilShown('Этот инструмент сейчас не предлагается', MAIN);
    expect(document.querySelector(`${MAIN} input[type=file]`)).toBeNull();
  }
});

test('a remembered length that is not made any more falls back, and says so', async () => {
  const { server, press, choosePhoto, reload } = await openScreen(VIDEO);
  await choosePhoto();
  await press('radio', /^10 секунд/);
  await press('radio', '9:16');
  server.answer(getToolAbilities, { ...GENERATIVE_TOOLS, videoSeconds: [5], aspectRatios: ['3:4', '1:1'] });
  await reload();
  await untilShown(
    'Видео 10 секунд сейчас не создаётся, выбрано 5 секунд. Формат 9:16 сейчас не создаётся, выбран 3:4.',
    MAIN,
  );
  expect(listRadios('Длительность')).toEqual(['5 секунд1 звезда']);
  expect(listRadios('Формат кадра')).toEqual(['3:4', '1:1']);
  server.answer(startVideo, { generationId: GENERATION_ID, videoId: GENERATION_ID });
  server.answer(getGeneration, sampleGeneration('video'));
  await press('button', /^Создать видео/);
  await until(() =>
    expect(server.callsOf(startVideo).map(({ body }) => body)).toMatchObject([
      { settings: { duration: 5, aspectRatio: '3:4' } },
    ]),
  );
});

test.each([VIDEO, CHANGE, SESSION])(
  'where photos go abroad %s says so at the upload, and nowhere else',
  async (page) => {
    const { server, reload } = await openScreen(page, {
      prepare: (server) => server.answer(getToolOffer, sampleOffer({}, 'abroad')),
    });
    await untilShown(ABROAD, MAIN);
    server.answer(getToolOffer, sampleOffer({}, 'operator'));
    await reload();
    await until(() => expect(server.callsOf(getToolOffer).length).toBeGreaterThan(1));
    await untilGone(ABROAD, MAIN);
  },
);

test.each([VIDEO, CHANGE, SESSION])('a stand-in in place of the engine is named on %s', async (page) => {
  const offer = sampleOffer({}, 'abroad');
  const tools = offer.tools.map((tool) => ({ ...tool, isDemonstration: true }));
  await openScreen(page, { prepare: (server) => server.answer(getToolOffer, { ...offer, tools }) });
  await untilShown(DEMONSTRATION_NOTE, MAIN);
});

test.each(KINDS)(
  'the minutes of a %s stand in one line of stages with one sentence, an honest estimate',
  async (kind) => {
    letTimeBeSkipped();
    const { server } = await openGeneration(sampleGeneration(kind, remote('pending', null)));
    await untilStage('В очереди');
    const words = readText(MAIN);
    expect(words).toContain(
      { video: 'Обычно 5–10 минут', model_change: 'Обычно до пяти минут', photosession: 'Обычно несколько минут' }[
        kind
      ],
    );
    expect(words).toMatch(/, страницу можно закрыть — результат появится в (истории|галерее)\./);
    const results = kind === 'photosession' ? [sampleResult({ position: 2 })] : [];
    for (const [status, share, stage] of [
      ['processing', null, 'Готовим'],
      ['generating', 0.4, 'Генерируем'],
      ['generating', 0.97, 'Сохраняем'],
    ] as const) {
      server.answer(getGeneration, sampleGeneration(kind, { ...remote(status, share), results }));
      await vi.advanceTimersByTimeAsync(10_000);
      await untilStage(stage);
    }
    const frames = [...document.querySelectorAll('[aria-label^="Увеличить: "]')].map((frame) =>
      clean(frame.getAttribute('aria-label') ?? ''),
    );
    expect(frames).toEqual(kind === 'photosession' ? ['Увеличить: Поза 3'] : []);
  },
);

test.each(KINDS)('a %s that cannot be stopped any more says so', async (kind) => {
  const { server, press } = await openGeneration(sampleGeneration(kind, remote('generating', 0.4)));
  const message = 'Остановить уже нельзя: результат появится в галерее';
  server.answer(cancelGeneration, { outcome: 'runs_on', message });
  await press('button', 'Отменить');
  await untilShown(message, '.toast');
});

const HELP: [GenerationFailureCode, string | null][] = [
  ['content_refused', 'Выбрать другое фото'],
  ['photo_unsuitable', 'Выбрать другое фото'],
  ['engine_overloaded', 'Повторить'],
  ['engine_timed_out', 'Повторить'],
  ['job_lost', 'Повторить'],
  ['engine_free_runs_reached', 'Купить звезды'],
];

test.each(HELP)(
  'a video that failed with %s says why, once that the stars are back, and offers «%s»',
  async (code, help) => {
    const { find } = await openGeneration(failed('video', code));
    await untilRead(clean(FAILURES[code].message), PROBLEM);
    expect(readText(PROBLEM).match(/зв[её]зд. возвращен/gi)).toHaveLength(1);
    await find('button', new RegExp(`^${help}`), PROBLEM);
    const offersRepeat = help !== 'Выбрать другое фото';
    expect(readText(PROBLEM).includes('Повторить')).toBe(offersRepeat);
  },
);

test.each(KINDS)('another photo after a refused one of a %s leads back to the upload', async (kind) => {
  const { press } = await openGeneration(failed(kind, 'content_refused'));
  await untilRead('Возьмите фото взрослого человека', PROBLEM);
  await press('button', 'Выбрать другое фото');
  await until(() => expect(document.querySelector(PROBLEM)).toBeNull());
  expect(document.querySelector(`${MAIN} input[type=file]`)).not.toBeNull();
  // The step of a change of model shows it until another one is chosen.
  if (kind !== 'model_change') expect(readText(MAIN)).not.toContain(PHOTO.name);
});

function remote(status: GenerationView['status'], share: number | null) {
  const startedAt = new Date(Date.now() - 60_000).toISOString();
  return { status, progress: { share, startedAt, finishedAt: null, expectedSeconds: null, isRemote: true } };
}

function failed(kind: GenerationView['kind'], code: GenerationFailureCode): GenerationView {
  return sampleGeneration(kind, {
    status: 'failed',
    starsSpent: 0,
    failure: { code, message: FAILURES[code].message },
  });
}

async function untilStage(name: string): Promise<void> {
  await until(() => expect(readText('[aria-label=Этапы] [aria-current=step]')).toBe(name));
}

function listRadios(group: string): string[] {
  return [...document.querySelectorAll(`[aria-label="${group}"] [role=radio]`)].map(({ textContent }) =>
    clean(textContent ?? ''),
  );
}
