import { readSessionMarker } from './session-marker.ts';
import { sweepStored, writeStored } from './storage.ts';

export const ACTIVE_GENERATION_KEY = 'activeGeneration';
export const CONSENT_KEY = 'cookieConsent';

/** Whether a value that an older client left in localStorage is kept, and as what. */
export function judgeLegacyValue(key: string, value: string): { keep: false } | { keep: true; value: unknown } {
  if (value === 'undefined' || value === 'null') return { keep: false };
  if (key === CONSENT_KEY) {
    return value === 'accepted' || value === 'declined' ? { keep: true, value } : { keep: false };
  }
  try {
    return { keep: true, value: JSON.parse(value) };
  } catch {
    return { keep: false };
  }
}

/**
 * Moves values of old keys from localStorage to IndexedDB and deletes meaningless ones. Also deletes values of older
 * schema versions from IndexedDB. Call once at the start.
 */
export async function migrateLegacyStorage(): Promise<void> {
  const userId = readSessionMarker()?.userId;
  for (const key of [ACTIVE_GENERATION_KEY, CONSENT_KEY]) {
    const raw = localStorage.getItem(key);
    if (raw === null) continue;
    const judged = judgeLegacyValue(key, raw);
    const owner = key === CONSENT_KEY ? 'device' : userId;
    if (judged.keep && owner !== undefined) await writeStored(owner, key, judged.value);
    localStorage.removeItem(key);
  }
  await sweepStored(userId ?? null);
}
