import { vi } from 'vitest';
import { reportUncaughtErrors } from '#pwa/features/consent/error-reporting.ts';
import { getPremiumStatus } from '#shared/contract/account.ts';
import { recordEvent } from '#shared/contract/analytics.ts';
import { listResults } from '#shared/contract/gallery.ts';
import { getGeneration } from '#shared/contract/generations.ts';
import { createInvoice } from '#shared/contract/payments.ts';
import { getVideoDownloadAccess, startVideo, streamVideo } from '#shared/contract/videos.ts';
import type { ContractServer } from './contract-server.ts';
import { GALLERY, openWithPhoto } from './open-pages.ts';
import { openScreen, type Screen, type ScreenOptions } from './open-screen.tsx';
import {
  FREE,
  GENERATION_ID,
  PAID,
  sampleAccess,
  type sampleGeneration,
  sampleImage,
  sampleResults,
  VIDEO,
} from './samples.ts';

export const BUY = '/app?openBuyStars=true';

let last: ContractServer | null = null;

/** Opens a page as a person who has accepted cookies. */
export async function open(
  address: string,
  prepare?: ScreenOptions['prepare'],
  options: ScreenOptions = {},
): Promise<Screen> {
  const screen = await openScreen(address, { consent: 'accepted', prepare, ...options });
  last = screen.server;
  return screen;
}

export async function startOneVideo(view: ReturnType<typeof sampleGeneration>): Promise<void> {
  const { press } = await openWithPhoto(
    (server) => {
      server.answer(startVideo, { generationId: GENERATION_ID, videoId: GENERATION_ID });
      server.answer(getGeneration, view);
    },
    { consent: 'accepted' },
  );
  await press('button', /^Создать видео/);
}

/** Opens a gallery with one picture or one video and presses the download button of this name. */
export async function openDownload(name: string, isPaid = false): Promise<void> {
  const results = name.endsWith('Пальто') ? [sampleImage()] : [VIDEO];
  const { press } = await open(GALLERY, (server) => {
    server.answer(listResults, sampleResults(results, isPaid));
    server.answer(getPremiumStatus, isPaid ? PAID : FREE);
    server.answer(getVideoDownloadAccess, sampleAccess(isPaid));
    if (isPaid) server.sendFile(streamVideo, new Blob(['video'], { type: 'video/mp4' }));
    else server.refuse(streamVideo, 'premium_required');
  });
  await press('button', name);
}

export const downloadOneVideo = () => openDownload('Оригинал HD: Дефиле', true);

/** Pays for a package whose invoice is refused. */
export async function payInVain(): Promise<void> {
  const { press } = await open(BUY, (server) => server.refuse(createInvoice, 'payment_not_created'));
  await press('radio', /^Коллекция/);
  await press('button', /^Перейти к оплате/);
}

export async function pressIn(
  address: string,
  name: string,
  place: string,
  role: 'button' | 'link' = 'button',
): Promise<void> {
  const { press } = await open(address);
  await press(role, name, place);
}

/** Opens a page with error reports set up, as at the program's start. */
export async function openWithReports(): Promise<void> {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  reportUncaughtErrors();
  await open('/cases');
}

/** Events that the page has sent to the server since it was opened. */
export const listCounted = (name: string) =>
  (last?.callsOf(recordEvent) ?? []).filter(({ body }) => (body as { event_name: string }).event_name === name);
