export type Consent = 'accepted' | 'declined';

let consent: Consent | null = null;

/** The choice about cookies; null when none was made or it has not been read yet. Null counts as «not accepted». */
export function getConsent(): Consent | null {
  return consent;
}

export function setConsent(choice: Consent | null): void {
  consent = choice;
}

const askers = new Set<() => void>();

/** Shows the cookie question again, whatever was chosen before. For the cookie settings buttons. */
export function askForConsentAgain(): void {
  for (const ask of askers) ask();
}

/** Calls `ask` for each request to show the question again. Returns the function that unsubscribes. */
export function subscribeConsentRequests(ask: () => void): () => void {
  askers.add(ask);
  return () => askers.delete(ask);
}
