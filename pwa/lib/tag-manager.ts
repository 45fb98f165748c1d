import { TAG_MANAGER_META, TAG_MANAGER_ORIGIN } from '#shared/rules/tag-manager.ts';
import { type Consent, getConsent } from './consent.ts';
import { isStandalone } from './is-standalone.ts';
import { readSessionMarker } from './session-marker.ts';

type EventFields = Record<string, unknown>;
/** Events of the tag manager's data layer, as the specification names them. */
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
  const pushed = buildTagEvent(event, fields, {
    consent: getConsent(),
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
 * Fetches the operator's tag manager, once, where there is one and cookies are accepted. Google's own loader would be a
 * script inside the page, which the security policy forbids.
 */
export function startTagManager(): void {
  const id = document.querySelector<HTMLMetaElement>(`meta[name="${TAG_MANAGER_META}"]`)?.content;
  if (!id || getConsent() !== 'accepted' || document.getElementById(SCRIPT_ID)) return;
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

/** What the data layer is told, without anything that names a person; null before cookies are accepted. */
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

/** A text whose addresses have lost their queries and whose e-mails are masked. */
export function withoutPersonalData(text: string): string {
  return text
    .replace(/((?:https?:\/\/|\/)[^\s?#"'«»]*)[?#][^\s"'«»]+/gi, '$1')
    .replace(/[^\s@<>"'«»]+@[^\s@<>"'«»]+/g, '[email]');
}

/** The current address without its query, which may hold what is nobody's business. */
export function pageLocation(): string {
  return location.origin + location.pathname;
}

/** Reports a page as it is shown, and whether in the installed app; the page's title must already be set. */
export function trackPageView(): void {
  const display_mode = isStandalone() ? 'standalone' : 'browser';
  trackEvent('page_view', { page_title: document.title, page_location: pageLocation(), display_mode });
}
