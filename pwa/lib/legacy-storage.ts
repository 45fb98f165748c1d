import { readSessionMarker } from './session-marker.ts';
import { sweepStored, writeStored } from './storage.ts';

export const ACTIVE_GENERATION_KEY = 'activeGeneration';
export const CONSENT_KEY = 'cookieConsent';

/** What to do with a value that an older client left in localStorage. */
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
 * Runs once at the start: values of the old keys move from localStorage to IndexedDB or, when they mean
 * nothing, are deleted; so are values of older schema versions in IndexedDB.
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
