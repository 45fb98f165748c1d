// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { VIDEO_TOOL } from '#pwa/features/videos/video-tool.ts';
import { listGallery, pickFromGallery } from '#shared/contract/gallery.ts';
import { getGeneration } from '#shared/contract/generations.ts';
import { uploadPhoto } from '#shared/contract/uploads.ts';
import { startVideo, streamVideo } from '#shared/contract/videos.ts';
import { GENERATION_FAILURES } from '#shared/rules/generation-lifecycle.ts';
import { BAD_GATEWAY } from '#tests/pwa/support/contract-server.ts';
import { describeTexts } from '#tests/pwa/support/literal-texts.ts';
import {
  CREATE_VIDEO,
  openEnding,
  openGeneration,
  openWithPhoto,
  openWithVideo,
} from '#tests/pwa/support/open-pages.ts';
import { letTimeBeSkipped, openScreen } from '#tests/pwa/support/open-screen.tsx';
import {
  GENERATION_ID,
  PHOTO,
  photoFile,
  sampleGallery,
  sampleGeneration,
  sampleImage,
  sampleResult,
} from '#tests/pwa/support/samples.ts';

const TOAST = '.toast';
const STAGE = '[aria-label="Видео"]';
const FORM = '[aria-label="Фото и настройки"]';
const DIALOG = '[role=dialog]';
const FAILED = sampleGeneration('video', {
  status: 'failed',
  failure: { code: 'engine_error', message: GENERATION_FAILURES.engine_error },
  starsSpent: 0,
});
const START = /^Создать видео/;

describeTexts(import.meta.filename, {
  async 'a photo that is uploaded'({ see }) {
    const { choosePhoto } = await openScreen(CREATE_VIDEO);
    await choosePhoto();
    await see(TOAST, 'Изображение загружено');
  },

  async 'files that are no photos'({ see }) {
    const { choose, server } = await openScreen(CREATE_VIDEO);
    await choose(new File(['text'], 'notes.txt', { type: 'text/plain' }));
    await see(FORM, 'Пожалуйста, выберите изображение');
    await see(TOAST, 'Пожалуйста, выберите изображение');
    await choose(photoFile('large-1200x1600.jpg', 10 * 1024 * 1024 + 1));
    await see(FORM, 'Размер файла не должен превышать 10MB');
    await choose(photoFile('small-299x400.jpg'));
    await see(FORM, 'Минимальный размер изображения 300x300 пикселей');
    server.garble(uploadPhoto, '<html>Too Large</html>', 413);
    await choose(photoFile('dress-1200x1600.jpg'));
    await see(FORM, 'Не удалось загрузить изображение');
    server.refuse(uploadPhoto, 'photo_too_small');
    await choose(photoFile('liar-1200x1600.jpg'));
    await see(FORM, 'Минимальный размер изображения 300x300 пикселей');
  },

  async 'a photo from the gallery'({ see, seeAs }) {
    const { press, server } = await openScreen(CREATE_VIDEO, {
      prepare(server) {
        server.garble(listGallery, ...BAD_GATEWAY);
        server.refuse(pickFromGallery, 'image_not_found');
      },
    });
    await press('button', 'Выбрать из галереи');
    await press('tab', 'Результаты');
    await see(TOAST, 'Не удалось загрузить галерею');
    await see(DIALOG, 'Не удалось загрузить галерею');
    server.answer(listGallery, sampleGallery([sampleImage()]));
    await press('button', 'Повторить');
    await press('radio', /^Пальто/);
    await press('button', 'Выбрать');
    await see(TOAST, 'Не удалось выбрать изображение из галереи');
    server.answer(pickFromGallery, PHOTO);
    await press('button', 'Выбрать');
    await seeAs(TOAST, 'Изображение "{title}" выбрано из галереи', 'Изображение "Пальто" выбрано из галереи');
  },

  async 'a start that is refused'({ see, seeAs }) {
    const { press, server } = await openWithPhoto((server) => server.garble(startVideo, ...BAD_GATEWAY));
    await press('button', START);
    await see(`${TOAST} .font-semibold`, 'Ошибка генерации видео');
    await see(`${TOAST} p`, 'Ошибка генерации видео');
    server.answer(getGeneration, sampleGeneration('video'));
    server.refuse(startVideo, 'active_generation', { generationId: GENERATION_ID });
    await press('button', START);
    const text = 'У вас уже есть активная генерация: Дождитесь завершения…';
    await seeAs(TOAST, text, 'У вас уже есть активная генерация', 'Дождитесь завершения…');
  },

  async 'a video that gets ready'({ see }) {
    const { press } = await openWithPhoto((server) => {
      server.answer(startVideo, { generationId: GENERATION_ID, videoId: GENERATION_ID });
      server.answer(getGeneration, completed());
    });
    await press('button', START);
    await see(TOAST, 'Видео готово!');
    await see(STAGE, 'Видео готово!');
  },

  async 'a video that fails'({ see, seeAs, hear }) {
    // Its photo was deleted meanwhile, so it cannot be tried again.
    const { press } = await openEnding({ ...FAILED, photos: [] });
    await see(TOAST, 'Ошибка генерации видео', 'Произошла ошибка на стороне API генерации.');
    await see(STAGE, 'Ошибка генерации видео');
    // Where the server gives no reason.
    const { toast } = VIDEO_TOOL.describeOutcome({ kind: 'failed', message: null }, null);
    hear('Произошла ошибка на стороне API генерации.', String(toast?.description));
    await press('button', /^Повторить/);
    const text = 'Отсутствует изображение — Пожалуйста, загрузите изображение';
    await seeAs(TOAST, text, 'Отсутствует изображение', 'Пожалуйста, загрузите изображение');
  },

  async 'a server that does not answer for its videos'({ see, seeAs }) {
    letTimeBeSkipped();
    const { server } = await openGeneration(FAILED, (server) => server.garble(getGeneration, ...BAD_GATEWAY));
    await see(TOAST, 'Ошибка опроса статуса');
    const text = 'Ошибка связи с сервером — Не удалось получить статус видео после 5 попыток';
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(1000);
      expect(server.callsOf(getGeneration)).toHaveLength(5);
    }, PATIENT);
    await seeAs(TOAST, text, 'Ошибка связи с сервером', 'Не удалось получить статус видео после 5 попыток');
    const hint = 'Не удалось получить статус видео после 5 попыток. Генерация продолжается на сервере.';
    await seeAs(STAGE, text, 'Ошибка связи с сервером', hint);
  },

  async 'a video that takes too long'({ see }) {
    letTimeBeSkipped();
    const { server } = await openGeneration(sampleGeneration('video'));
    await vi.waitFor(() => expect(server.callsOf(getGeneration)).toHaveLength(1), PATIENT);
    vi.setSystemTime(Date.now() + 25 * 60_000);
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(500);
      expect(document.querySelector(TOAST)).not.toBeNull();
    }, PATIENT);
    await see(TOAST, 'Генерация занимает слишком много времени');
    await see(STAGE, 'Генерация занимает слишком много времени');
  },

  async 'a generation that is not there'({ see }) {
    await openGeneration(FAILED, (server) => server.refuse(getGeneration, 'generation_not_found'));
    await see(STAGE, 'Ошибка опроса статуса');
  },

  async 'a finished video whose file is not told'({ see }) {
    const { press, server } = await openGeneration(completed({ results: [] }));
    await press('button', 'Получить видео');
    await see(TOAST, 'Видео не готово', 'Видео ещё обрабатывается, попробуйте позже');
    server.refuse(getGeneration, 'generation_not_found');
    await press('button', 'Получить видео');
    await see(TOAST, 'Ошибка получения видео');
    server.garble(getGeneration, ...BAD_GATEWAY);
    await press('button', 'Получить видео');
    await see(TOAST, 'Произошла ошибка при получении видео');
  },

  async 'a video of somebody else'({ see }) {
    const { break: breakVideo, server } = await openPlayer();
    server.refuse(streamVideo, 'video_forbidden');
    await breakVideo();
    await see(STAGE, 'Нет доступа к видео. Возможно, это видео принадлежит другому пользователю.');
  },

  async 'a video that does not play'({ see }) {
    const { break: breakVideo, server } = await openPlayer();
    server.sendFile(streamVideo, new Blob(['video']));
    await breakVideo();
    await see(STAGE, 'Не удалось воспроизвести видео после нескольких попыток…');
  },
});

const PATIENT = { timeout: 60_000 };

function completed(part: Parameters<typeof sampleGeneration<'video'>>[1] = {}) {
  const url = `/api/video-proxy/${GENERATION_ID}`;
  return sampleGeneration('video', {
    status: 'completed',
    results: [sampleResult({ url, durationSeconds: 5 })],
    ...part,
  });
}

async function openPlayer() {
  const screen = await openWithVideo(CREATE_VIDEO);
  await screen.press('button', /^Видео, .*0:05$/);
  return {
    ...screen,
    /** The file cannot be read, however often it is tried; resolves when the page gives up. */
    break: () =>
      vi.waitFor(() => {
        const video = document.querySelector('video');
        if (video) fireEvent.error(video);
        expect(document.querySelector(`${STAGE} [role=alert]`)).not.toBeNull();
      }, PATIENT),
  };
}
