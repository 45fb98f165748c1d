import type { z } from 'zod';
import { recordEvent } from '#shared/contract/analytics.ts';
import { callApi } from './api-client.ts';
import { pageLocation } from './tag-manager.ts';

type ServerEvent = Omit<z.input<(typeof recordEvent)['body']>, 'page_location'>;

/** Counts an event on the server. Never throws and never waits: a lost count must not disturb anybody. */
export function recordServerEvent(event: ServerEvent): void {
  callApi(recordEvent, { body: { ...event, page_location: pageLocation() } }).catch(() => undefined);
}
