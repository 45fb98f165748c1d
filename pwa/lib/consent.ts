export type Consent = 'accepted' | 'declined';

let consent: Consent | null = null;

/** The choice about cookies; null while none was made. Until it is read, nothing counts as accepted. */
export function getConsent(): Consent | null {
  return consent;
}

export function setConsent(choice: Consent | null): void {
  consent = choice;
}

const askers = new Set<() => void>();

/** Shows the cookie question again, whatever was chosen before. */
export function askForConsentAgain(): void {
  for (const ask of askers) ask();
}

/** `ask` shows the question; called for each request. Returns the function that ends the subscription. */
export function subscribeConsentRequests(ask: () => void): () => void {
  askers.add(ask);
  return () => askers.delete(ask);
}
