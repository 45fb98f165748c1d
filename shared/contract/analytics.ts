import * as z from 'zod/mini';
import { defineEndpoint } from './endpoint.ts';

export const SERVER_EVENT_NAMES = [
  'video_download',
  'buy_stars_click',
  'buy_stars_package_selected',
  'buy_stars_checkout_started',
  'payment_creation_failed',
  'cases_link_clicked',
  'download_options_opened',
  'change_model_opened',
] as const;

/**
 * Sent as `accepted` after the person accepted cookies. Without it only an event's name, page and source are stored,
 * without the account, `video_id` and `details`.
 */
export const ANALYTICS_CONSENT_HEADER = 'x-analytics-consent';

export const recordEvent = defineEndpoint({
  method: 'POST',
  path: '/api/analytics/event',
  summary: 'Counts one event of the interface',
  access: 'public',
  body: z.object({
    event_name: z.enum(SERVER_EVENT_NAMES),
    page_location: z.string().check(z.maxLength(2000)),
    video_id: z.optional(z.string().check(z.maxLength(64))),
    source: z.optional(z.string().check(z.maxLength(100))),
    details: z.optional(
      z.record(
        z.string().check(z.maxLength(50)),
        z.union([z.string().check(z.maxLength(500)), z.number(), z.boolean()]),
      ),
    ),
  }),
});

export const METRICS = [
  'registrations',
  'videos',
  'pendingTransactions',
  'completedTransactions',
  'buyStarsClicks',
  'buyStarsCheckoutStarted',
  'videoDownloads',
  'casesClicks',
  'changeModelOpens',
  'starsSold',
  'revenueRub',
] as const;
export type Metric = (typeof METRICS)[number];
export const METRIC_NAMES: Record<Metric, string> = {
  registrations: 'Регистрации',
  videos: 'Видео',
  pendingTransactions: 'Ожидают оплаты',
  completedTransactions: 'Оплачено',
  buyStarsClicks: 'Клики «Купить»',
  buyStarsCheckoutStarted: 'Начали оплату',
  videoDownloads: 'Скачивания',
  casesClicks: 'Клики «Кейсы»',
  changeModelOpens: 'Смена модели',
  starsSold: 'Продано звёзд',
  revenueRub: 'Выручка, ₽',
};
/** Whole numbers, except `revenueRub`. `revenueRub` and `starsSold` are less the refunds, so they may be negative. */
const counts = z.record(z.enum(METRICS), z.number());

const moscowDate = z.iso.date('Укажите дату в виде ГГГГ-ММ-ДД');
/** Days in Moscow time, both included. An absent side has no limit. */
export const analyticsPeriod = z.object({ startDate: z.optional(moscowDate), endDate: z.optional(moscowDate) }).check(
  z.refine(({ startDate, endDate }) => !startDate || !endDate || startDate <= endDate, {
    error: 'Дата начала позже даты конца',
    path: ['endDate'],
  }),
);

export const getAnalytics = defineEndpoint({
  method: 'GET',
  path: '/api/analytics',
  summary: 'Counts, stars sold and revenue of a period',
  access: 'admin',
  query: analyticsPeriod,
  answer: counts,
});

/**
 * Length of the longest series. A longer period shows its last days. Without a start, the series begins at the first
 * count, but at most so many days before the end.
 */
export const DAILY_MAX_DAYS = 366;
export const getDailyAnalytics = defineEndpoint({
  method: 'GET',
  path: '/api/analytics/daily',
  summary: 'The same figures day by day',
  access: 'admin',
  query: analyticsPeriod,
  answer: z.object({ days: z.array(z.object({ date: z.iso.date(), counts })) }),
});
export const downloadDailyAnalytics = defineEndpoint({
  method: 'GET',
  path: '/api/analytics/daily.csv',
  summary: 'The daily figures as a CSV file',
  access: 'admin',
  query: analyticsPeriod,
});
