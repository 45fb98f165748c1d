/** In localStorage: it outlives a sign-out, which takes everything else of the account off this device. */
const keyOf = (userId: number) => `podium.sampleDismissed.${userId}`;

/** Whether this person has sent the offer of a sample away. */
export function isSampleDismissed(userId: number): boolean {
  return localStorage.getItem(keyOf(userId)) === 'true';
}

export function noteSampleDismissed(userId: number): void {
  localStorage.setItem(keyOf(userId), 'true');
}
