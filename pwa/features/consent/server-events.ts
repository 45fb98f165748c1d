import { cookieConsent } from './consent.ts';
import type { ServerEvent } from './send-server-event.ts';
import { pageLocation } from './tag-manager.ts';
import { beginsVisit } from './visits.ts';

/** Counts that something was opened, once a visit, not on every reload. A video counts once a visit to that video. */
export function recordOpening(event: ServerEvent): void {
  if (beginsVisit([event.event_name, event.video_id].join(' ').trim())) recordServerEvent(event);
}

/** Counts an event on the server. Never throws and never waits: a lost count must not disturb the person. */
export function recordServerEvent(event: ServerEvent): void {
  const body = { ...event, page_location: pageLocation() };
  const consent = cookieConsent.get();
  import('./send-server-event.ts').then(({ sendServerEvent }) => sendServerEvent(body, consent)).catch(() => undefined);
}
