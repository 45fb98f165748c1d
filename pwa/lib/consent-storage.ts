import { type Consent, getConsent, setConsent } from './consent.ts';
import { CONSENT_KEY } from './legacy-storage.ts';
import { ignoreFailure, readStored, type StoredShape, writeStored } from './storage.ts';
import { startTagManager, trackPageView } from './tag-manager.ts';

/** Checked by hand: a visitor's first page loads no schema library. */
const consentShape: StoredShape<Consent> = {
  safeParse: (value) =>
    value === 'accepted' || value === 'declined' ? { success: true, data: value } : { success: false },
};

/** Reads the stored choice; called once at the start. */
export async function loadConsent(): Promise<void> {
  setConsent(await readStored('device', CONSENT_KEY, consentShape));
  startTagManager();
}

/**
 * Takes effect at once: the page on which cookies are accepted is the first one counted. A device that stores nothing
 * asks again at the next visit.
 */
export function saveConsent(choice: Consent): void {
  const isNew = choice !== getConsent();
  setConsent(choice);
  if (isNew && choice === 'accepted') {
    startTagManager();
    trackPageView();
  }
  ignoreFailure(writeStored('device', CONSENT_KEY, choice));
}
