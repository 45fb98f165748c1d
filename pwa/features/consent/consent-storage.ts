import { ignoreFailure, readStored, type StoredShape, writeStored } from '#pwa/device/storage.ts';
import { type Consent, cookieConsent } from './consent.ts';
import { startTagManager, trackPageView } from './tag-manager.ts';

export const CONSENT_KEY = 'cookieConsent';

/** Checked by hand, because a visitor's first page does not load the schema library. */
const consentShape: StoredShape<Consent> = {
  safeParse: (value) =>
    value === 'accepted' || value === 'declined' ? { success: true, data: value } : { success: false },
};

/** Reads the stored choice. Call once at the start. */
export async function loadConsent(): Promise<void> {
  cookieConsent.set(await readStored('device', CONSENT_KEY, consentShape));
  startTagManager();
}

/**
 * Stores the choice, which takes effect at once: the page on which cookies are accepted is the first one counted. If
 * the device cannot store it, the question is asked again at the next visit.
 */
export function saveConsent(choice: Consent): void {
  const isNew = choice !== cookieConsent.get();
  cookieConsent.set(choice);
  if (isNew && choice === 'accepted') {
    startTagManager();
    trackPageView();
  }
  ignoreFailure(writeStored('device', CONSENT_KEY, choice));
}
