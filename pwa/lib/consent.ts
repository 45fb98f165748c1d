import { z } from 'zod';
import { CONSENT_KEY } from './legacy-storage.ts';
import { readStored } from './storage.ts';

const consentSchema = z.enum(['accepted', 'declined']);
export type Consent = z.infer<typeof consentSchema>;

let consent: Consent | null = null;

/** Reads the stored choice at the start; until then nothing counts as accepted. */
export async function loadConsent(): Promise<void> {
  consent = await readStored('device', CONSENT_KEY, consentSchema);
}

/** The choice about cookies; null while none was made. */
export function getConsent(): Consent | null {
  return consent;
}
