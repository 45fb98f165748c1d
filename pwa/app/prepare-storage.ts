import { sweepStored } from '#pwa/device/storage.ts';
import { loadConsent } from '#pwa/features/consent/consent-storage.ts';
import { readSessionMarker } from '#pwa/features/session/session-marker.ts';

const WAIT_MS = 1000;

/**
 * Removes stored values that mean nothing here and reads the stored consent, because the first page and its page view
 * need both. Never rejects: the app works without storage. Waits at most a second, since IndexedDB on iOS may never
 * answer.
 */
export async function prepareStorage(): Promise<void> {
  await Promise.race([
    sweepStored(readSessionMarker()?.userId ?? null)
      .then(loadConsent)
      .catch((error: unknown) => console.error('Storage is not available', error)),
    new Promise((resolve) => setTimeout(resolve, WAIT_MS)),
  ]);
}
