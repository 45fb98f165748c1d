import { loadConsent } from '#pwa/lib/consent-storage.ts';
import { migrateLegacyStorage } from '#pwa/lib/legacy-storage.ts';

const WAIT_MS = 1000;

/**
 * What stands on the device is put in order and read before the first page: pages read stored values, and the first
 * page view needs the stored consent. Storage may be forbidden or, on iOS, never answer: the app works without it.
 */
export async function openStorage(): Promise<void> {
  await Promise.race([
    migrateLegacyStorage()
      .then(loadConsent)
      .catch((error: unknown) => console.error('Storage is not available', error)),
    new Promise((resolve) => setTimeout(resolve, WAIT_MS)),
  ]);
}
