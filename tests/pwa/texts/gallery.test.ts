// @vitest-environment happy-dom
import { vi } from 'vitest';
import { tagResult } from '#pwa/features/gallery/gallery-item.ts';
import { getPremiumStatus, getUser } from '#shared/contract/account.ts';
import { getAnalytics, getDailyAnalytics } from '#shared/contract/analytics.ts';
import { downloadImage } from '#shared/contract/downloads.ts';
import { deleteGalleryItem, listResults } from '#shared/contract/gallery.ts';
import { requestInterview, takeInterviewInvitation } from '#shared/contract/interview.ts';
import { getVideoDownloadAccess, streamVideo } from '#shared/contract/videos.ts';
import { BAD_GATEWAY } from '#tests/pwa/support/contract-server.ts';
import { describeTexts } from '#tests/pwa/support/literal-texts.ts';
import {
  GALLERY,
  openGallery,
  openGeneration,
  openPanel,
  openWithVideo,
  pressDelete,
} from '#tests/pwa/support/open-pages.ts';
import { openScreen } from '#tests/pwa/support/open-screen.tsx';
import { PAID, sampleAccess, sampleGeneration, sampleImage, sampleResult, USER } from '#tests/pwa/support/samples.ts';

const TOAST = '.toast';
const PAGE = 'main';
const DIALOG = '[role=dialog]';
const DIALOG_BUTTON = '[role=dialog] .btn';
const PAID_THRICE = { ...PAID, transactionCount: 3 };

describeTexts(import.meta.filename, {
  async 'a gallery that is on its way, and empty'({ see }) {
    const { server } = await openScreen(GALLERY, { prepare: (server) => server.hold(listResults) });
    await see(`${PAGE} button`, 'Обновить');
    await see(PAGE, 'Загрузка галереи...');
    server.letAnswer(listResults);
    await see(PAGE, 'Галерея пуста', 'Создать изображение', 'Разблокируйте скачивание оригиналов');
  },

  async 'a gallery that cannot be read'({ see }) {
    await openScreen(GALLERY, { prepare: (server) => server.garble(listResults, ...BAD_GATEWAY) });
    await see(TOAST, 'Не удалось загрузить галерею');
    await see(PAGE, 'Не удалось загрузить галерею');
  },

  async 'a gallery with pictures'({ see, hear }) {
    const paid = { canDownload: true, isOptimized: true, hasWatermark: false };
    await openGallery([
      sampleImage({ generationType: 'photo_generation', made: 'photosession' }),
      sampleImage({ id: 'image-2', title: 'Юбка', ...paid }),
    ]);
    await see('article', 'Генерация фото', 'Скачать', 'Оригинал HD');
    // No answer of today's contract has such a result: a newer server's would.
    hear('Неизвестно', tagResult('hologram'));
  },

  async 'a picture that is deleted'({ see }) {
    const { press, server } = await openGallery([sampleImage()]);
    await pressDelete({ press }, 'Пальто');
    await see(`${DIALOG} h2`, 'Вы уверены, что хотите удалить это изображение?');
    server.garble(deleteGalleryItem, ...BAD_GATEWAY);
    await press('button', 'Удалить');
    await see(TOAST, 'Не удалось удалить изображение');
    server.answer(deleteGalleryItem, undefined);
    await pressDelete({ press }, 'Пальто');
    await press('button', 'Удалить');
    await see(TOAST, 'Изображение удалено');
  },

  async 'a download for somebody who has never paid'({ see }) {
    const { press, server } = await openGallery([sampleImage()], (server) => server.hold(getPremiumStatus));
    await press('button', 'Скачать: Пальто');
    await see(`${DIALOG} h2`, 'Проверка доступа...');
    await see(DIALOG_BUTTON, 'Закрыть');
    server.letAnswer(getPremiumStatus);
    await see(`${DIALOG} h2`, 'Скачивание оригиналов доступно только платным пользователям');
    await see(DIALOG, 'Бесплатный пользователь');
    await see(DIALOG_BUTTON, 'Купить пакет звезд');
  },

  async 'a download for somebody who has paid'({ see, seeAs }) {
    const results = [sampleResult()];
    const { press, server } = await openGeneration(
      sampleGeneration('try_on', { status: 'completed', results }),
      (server) => server.answer(getPremiumStatus, PAID_THRICE),
    );
    await press('button', 'Ещё о скачивании');
    await press('menuitem', 'Варианты скачивания');
    await see(`${DIALOG} h2`, 'Готово к скачиванию!');
    await seeAs(DIALOG, 'Платный пользователь (N покупок)', 'Платный пользователь (3 покупки)');
    await see(DIALOG_BUTTON, 'Скачать оригинал');
    server.refuse(downloadImage, 'premium_required');
    await press('button', 'Скачать оригинал');
    await see(DIALOG, 'Скачивание оригинальных изображений доступно только платным пользователям');
    server.refuse(downloadImage, 'image_not_found');
    await press('button', 'Скачать оригинал');
    await see(DIALOG, 'Ошибка при скачивании файла');
  },

  async 'an access to a picture that is not told'({ see, seeAs }) {
    const { press, server } = await openGallery([sampleImage()], (server) => server.cut(getPremiumStatus));
    await press('button', 'Скачать: Пальто');
    await see(DIALOG, 'Ошибка загрузки информации о доступе');
    const retry = () => press('button', 'Повторить');
    server.garble(getPremiumStatus, '', 403);
    await retry();
    await seeAs(DIALOG, 'У вас нет прав на это изображение', 'У вас нет прав на это изображение (403)');
    server.garble(getPremiumStatus, '', 404);
    await retry();
    await seeAs(DIALOG, 'Изображение не найдено', 'Изображение не найдено (404)');
    server.refuse(getPremiumStatus, 'internal');
    await retry();
    await seeAs(DIALOG, 'Ошибка сервера', 'Ошибка сервера (500)');
    // What became of the session is asked, and not answered yet.
    const answer = server.hold(getUser);
    server.refuse(getPremiumStatus, 'unauthorized');
    await retry();
    await seeAs(DIALOG, 'Требуется авторизация', 'Требуется авторизация (401)');
    server.answer(getPremiumStatus, PAID_THRICE);
    answer();
  },

  async 'an access to a video that is refused'({ see, seeAs }) {
    const { press, server } = await openWithVideo(GALLERY, (server) => {
      // The press asks for the file, and its refusal opens the dialog, which asks for the reason.
      server.refuse(streamVideo, 'premium_required');
      server.refuse(getVideoDownloadAccess, 'video_forbidden');
    });
    await press('button', 'Скачать: Дефиле');
    await seeAs(DIALOG, 'У вас нет прав на это видео', 'У вас нет прав на это видео (403)');
    server.refuse(getVideoDownloadAccess, 'video_not_found');
    await press('button', 'Повторить');
    await seeAs(DIALOG, 'Видео не найдено', 'Видео не найдено (404)');
    server.answer(getVideoDownloadAccess, sampleAccess(true));
    server.refuse(streamVideo, 'premium_required');
    await press('button', 'Повторить');
    await press('button', 'Скачать оригинал');
    await see(DIALOG, 'Скачивание оригиналов доступно только платным пользователям');
  },

  async 'the invitation to an interview'({ see, seeAs }) {
    // The visit has lasted for two minutes before this page was loaded.
    sessionStorage.setItem(`podium.sessionStart.${USER.id}`, String(Date.now() - 2 * 60_000));
    const { press, fill, server } = await openScreen('/app', {
      prepare: (server) => server.answer(takeInterviewInvitation, { isDue: true }),
    });
    await see(`${DIALOG} input`, '@username или ссылка');
    await see(DIALOG_BUTTON, 'Участвовать в интервью', 'Может позже');
    await press('button', 'Участвовать в интервью');
    await see(TOAST, 'Пожалуйста, заполните все поля');
    server.garble(requestInterview, ...BAD_GATEWAY);
    await fill('Telegram', '@anna');
    await press('button', 'Участвовать в интервью');
    await see(TOAST, 'Не удалось отправить заявку. Попробуйте позже.');
    server.answer(requestInterview, { status: 'received' });
    await press('button', 'Участвовать в интервью');
    const text = 'Заявка отправлена! 🎉 ... 10 звёзд будут начислены после интервью.';
    const hint = 'Мы напишем вам и договоримся о времени. 10 звёзд будут начислены после интервью.';
    await seeAs(TOAST, text, 'Заявка отправлена! 🎉', hint);
  },

  async 'figures that do not come'({ see, hear }) {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await openPanel((server) => {
      server.garble(getAnalytics, ...BAD_GATEWAY);
      server.garble(getDailyAnalytics, ...BAD_GATEWAY);
    });
    await see(TOAST, 'Не удалось загрузить данные аналитики');
    hear('Ошибка получения данных аналитики', ...log.mock.calls.map(([message]) => String(message)));
  },

  async 'the requirements of photos'({ seeAs }) {
    await openScreen('/info/photo-guidelines', { user: null });
    await seeAs(PAGE, 'одежда', 'Выберите верный тип: «одежда» или «обувь»');
    await seeAs(PAGE, 'обувь', 'Обувь отдельно, с типом генерации «обувь»');
  },
});
