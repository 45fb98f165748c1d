import { z } from 'zod';
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
 * Sent as `accepted` after the person accepted cookies; without it only an event's name, page and source are counted,
 * not for whom, nor `video_id` and `details`.
 */
export const ANALYTICS_CONSENT_HEADER = 'x-analytics-consent';

export const recordEvent = defineEndpoint({
  method: 'POST',
  path: '/api/analytics/event',
  summary: 'Counts one event of the interface',
  access: 'public',
  body: z.object({
    event_name: z.enum(SERVER_EVENT_NAMES),
    /** Kept without its query. */
    page_location: z.string().max(2000),
    video_id: z.string().max(64).optional(),
    source: z.string().max(100).optional(),
    details: z.record(z.string().max(50), z.union([z.string().max(500), z.number(), z.boolean()])).optional(),
  }),
});
