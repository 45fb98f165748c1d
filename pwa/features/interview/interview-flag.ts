/** In localStorage: it outlives a sign-out, which takes everything else of the account off this device. */
const SHOWN_KEY = 'interviewProposalShown';
const START_KEY = 'podium.sessionStart';

/** Whether this person has seen the invitation; an older client noted it for everybody on the device. */
export function wasInvitationShown(userId: number): boolean {
  return [`podium.${SHOWN_KEY}.${userId}`, SHOWN_KEY].some((key) => localStorage.getItem(key) === 'true');
}

export function markInvitationShown(userId: number): void {
  localStorage.setItem(`podium.${SHOWN_KEY}.${userId}`, 'true');
}

/** When this person's visit in this tab began; reloading the page does not begin it anew. */
export function readVisitStart(userId: number, now: number): number {
  const key = `${START_KEY}.${userId}`;
  const stored = Number(sessionStorage.getItem(key));
  if (stored > 0 && stored <= now) return stored;
  sessionStorage.setItem(key, String(now));
  return now;
}
