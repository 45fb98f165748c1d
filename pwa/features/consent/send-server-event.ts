import type * as z from 'zod/mini';
import { callApi } from '#pwa/client/api-client.ts';
import { ANALYTICS_CONSENT_HEADER, recordEvent } from '#shared/contract/analytics.ts';
import type { Consent } from './consent.ts';

type EventBody = z.input<(typeof recordEvent)['body']>;
export type ServerEvent = Omit<EventBody, 'page_location'>;

/** Throws like `callApi`. */
export function sendServerEvent(body: EventBody, consent: Consent | null): Promise<void> {
  const { event, headers } = limitToConsent(body, consent);
  return callApi(recordEvent, { body: event }, { headers });
}

/**
 * The part of an event that may be sent: without consent to cookies, nothing that identifies the person or their files.
 */
export function limitToConsent<Event extends ServerEvent>(
  event: Event,
  consent: Consent | null,
): { event: Omit<Event, 'video_id' | 'details'>; headers: Record<string, string> } {
  if (consent === 'accepted') return { event, headers: { [ANALYTICS_CONSENT_HEADER]: consent } };
  const { video_id: _videoId, details: _details, ...anonymous } = event;
  return { event: anonymous, headers: {} };
}
