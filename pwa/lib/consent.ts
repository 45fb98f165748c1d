import { z } from 'zod';
import { CONSENT_KEY } from './legacy-storage.ts';
import { readStored, writeStored } from './storage.ts';

const consentSchema = z.enum(['accepted', 'declined']);
export type Consent = z.infer<typeof consentSchema>;

type ConsentListener = (consent: Consent | null) => void;
let consent: Consent | null = null;
const listeners = new Set<ConsentListener>();

/** Reads the stored choice at the start; until then nothing counts as accepted. */
export async function loadConsent(): Promise<Consent | null> {
  setAndTell(await readStored('device', CONSENT_KEY, consentSchema));
  return consent;
}

export function getConsent(): Consent | null {
  return consent;
}

export async function saveConsent(choice: Consent): Promise<void> {
  setAndTell(choice);
  await writeStored('device', CONSENT_KEY, choice);
}

export function subscribeConsent(listener: ConsentListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setAndTell(choice: Consent | null): void {
  consent = choice;
  for (const listener of listeners) listener(choice);
}
