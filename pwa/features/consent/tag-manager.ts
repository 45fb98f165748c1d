import { isStandalone } from '#pwa/device/is-standalone.ts';
import { readSessionMarker } from '#pwa/features/session/session-marker.ts';
import { TAG_MANAGER_META, TAG_MANAGER_ORIGIN } from '#shared/rules/tag-manager.ts';
import { type Consent, cookieConsent } from './consent.ts';

type EventFields = Record<string, unknown>;
/** Event names of the data layer, fixed by the specification. */
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

/** Adds an event to the data layer, with the user's id. Does nothing before cookies are accepted. */
export function trackEvent(event: TagEventName, fields: EventFields = {}): void {
  const pushed = buildTagEvent(event, fields, {
    consent: cookieConsent.get(),
    userId: readSessionMarker()?.userId ?? null,
    now: new Date(),
  });
  if (pushed) push(pushed);
}

function push(fields: EventFields): void {
  window.dataLayer ??= [];
  window.dataLayer.push(fields);
}

const SCRIPT_ID = 'tag-manager-script';

/**
 * Loads the operator's tag manager, once, if one is configured and cookies are accepted. Google's own snippet is an
 * inline script, which the security policy forbids.
 */
export function startTagManager(): void {
  const id = document.querySelector<HTMLMetaElement>(`meta[name="${TAG_MANAGER_META}"]`)?.content;
  if (!id || cookieConsent.get() !== 'accepted' || document.getElementById(SCRIPT_ID)) return;
  push({ 'gtm.start': Date.now(), event: 'gtm.js' });
  const script = document.createElement('script');
  script.id = SCRIPT_ID;
  script.async = true;
  script.src = `${TAG_MANAGER_ORIGIN}/gtm.js?id=${id}`;
  document.head.append(script);
}

interface Circumstances {
  consent: Consent | null;
  userId: number | null;
  now: Date;
}

/** The event for the data layer, without personal data; null before cookies are accepted. */
export function buildTagEvent(
  event: TagEventName,
  fields: EventFields,
  { consent, userId, now }: Circumstances,
): EventFields | null {
  if (consent !== 'accepted') return null;
  const cleaned = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? withoutPersonalData(value) : value,
  ]);
  return { event, user_id: userId, ...Object.fromEntries(cleaned), timestamp: now.toISOString() };
}

/** Removes the queries of addresses and masks e-mails in a text. */
export function withoutPersonalData(text: string): string {
  return text
    .replace(/((?:https?:\/\/|\/)[^\s?#"'«»]*)[?#][^\s"'«»]+/gi, '$1')
    .replace(/[^\s@<>"'«»]+@[^\s@<>"'«»]+/g, '[email]');
}

/** The current address without its query, which may hold private data. */
export function pageLocation(): string {
  return location.origin + location.pathname;
}

/** Reports a page view, and whether it is in the installed app. The page's title must already be set. */
export function trackPageView(): void {
  const display_mode = isStandalone() ? 'standalone' : 'browser';
  trackEvent('page_view', { page_title: document.title, page_location: pageLocation(), display_mode });
}
