import { loadConsent } from '#pwa/lib/consent-storage.ts';
import { migrateLegacyStorage } from '#pwa/lib/legacy-storage.ts';

const WAIT_MS = 1000;

/**
 * Migrates old stored values and reads the stored consent, because the first page and its page view need both. Never
 * rejects: the app works without storage. Waits at most a second, since IndexedDB on iOS may never answer.
 */
export async function prepareStorage(): Promise<void> {
  await Promise.race([
    migrateLegacyStorage()
      .then(loadConsent)
      .catch((error: unknown) => console.error('Storage is not available', error)),
    new Promise((resolve) => setTimeout(resolve, WAIT_MS)),
  ]);
}
