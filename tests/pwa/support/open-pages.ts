import { onlineManager } from '@tanstack/react-query';
import { expect } from 'vitest';
import { writeStored } from '#pwa/device/storage.ts';
import { VIDEO_DRAFT } from '#pwa/features/videos/video-draft.ts';
import { DEFAULT_VIDEO_FORM } from '#pwa/features/videos/video-form.ts';
import { getVerificationWait } from '#shared/contract/account.ts';
import { listAuditEntries } from '#shared/contract/administration.ts';
import { getAnalytics, getDailyAnalytics, METRICS } from '#shared/contract/analytics.ts';
import { type GalleryImage, listGallery, listResults } from '#shared/contract/gallery.ts';
import { type GenerationView, getGeneration } from '#shared/contract/generations.ts';
import { getToolAbilities } from '#shared/contract/tools.ts';
import { listVideos } from '#shared/contract/videos.ts';
import { resultPath } from '#shared/rules/result-links.ts';
import { until } from '#tests/support/until.ts';
import { openScreen, type Screen, type ScreenOptions } from './open-screen.tsx';
import { ALL_TOOLS, PHOTO, sampleGallery, sampleGeneration, sampleResults, USER, VIDEO } from './samples.ts';

export const CREATE_VIDEO = '/dashboard/create-video';
export const GALLERY = '/dashboard/gallery';
export const PANEL = '/dashboard/analytics';

type Prepare = NonNullable<ScreenOptions['prepare']>;
const nothingElse = () => undefined;

/** Opens the page of this generation. */
export function openGeneration(view: GenerationView, prepare: Prepare = nothingElse): Promise<Screen> {
  return openScreen(resultPath(view.kind, view.id), {
    prepare(server) {
      if (view.kind === 'try_on') server.answer(getToolAbilities, ALL_TOOLS);
      server.answer(getGeneration, view);
      return prepare(server);
    },
  });
}

/** Opens the page of a generation that runs, and has it end so while the page is open. */
export async function openEnding(view: GenerationView): Promise<Screen> {
  const screen = await openGeneration(sampleGeneration(view.kind));
  await until(() => expect(screen.server.callsOf(getGeneration)).not.toEqual([]));
  screen.server.answer(getGeneration, view);
  // A page that has its network back asks at once.
  onlineManager.setOnline(false);
  onlineManager.setOnline(true);
  return screen;
}

/** Opens the gallery with these pictures and no videos. */
export function openGallery(images: GalleryImage[], prepare: Prepare = nothingElse): Promise<Screen> {
  return openScreen(GALLERY, {
    prepare(server) {
      server.answer(listGallery, sampleGallery(images));
      server.answer(listResults, sampleResults(images));
      return prepare(server);
    },
  });
}

/** Asks to delete a result of the gallery, by its sheet of actions. The question is then open. */
export async function pressDelete({ press }: Pick<Screen, 'press'>, title: string): Promise<void> {
  await press('button', `Действия: ${title}`);
  await press('button', `Удалить: ${title}`, '[role=dialog]');
}

/** Opens a page that lists one video, such as the gallery. */
export function openWithVideo(address: string, prepare: Prepare = nothingElse): Promise<Screen> {
  return openScreen(address, {
    prepare(server) {
      server.answer(listVideos, { videos: [VIDEO], nextCursor: null });
      server.answer(listResults, sampleResults([VIDEO]));
      return prepare(server);
    },
  });
}

/** Opens the video page with a photo that was chosen before. */
export function openWithPhoto(prepare: Prepare, options: ScreenOptions = {}): Promise<Screen> {
  return openScreen(CREATE_VIDEO, {
    ...options,
    async prepare(server) {
      await writeStored(USER.id, VIDEO_DRAFT.name, { photo: PHOTO, form: DEFAULT_VIDEO_FORM });
      await prepare(server);
    },
  });
}

/** Opens the page that asks somebody with an unconfirmed e-mail for the code. */
export function openVerification(prepare: Prepare): Promise<Screen> {
  return openScreen('/verify-email', {
    user: { ...USER, isEmailVerified: false },
    prepare(server) {
      server.answer(getVerificationWait, { retryAfter: 0 });
      return prepare(server);
    },
  });
}

export const ADMIN = { ...USER, isAdmin: true };
/** Three of everything. */
export const COUNTS = Object.fromEntries(METRICS.map((name) => [name, 3])) as Record<(typeof METRICS)[number], number>;

/** Opens the panel as an administrator. */
export function openPanel(prepare: Prepare = nothingElse, address = PANEL): Promise<Screen> {
  return openScreen(address, {
    user: ADMIN,
    prepare(server) {
      server.answer(getAnalytics, COUNTS);
      server.answer(getDailyAnalytics, { days: [] });
      server.answer(listAuditEntries, { entries: [], nextCursor: null });
      return prepare(server);
    },
  });
}
