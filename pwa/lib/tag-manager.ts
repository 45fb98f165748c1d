import { getConsent } from './consent.ts';
import { readSessionMarker } from './session-marker.ts';

type EventFields = Record<string, unknown>;
/** Events of the tag manager's data layer with their fields (document 1, section 3). */
export type TagEventName =
  | 'user_registration'
  | 'user_login'
  | 'video_generation_start'
  | 'video_generation_complete'
  | 'video_download'
  | 'purchase'
  | 'page_view'
  | 'file_upload'
  | 'error_occurred'
  | 'javascript_error'
  | 'promise_rejection';

declare global {
  interface Window {
    dataLayer?: EventFields[];
  }
}

/** Adds one event to the data layer, with the user's id; does nothing before cookies are accepted. */
export function trackEvent(event: TagEventName, fields: EventFields = {}): void {
  if (getConsent() !== 'accepted') return;
  window.dataLayer ??= [];
  window.dataLayer.push({
    event,
    user_id: readSessionMarker()?.userId ?? null,
    ...fields,
    timestamp: new Date().toISOString(),
  });
}

/** The current address without its query, which may hold what is nobody's business. */
export function pageLocation(): string {
  return location.origin + location.pathname;
}

/** Reports a page as it is shown; the page's title must already be set. */
export function trackPageView(): void {
  trackEvent('page_view', { page_title: document.title, page_location: pageLocation() });
}
