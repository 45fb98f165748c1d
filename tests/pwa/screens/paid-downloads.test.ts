// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { announcePurchase } from '#pwa/features/payments/purchases.ts';
import { readNextPath } from '#pwa/paths.ts';
import { getPremiumStatus } from '#shared/contract/account.ts';
import { downloadImage } from '#shared/contract/downloads.ts';
import { downloadArchive } from '#shared/contract/gallery.ts';
import { getGeneration } from '#shared/contract/generations.ts';
import { createInvoice, getInvoice } from '#shared/contract/payments.ts';
import { getVideoDownloadAccess, streamVideo } from '#shared/contract/videos.ts';
import { GALLERY, openGallery, openGeneration, openWithVideo } from '#tests/pwa/support/open-pages.ts';
import {
  closeScreen,
  openScreen,
  readText,
  type Screen,
  untilAt,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import {
  GENERATION_ID,
  INVOICE_ID,
  PAID,
  sampleAccess,
  sampleGeneration,
  sampleImage,
  sampleInvoice,
  sampleResult,
  USER,
} from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const DIALOG = '[role=dialog]';
const MAIN = 'main';
const RETURN = `/payment/success?invoice=${INVOICE_ID}`;
const READY = 'Готово к скачиванию!';
const COAT = sampleImage();
const SKIRT = sampleImage({ id: 'image-2', title: 'Юбка' });

afterEach(closeScreen);

test('a payment for a picture of the gallery leads back to its download, also in another tab', async () => {
  const screen = await openGallery([COAT, SKIRT]);
  await screen.press('button', 'Скачать: Юбка');
  await payFor(screen);
  await screen.press('link', 'Скачать изображение');
  await untilShown(READY, DIALOG);
  await untilAt(GALLERY);
  screen.server.refuse(downloadImage, 'image_not_found');
  await screen.press('button', 'Скачать оригинал', DIALOG);
  await until(() =>
    expect(screen.server.callsOf(downloadImage).map(({ body }) => body)).toEqual([
      // Before the payment, in vain.
      { imageId: SKIRT.id },
      { imageId: SKIRT.id },
    ]),
  );
});

test('a payment for a choice of results leads back to its ZIP', async () => {
  const screen = await openGallery([COAT, SKIRT]);
  await screen.press('button', 'Выбрать');
  for (const title of ['Пальто', 'Юбка']) await screen.press('button', new RegExp(`^Выбрать: ${title}`));
  await screen.press('button', 'Скачать ZIP');
  await payFor(screen);
  await screen.press('link', 'Скачать 2 файла (ZIP)');
  await untilShown('2 оригинала без водяного знака в одном архиве ZIP. Коммерческое использование разрешено.', DIALOG);
  screen.server.refuse(downloadArchive, 'image_not_found');
  await screen.press('button', 'Скачать оригинал');
  await until(() => expect(screen.server.callsOf(downloadArchive)).toHaveLength(2));
  expect(screen.server.callsOf(downloadArchive)[1]?.url.searchParams.get('ids')).toBe(`${COAT.id},${SKIRT.id}`);
});

/** A session of two frames. */
function openSession(): Promise<Screen> {
  const results = [sampleResult({ id: 'frame-1' }), sampleResult({ id: 'frame-2', position: 1 })];
  return openGeneration(sampleGeneration('photosession', { status: 'completed', results }));
}

test('a payment for a frame leads back to its session with the download', async () => {
  const screen = await openSession();
  await screen.press('button', /^Скачать: .*2/);
  await payFor(screen);
  await screen.press('link', 'Скачать изображение');
  await untilShown(READY, DIALOG);
  await untilAt('/dashboard/photoshoot');
  await until(() => expect(screen.server.callsOf(getGeneration).at(-1)?.url.pathname).toContain(GENERATION_ID));
});

test('«Back» from the page of the payment shows the frames again, not an empty tool', async () => {
  const screen = await openSession();
  await screen.press('button', /^Скачать: .*2/);
  await screen.press('button', 'Купить пакет звезд', DIALOG);
  await goToPay(screen);
  await screen.reload(location.pathname + location.search);
  await screen.find('button', /^Скачать: .*2/);
  expect(document.querySelector(DIALOG)).toBeNull();
});

test('a payment for a video leads back to it after a sign-in, too', async () => {
  const screen = await openWithVideo(GALLERY, (server) => {
    server.refuse(streamVideo, 'premium_required');
    server.answer(getVideoDownloadAccess, sampleAccess(false));
  });
  await screen.press('button', /^Скачать/, 'article');
  await payFor(screen);
  screen.server.answer(getVideoDownloadAccess, sampleAccess(true));
  await screen.press('link', 'Скачать видео');
  await untilShown(READY, DIALOG);
});

test('a declined payment that is tried again still leads to the download', async () => {
  const screen = await openGallery([COAT, SKIRT]);
  await screen.press('button', 'Скачать: Юбка');
  await screen.press('button', 'Купить пакет звезд', DIALOG);
  await goToPay(screen);
  screen.server.answer(getInvoice, sampleInvoice({ status: 'canceled' }));
  await screen.reload(RETURN);
  // Its place is read from the device first.
  await screen.find('link', 'Вернуться к результату');
  expect(readText(MAIN)).not.toContain('Скачать');
  await screen.press('link', 'Попробовать снова');
  await goToPay(screen);
  await comeBackPaid(screen);
  await screen.press('link', 'Скачать изображение');
  await untilShown(READY, DIALOG);
});

test('who is signed out on the way signs in and is back at the payment with its way on', async () => {
  const { find } = await openScreen(RETURN, {
    user: null,
    prepare: (server) => server.answer(getInvoice, sampleInvoice()),
  });
  await untilShown('Оплата прошла успешно!', 'h1');
  const link = new URL((await find('link', 'Войти', MAIN)).getAttribute('href') ?? '', location.origin);
  expect(readNextPath(link.search)).toBe(RETURN);
});

test('the tab that waits with the offer has the download as soon as another tab has paid', async () => {
  const screen = await openGallery([COAT, SKIRT]);
  await screen.press('button', 'Скачать: Юбка');
  await screen.press('button', 'Купить пакет звезд', DIALOG);
  await untilShown('Пополнить звезды', DIALOG);
  screen.server.answer(getPremiumStatus, PAID);
  announcePurchase(USER.id, sampleInvoice());
  await untilShown(READY, DIALOG);
  expect(readText(DIALOG)).not.toContain('Пополнить звезды');
});

/** Buys a package from the offer and comes back in another tab. */
async function payFor(screen: Screen): Promise<void> {
  await screen.press('button', 'Купить пакет звезд', DIALOG);
  await goToPay(screen);
  await comeBackPaid(screen);
}

async function goToPay({ server, press }: Screen): Promise<void> {
  const leave = vi.spyOn(location, 'assign').mockClear();
  leave.mockImplementation(() => undefined);
  server.answer(createInvoice, { paymentUrl: `${location.origin}/sandbox/pay/1`, invoiceId: INVOICE_ID });
  await press('radio', /^Показ/, DIALOG);
  await press('button', /^Перейти к оплате/, DIALOG);
  await until(() => expect(leave).toHaveBeenCalled());
}

async function comeBackPaid({ server, reload }: Screen): Promise<void> {
  server.answer(getInvoice, sampleInvoice());
  server.answer(getPremiumStatus, PAID);
  await reload(RETURN);
  await untilShown('Оплата прошла успешно!', 'h1');
}
