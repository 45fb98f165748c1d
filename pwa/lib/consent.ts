export type Consent = 'accepted' | 'declined';

let consent: Consent | null = null;

/** The choice about cookies; null while none was made. Until it is read, nothing counts as accepted. */
export function getConsent(): Consent | null {
  return consent;
}

export function setConsent(choice: Consent | null): void {
  consent = choice;
}
