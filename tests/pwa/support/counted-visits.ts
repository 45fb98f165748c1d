import { vi } from 'vitest';
import { reportUncaughtErrors } from '#pwa/features/consent/error-reporting.ts';
import { saveDraft } from '#pwa/features/videos/video-draft.ts';
import { DEFAULT_VIDEO_FORM } from '#pwa/features/videos/video-form.ts';
import { getPremiumStatus } from '#shared/contract/account.ts';
import { recordEvent } from '#shared/contract/analytics.ts';
import { listGallery } from '#shared/contract/gallery.ts';
import { getGeneration } from '#shared/contract/generations.ts';
import { createInvoice } from '#shared/contract/payments.ts';
import { getVideoDownloadAccess, listVideos, startVideo, streamVideo } from '#shared/contract/videos.ts';
import type { ContractServer } from './contract-server.ts';
import { openScreen, type Screen, type ScreenOptions } from './open-screen.tsx';
import { GENERATION_ID, PHOTO, type sampleGeneration, sampleImage, USER, VIDEO } from './samples.ts';

export const CREATE_VIDEO = '/dashboard/create-video';
export const GALLERY = '/dashboard/gallery';
export const BUY = '/app?openBuyStars=true';
const MONEY = { isPremium: true, hasSuccessfulTransactions: true, transactionCount: 1 };
const ACCESS = { canDownload: true, downloadUrl: null, upgradeMessage: null, premiumStatus: MONEY };

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

/** Opens the video page and chooses a photo. */
export function openWithPhoto(prepare: (server: ContractServer) => void): Promise<Screen> {
  return open(CREATE_VIDEO, async (server) => {
    await saveDraft(USER.id, { photo: PHOTO, form: DEFAULT_VIDEO_FORM });
    prepare(server);
  });
}

export async function startOneVideo(view: ReturnType<typeof sampleGeneration>): Promise<void> {
  const { press } = await openWithPhoto((server) => {
    server.answer(startVideo, { generationId: GENERATION_ID, videoId: GENERATION_ID });
    server.answer(getGeneration, view);
  });
  await press('button', /^Создать видео/);
}

/** Opens a gallery with one picture or one video and presses the download button of this name. */
export async function openDownload(name: string): Promise<Screen> {
  const images = name.endsWith('Пальто') ? [sampleImage()] : [];
  const screen = await open(GALLERY, (server) => {
    server.answer(listGallery, { images, userStatus: { canDownloadOriginals: true }, nextCursor: null });
    server.answer(listVideos, { videos: [VIDEO], nextCursor: null });
    server.answer(getPremiumStatus, MONEY);
    server.answer(getVideoDownloadAccess, ACCESS);
    server.sendFile(streamVideo, new Blob(['video'], { type: 'video/mp4' }));
  });
  await screen.press('button', name);
  return screen;
}

export async function downloadOneVideo(): Promise<void> {
  const { press } = await openDownload('Оригинал HD: Дефиле');
  await press('button', 'Скачать оригинал');
}

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
