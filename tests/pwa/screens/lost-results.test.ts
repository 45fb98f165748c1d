// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { getPremiumStatus } from '#shared/contract/account.ts';
import { downloadImage } from '#shared/contract/downloads.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { listResults } from '#shared/contract/gallery.ts';
import type { ResultLoss } from '#shared/contract/generation-outcomes.ts';
import {
  type GenerationResult,
  type GenerationView,
  getGeneration,
  returnLostStars,
} from '#shared/contract/generations.ts';
import { streamResultImage } from '#shared/contract/media.ts';
import { getStarBalance } from '#shared/contract/stars.ts';
import { getVideoDownloadAccess, listVideos, streamVideo } from '#shared/contract/videos.ts';
import { CREATE_VIDEO, GALLERY, openGallery, openGeneration, openWithVideo } from '#tests/pwa/support/open-pages.ts';
import {
  closeScreen,
  failPlayback,
  letTimeBeSkipped,
  openScreen,
  readText,
  type Screen,
  untilGone,
  untilRead,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import {
  FREE,
  GENERATION_ID,
  PAID,
  sampleGeneration,
  sampleImage,
  sampleResult,
  sampleResults,
  VIDEO,
} from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const MAIN = 'main';
const IMAGE_URL = `/media/results/${GENERATION_ID}/0/image`;
const DIALOG = '[role=dialog]';
const TOAST = '.toast';
const RETURN = 'Вернуть звёзды';
const EXPLANATION = 'Файл этого результата потерян на сервере, показать и скачать его нельзя.';
const LOST = { stars: 1, isReturned: false };

afterEach(closeScreen);

const completed = (kind: GenerationView['kind'], results: GenerationResult[]) =>
  sampleGeneration(kind, { status: 'completed', results });

function openResults(kind: GenerationView['kind'], results: GenerationResult[], premium = FREE): Promise<Screen> {
  return openGeneration(completed(kind, results), (server) => {
    server.answer(getPremiumStatus, premium);
    server.answer(getStarBalance, { balance: 1 });
    server.answer(returnLostStars, () => {
      const lost = results.filter(({ loss }) => loss);
      const stars = lost.reduce((sum, { loss }) => sum + (loss?.stars ?? 0), 0);
      const returned = results.map((one) => (one.loss ? { ...one, loss: { ...one.loss, isReturned: true } } : one));
      server.answer(getStarBalance, { balance: 1 + stars });
      server.answer(getGeneration, completed(kind, returned));
      return { stars, message: `${stars} звёзд` };
    });
  });
}

const lostResult = (part: Partial<GenerationResult> = {}, loss: ResultLoss = LOST) => sampleResult({ ...part, loss });

test.each(['video', 'model_change', 'try_on', 'photosession'] as const)(
  'the page of a lost result (%s) offers its stars and nothing that needs the file, and a press returns them once',
  async (kind) => {
    const { server, press, find, key } = await openResults(kind, [lostResult()]);
    await untilShown(EXPLANATION, MAIN);
    expect(document.querySelectorAll(`${MAIN} video, ${MAIN} img[src^="/api/images"]`)).toHaveLength(0);
    expect(readText(MAIN)).not.toMatch(/Скачать|Сделать из результата видео|Сдвиньте границу/);
    await untilRead(/^1/, 'header .bal');

    const letAnswer = server.hold(returnLostStars);
    (await find('button', RETURN, MAIN)).focus();
    await key('{Enter}');
    await press('button', 'Проверяем файл…', MAIN);
    letAnswer();
    await untilShown('1 звезда возвращена', MAIN);
    await untilRead(/^2/, 'header .bal');
    await untilGone(RETURN, MAIN);
    // The focus does not fall out of the page.
    expect(document.activeElement?.textContent).toBe('1\u00a0звезда возвращена');
    expect(server.callsOf(returnLostStars).map(({ url }) => url.pathname)).toEqual([
      `/api/generations/${GENERATION_ID}/return-lost-stars`,
    ]);
  },
);

test('of a photo session only the lost frames are closed, and their stars come back together', async () => {
  const frames = [0, 1, 2].map((position) => sampleResult({ id: `result-${position}`, position }));
  const { press, find } = await openResults('photosession', [
    ...frames,
    lostResult({ id: 'result-3', position: 3 }),
    lostResult({ id: 'result-4', position: 4 }),
  ]);
  await untilShown(EXPLANATION, MAIN);
  expect(document.querySelectorAll(`${MAIN} button[aria-label^="Скачать:"]`)).toHaveLength(3);
  expect(document.querySelectorAll(`${MAIN} button:disabled[aria-label$="файл потерян"]`)).toHaveLength(2);
  await press('button', RETURN, MAIN);
  await untilShown('2 звезды возвращены', MAIN);
  await find('button', 'Скачать все (ZIP)', MAIN);
});

test('a lost video of the history is said to be lost and offers its stars', async () => {
  const { press } = await openScreen(CREATE_VIDEO, {
    prepare: (server) => server.answer(listVideos, { videos: [{ ...VIDEO, loss: LOST }], nextCursor: null }),
  });
  await press('button', /^Видео, /);
  await untilShown(EXPLANATION, MAIN);
  expect(document.querySelector('video')).toBeNull();
});

/** Opens a page with a video whose file cannot be had, which the server notices when it is asked for the file. */
function openUnnoticed(address: string, code: 'result_lost' | 'storage_unavailable' = 'result_lost'): Promise<Screen> {
  return openWithVideo(address, (server) => {
    server.answer(getGeneration, completed('video', [sampleResult()]));
    server.refuse(streamVideo, code);
  });
}

function noticeLoss(server: Screen['server']): void {
  server.answer(listVideos, { videos: [{ ...VIDEO, loss: LOST }], nextCursor: null });
  server.answer(listResults, sampleResults([{ ...VIDEO, loss: LOST }]));
  server.answer(getGeneration, completed('video', [lostResult()]));
}

test.each([
  ['the history', CREATE_VIDEO, /^Видео, /],
  ['the gallery', GALLERY, /^Открыть: /],
] as const)(
  'whoever is the first to play a lost video of %s is told so and offered its stars',
  async (_, page, name) => {
    const { server, press, find } = await openUnnoticed(page);
    await press('button', name);
    await until(() => expect(document.querySelector('video')).not.toBeNull());
    noticeLoss(server);
    const letAnswer = [server.hold(getGeneration), server.hold(listVideos), server.hold(listResults)];
    await failPlayback();
    await untilShown(ERRORS.result_lost.message);
    for (const answer of letAnswer) answer();
    await untilShown(EXPLANATION);
    await find('button', RETURN);
    expect(document.querySelector('video')).toBeNull();
  },
);

test('a video is not said to be unreachable while only the storage is away', async () => {
  const { press } = await openUnnoticed(CREATE_VIDEO, 'storage_unavailable');
  await press('button', /^Видео, /);
  await failPlayback();
  await untilShown(ERRORS.storage_unavailable.message, MAIN);
});

test.each([
  ['picture', 'Скачать: Пальто'],
  ['video', 'Скачать: Дефиле'],
])('a download that meets a lost file (%s) says so, and the card is then lost', async (_kind, name) => {
  const { server, press, find } = await openWithVideo(GALLERY, (server) => {
    if (name.endsWith('Пальто')) server.answer(listResults, sampleResults([sampleImage()]));
    server.refuse(downloadImage, 'result_lost');
    server.refuse(streamVideo, 'result_lost');
  });
  await find('button', name);
  noticeLoss(server);
  if (name.endsWith('Пальто')) server.answer(listResults, sampleResults([sampleImage({ loss: LOST })]));
  await press('button', name);
  await untilShown('Файл потерян', TOAST);
  await untilShown(ERRORS.result_lost.message, TOAST);
  await find('button', RETURN, 'article');
});

test('the dialog that meets a lost file says so and offers no repeat', async () => {
  const { server, press, find } = await openResults('try_on', [sampleResult()], PAID);
  await press('button', 'Ещё о скачивании', MAIN);
  await press('menuitem', 'Варианты скачивания');
  server.refuse(downloadImage, 'result_lost');
  server.answer(getGeneration, completed('try_on', [lostResult()]));
  await press('button', 'Скачать оригинал', DIALOG);
  await untilShown(ERRORS.result_lost.message, DIALOG);
  expect(readText(DIALOG)).toContain('Файл потерян');
  expect(readText(DIALOG)).not.toMatch(/Готово к скачиванию|Скачать/);
  await press('button', 'Закрыть', DIALOG);
  await find('button', RETURN, MAIN);
});

test('the dialog of a video that is known as lost says so and offers no repeat', async () => {
  const { server, press, find } = await openWithVideo(GALLERY, (server) => {
    server.refuse(streamVideo, 'premium_required');
    server.refuse(getVideoDownloadAccess, 'result_lost');
  });
  await find('button', 'Скачать: Дефиле');
  noticeLoss(server);
  await press('button', 'Скачать: Дефиле');
  await untilShown(ERRORS.result_lost.message, DIALOG);
  expect(readText(DIALOG)).not.toMatch(/Повторить|Скачать/);
  await press('button', 'Закрыть', DIALOG);
  await find('button', RETURN, 'article');
});

const shownPicture = () =>
  until(() => document.querySelector('.viewer-area img.viewer-picture') ?? expect.fail('none'));

test('a picture that turns out to be lost in the viewer is said to be lost there, and offers its stars', async () => {
  const { server, press, find } = await openGallery([sampleImage({ imageUrl: IMAGE_URL })], (server) =>
    server.refuse(streamResultImage, 'result_lost'),
  );
  await press('button', /^Открыть: /);
  const lost = sampleImage({ imageUrl: IMAGE_URL, loss: LOST });
  server.answer(listResults, sampleResults([lost]));
  const picture = await shownPicture();
  await act(async () => fireEvent.error(picture));
  await untilShown('Файл потерян', DIALOG);
  await find('button', RETURN, DIALOG);
  expect(readText(DIALOG)).not.toMatch(/Скачать|Оригинал/);
});

test('a picture that the viewer cannot load says why, and comes with a press of «Повторить»', async () => {
  const { server, press, find, key } = await openGallery([sampleImage({ imageUrl: IMAGE_URL })], (server) =>
    server.refuse(streamResultImage, 'storage_unavailable'),
  );
  await press('button', /^Открыть: /);
  await act(async () => fireEvent.error(await shownPicture()));
  await untilShown(ERRORS.storage_unavailable.message, `${DIALOG} [role=alert]`);

  const nextTry = () => until(() => document.querySelector('.viewer-area img[hidden]') ?? expect.fail('no try'));
  server.cut(streamResultImage);
  const retry = await find('button', 'Повторить', DIALOG);
  retry.focus();
  await key('{Enter}');
  const failed = await nextTry();
  expect(failed.getAttribute('src')).toBe(IMAGE_URL);
  await act(async () => fireEvent.error(failed));
  await untilShown('Нет связи с сервером. Проверьте интернет и повторите', DIALOG);
  expect(document.activeElement).toBe(retry);

  await key('{Enter}');
  await until(() => expect(document.querySelector('.viewer-area img[hidden]')).not.toBe(failed));
  await act(async () => fireEvent.load(await nextTry()));
  await shownPicture();
  expect(readText(DIALOG)).not.toMatch(/Повторить|Нет связи/);
});

test('a picture that could not be loaded gives way to a placeholder, and comes when the server is back', async () => {
  letTimeBeSkipped();
  await openGallery([sampleImage()]);
  const find = (selector: string) =>
    until(() => document.querySelector(`article ${selector}`) ?? expect.fail(`no ${selector}`));
  const picture = await find('img.ph');
  const url = picture.getAttribute('src');
  await act(async () => fireEvent.error(picture));
  await find('span.ph img.sil');
  await act(() => vi.advanceTimersByTimeAsync(6_000));
  const again = await find('img[hidden]');
  expect(again.getAttribute('src')).toBe(url);
  await act(async () => fireEvent.load(again));
  await find('img.ph');
  expect(document.querySelector('article .sil')).toBeNull();
});

test.each(['model_change', 'try_on'] as const)(
  'a download on the page of its result (%s) shows the loss on the page',
  async (kind) => {
    const { server, press, find } = await openResults(kind, [sampleResult()], PAID);
    server.refuse(downloadImage, 'result_lost');
    await find('button', 'Скачать', MAIN);
    server.answer(getGeneration, completed(kind, [lostResult()]));
    await press('button', 'Скачать', MAIN);
    await untilShown(ERRORS.result_lost.message, TOAST);
    await untilRead(EXPLANATION, MAIN);
  },
);

test('stars that were not returned stay on offer, with the reason', async () => {
  const { server, press, find } = await openResults('video', [lostResult()]);
  server.refuse(returnLostStars, 'storage_unavailable');
  await press('button', RETURN, MAIN);
  await untilShown('Звёзды не возвращены', TOAST);
  await find('button', RETURN, MAIN);
});

test('a result that cost nothing offers nothing back', async () => {
  await openResults('video', [lostResult({}, { stars: 0, isReturned: false })]);
  await untilShown(EXPLANATION, MAIN);
  expect(readText(MAIN)).not.toContain(RETURN);
});
