import { createStore } from '#pwa/device/store.ts';

export type Consent = 'accepted' | 'declined';

/** The choice about cookies; null when none was made or it has not been read yet. Null counts as «not accepted». */
export const cookieConsent = createStore<Consent | null>(null);

/** How often the person has asked to see the cookie question again, whatever was chosen before. */
export const cookieRequests = createStore(0);
