// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Consent } from '#pwa/features/consent/consent.ts';
import { buildTagEvent, type TagEventName, withoutPersonalData } from '#pwa/features/consent/tag-manager.ts';
import { login, register } from '#shared/contract/account.ts';
import { ANALYTICS_CONSENT_HEADER, SERVER_EVENT_NAMES } from '#shared/contract/analytics.ts';
import { getInvoice } from '#shared/contract/payments.ts';
import { listVideos, startVideo, streamVideo } from '#shared/contract/videos.ts';
import {
  BUY,
  downloadOneVideo,
  listCounted,
  open,
  openDownload,
  openWithReports,
  payInVain,
  pressIn,
  startOneVideo,
} from '#tests/pwa/support/counted-visits.ts';
import { CREATE_VIDEO, GALLERY, openWithPhoto } from '#tests/pwa/support/open-pages.ts';
import { closeScreen, ORIGIN, untilShown } from '#tests/pwa/support/open-screen.tsx';
import {
  GENERATION_ID,
  INVOICE_ID,
  PHOTO,
  photoFile,
  sampleGeneration,
  sampleInvoice,
  sampleResult,
  USER,
  VIDEO,
} from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

/** Acts in the program, and gives the fields that the event is to be sent with. */
type Scene = () => Promise<Record<string, unknown>>;

/** `user_id` and the time are added to each. */
const TAG_EVENTS: Record<Exclude<TagEventName, 'error_occurred'>, Scene> = {
  async user_registration() {
    const { fill, press } = await open(
      '/auth?tab=register',
      (server) => server.answer(register, { ...USER, needEmailVerification: false, codeWasSent: false }),
      { user: null },
    );
    await fill('Email', USER.email);
    await fill('Пароль', 'secret-1');
    await press('checkbox', /^Мне есть 18 лет/);
    await press('checkbox', /^Даю согласие/);
    await press('button', 'Зарегистрироваться');
    return { registration_method: 'email' };
  },
  async user_login() {
    const { fill, press } = await open('/auth', (server) => server.answer(login, USER), { user: null });
    await fill('Email', USER.email);
    await fill('Пароль', 'secret-1');
    await press('button', 'Войти');
    return { login_method: 'email' };
  },
  async video_generation_start() {
    await startOneVideo(sampleGeneration('video'));
    return { animation_type: 'spin', duration: 5, file_id: PHOTO.id };
  },
  async video_generation_complete() {
    const results = [sampleResult({ url: `/api/video-proxy/${GENERATION_ID}`, durationSeconds: 5 })];
    await startOneVideo(sampleGeneration('video', { status: 'completed', results }));
    const ids = { video_id: GENERATION_ID, generation_id: GENERATION_ID };
    return { ...ids, animation_type: 'walk', duration: 5, generation_time_seconds: expect.any(Number) };
  },
  async video_download() {
    await downloadOneVideo();
    return { video_id: VIDEO.videoId, video_url: `${ORIGIN}/api/video-proxy/${VIDEO.videoId}` };
  },
  async purchase() {
    await open(`/payment/success?invoice=${INVOICE_ID}`, (server) => server.answer(getInvoice, sampleInvoice()));
    const items = [{ item_name: 'Коллекция', price: 1990, quantity: 1, stars: 50 }];
    return { transaction_id: INVOICE_ID, value: 1990, currency: 'RUB', items };
  },
  async page_view() {
    const { go } = await open('/cases?from=mail', undefined, { user: null });
    await untilShown('Кейсы', 'h1');
    await go('/contacts');
    expect(sentToTheTag('page_view')).toContainEqual(expect.objectContaining({ page_location: `${ORIGIN}/cases` }));
    const page = { page_title: 'Контакты — Подиум', page_location: `${ORIGIN}/contacts` };
    return { ...page, display_mode: 'browser', user_id: null };
  },
  async file_upload() {
    const { choosePhoto } = await open(CREATE_VIDEO);
    await choosePhoto();
    return { file_size: PHOTO.size, file_type: PHOTO.type, file_dimensions: '1200x1600' };
  },
  async javascript_error() {
    await openWithReports();
    window.dispatchEvent(new ErrorEvent('error', { message: 'x is not a function' }));
    return { error_message: 'x is not a function', page_location: `${ORIGIN}/cases` };
  },
  async promise_rejection() {
    await openWithReports();
    window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: new Error('no answer') }));
    return { error_message: 'Error: no answer', page_location: `${ORIGIN}/cases` };
  },
};

/** Errors that were caught and shown, by their types. */
const SHOWN_ERRORS: Record<string, Scene> = {
  async file_upload() {
    const { choose } = await open(CREATE_VIDEO);
    await choose(photoFile('small-200x200.jpg'));
    const error_message = 'Минимальный размер изображения 300x300 пикселей';
    return { error_message, page_location: ORIGIN + CREATE_VIDEO };
  },
  async video_generation_start() {
    const { press } = await openWithPhoto((server) => server.refuse(startVideo, 'price_changed'), {
      consent: 'accepted',
    });
    await press('button', /^Создать видео/);
    const error_message = 'Цена изменилась, поэтому ничего не запущено и не списано';
    return { error_message, page_location: ORIGIN + CREATE_VIDEO };
  },
  async video_generation() {
    const failure = { code: 'engine_error', message: 'Нет модели' } as const;
    await startOneVideo(sampleGeneration('video', { status: 'failed', failure }));
    return { error_message: 'Нет модели', page_location: ORIGIN + CREATE_VIDEO };
  },
  async video_playback() {
    const { press } = await open(CREATE_VIDEO, (server) => {
      server.answer(listVideos, { videos: [VIDEO], nextCursor: null });
      server.refuse(streamVideo, 'video_not_found');
    });
    await press('button', /^Видео, .*0:05$/);
    fireEvent.error(await until(() => document.querySelector('video') ?? Promise.reject(new Error('no video'))));
    return { error_message: 'Видео не найдено', page_location: ORIGIN + CREATE_VIDEO };
  },
  async payment_creation() {
    await payInVain();
    return { error_message: 'Не удалось создать платеж', page_location: `${ORIGIN}/app` };
  },
};

beforeEach(() => {
  window.dataLayer = [];
});
afterEach(async () => {
  delete window.dataLayer;
  await closeScreen();
});

const sentToTheTag = (name: TagEventName) => (window.dataLayer ?? []).filter(({ event }) => event === name);

async function expectTagEvent(event: TagEventName, fields: Record<string, unknown>): Promise<void> {
  const sent = { event, user_id: USER.id, ...fields, timestamp: expect.any(String) };
  await until(() => expect(sentToTheTag(event)).toContainEqual(sent));
}

describe('an event of the data layer', () => {
  test.each(Object.entries(TAG_EVENTS))('%s is sent with its fields', async (name, act) => {
    await expectTagEvent(name as TagEventName, await act());
  });

  test.each(Object.entries(SHOWN_ERRORS))('error_occurred is sent of %s', async (error_type, act) => {
    await expectTagEvent('error_occurred', { error_type, ...(await act()) });
  });

  test('is sent by nobody who has declined cookies', async () => {
    await open('/cases', undefined, { consent: 'declined' });
    expect(window.dataLayer).toEqual([]);
  });

  test('waits for the consent', () => {
    const now = new Date('2026-11-21T12:00:00Z');
    const fields = { page_location: 'https://podium.test/app?code=1' };
    const build = (consent: Consent | null) => buildTagEvent('page_view', fields, { consent, userId: 7, now });
    expect([build(null), build('declined')]).toEqual([null, null]);
    expect(build('accepted')).toEqual({
      event: 'page_view',
      user_id: 7,
      page_location: 'https://podium.test/app',
      timestamp: '2026-11-21T12:00:00.000Z',
    });
  });

  test('loses queries of addresses and e-mails, wherever they stand', () => {
    expect(withoutPersonalData('GET https://a.test/x?token=1 failed for anna.kim@example.com, see /y#z')).toBe(
      'GET https://a.test/x failed for [email] see /y',
    );
    expect(withoutPersonalData('Изображение 900/1200? Да')).toBe('Изображение 900/1200? Да');
  });
});

/** What somebody does in the program, and what is counted of it; the address is added to each. */
interface Counted {
  from: string;
  act: () => Promise<unknown>;
  address: string;
  fields?: Record<string, unknown>;
}

/** Every name of the contract, with each place that sends it. */
const SERVER_EVENTS: Record<(typeof SERVER_EVENT_NAMES)[number], Counted[]> = {
  video_download: [
    {
      from: 'the gallery',
      act: () => downloadOneVideo(),
      address: GALLERY,
      fields: {
        video_id: VIDEO.videoId,
        details: { videoUrl: `${ORIGIN}/api/video-proxy/${VIDEO.videoId}` },
      },
    },
  ],
  buy_stars_click: [
    {
      from: 'the header',
      act: () => pressIn('/app', 'Купить генерации', 'header'),
      address: '/app',
      fields: { source: 'header' },
    },
    {
      from: 'the sidebar',
      act: () => pressIn('/app', 'Купить звезды', '.side'),
      address: '/app',
      fields: { source: 'sidebar' },
    },
  ],
  buy_stars_package_selected: [
    {
      from: 'the dialog',
      act: async () => (await open(BUY)).press('radio', /^Коллекция/),
      address: '/app',
      fields: { details: { packageId: 3, stars: 50, priceRub: 1990 } },
    },
  ],
  buy_stars_checkout_started: [
    {
      from: 'the dialog',
      act: () => payInVain(),
      address: '/app',
      fields: { details: { packageId: 3, stars: 50, valueRub: 1990 } },
    },
  ],
  payment_creation_failed: [
    {
      from: 'the dialog',
      act: () => payInVain(),
      address: '/app',
      fields: { details: { message: 'Не удалось создать платеж' } },
    },
  ],
  cases_link_clicked: [
    { from: 'the header', act: () => pressIn('/contacts', 'Кейсы', 'header', 'link'), address: '/contacts' },
    { from: 'the footer', act: () => pressIn('/contacts', 'Кейсы', 'footer', 'link'), address: '/contacts' },
    {
      from: 'the drawer',
      async act() {
        const { press } = await open('/app');
        await press('button', 'Открыть меню');
        await press('link', 'Кейсы', '[role=dialog]');
      },
      address: '/app',
    },
  ],
  download_options_opened: [
    {
      from: 'a video',
      act: () => openDownload('Скачать: Дефиле'),
      address: GALLERY,
      fields: { video_id: VIDEO.videoId },
    },
    { from: 'a picture', act: () => openDownload('Скачать: Пальто'), address: GALLERY },
  ],
  change_model_opened: [
    {
      from: 'an address',
      act: () => open('/dashboard/change-model'),
      address: '/dashboard/change-model',
      fields: { source: 'address' },
    },
    {
      from: 'the sidebar',
      act: () => pressIn('/app', 'Смена модели', '.side', 'link'),
      address: '/dashboard/change-model',
      fields: { source: 'sidebar' },
    },
  ],
};

describe('an event counted on the server', () => {
  const places = Object.entries(SERVER_EVENTS).flatMap(([event_name, counted]) =>
    counted.map((one) => ({ event_name, ...one })),
  );

  test.each(places)('$event_name is sent from $from', async ({ event_name, act, address, fields }) => {
    await act();
    await until(() => expect(listCounted(event_name)).toHaveLength(1));
    const [{ body, headers } = { body: null, headers: null }] = listCounted(event_name);
    expect(body).toEqual({ event_name, page_location: ORIGIN + address, ...fields });
    expect(headers?.get(ANALYTICS_CONSENT_HEADER)).toBe('accepted');
  });

  test('is one of the contract’s', () => {
    expect(Object.keys(SERVER_EVENTS).sort()).toEqual([...SERVER_EVENT_NAMES].sort());
  });
});
