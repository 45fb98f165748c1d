import type { z } from 'zod';
import { ANALYTICS_CONSENT_HEADER, recordEvent } from '#shared/contract/analytics.ts';
import { callApi } from './api-client.ts';
import { type Consent, getConsent } from './consent.ts';
import { pageLocation } from './tag-manager.ts';

type ServerEvent = Omit<z.input<(typeof recordEvent)['body']>, 'page_location'>;

/** Counts an event on the server. Never throws and never waits: a lost count must not disturb anybody. */
export function recordServerEvent(event: ServerEvent): void {
  const { event: allowed, headers } = limitToConsent(event, getConsent());
  callApi(recordEvent, { body: { ...allowed, page_location: pageLocation() } }, { headers }).catch(() => undefined);
}

/** What may be told of an event: without accepted cookies nothing that leads to the person or to their files. */
export function limitToConsent(
  event: ServerEvent,
  consent: Consent | null,
): { event: ServerEvent; headers: Record<string, string> } {
  if (consent === 'accepted') return { event, headers: { [ANALYTICS_CONSENT_HEADER]: consent } };
  const { video_id: _videoId, details: _details, ...anonymous } = event;
  return { event: anonymous, headers: {} };
}
