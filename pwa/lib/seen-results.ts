import { markSeen, SEEN_MAX } from '#shared/contract/notifications.ts';
import { callApi } from './api-client.ts';
import { ApiError } from './api-error.ts';

const REFUSALS: ApiError['code'][] = ['generation_not_found', 'generation_forbidden'];

/**
 * Tells the server that the person has seen how these generations ended, and takes away what the system still shows of
 * them. Gives the number that are left unseen, or null where the server knows none of these as the person's. Throws
 * ApiError.
 */
export async function noteSeen(generationIds: string[]): Promise<number | null> {
  const [unseen] = await Promise.all([tellSeen(generationIds), closeNotifications(generationIds)]);
  if (unseen !== null) await showBadge(unseen);
  return unseen;
}

/**
 * A list is refused whole for one id that is gone or belongs to another account. It is told in halves then, down to the id
 * itself, which is left out: the others count, and nothing is told twice.
 */
async function tellSeen(generationIds: string[]): Promise<number | null> {
  try {
    return (await callApi(markSeen, { body: { generationIds } })).unseen;
  } catch (error) {
    if (!(error instanceof ApiError) || !REFUSALS.includes(error.code)) throw error;
    if (generationIds.length === 1) return null;
    const middle = Math.ceil(generationIds.length / 2);
    const unseen = await tellSeen(generationIds.slice(0, middle));
    return (await tellSeen(generationIds.slice(middle))) ?? unseen;
  }
}

/**
 * Gives what is shown to `note` as soon as somebody can look at it, each id once: `noted` holds those that were given. Ends
 * with the function it gives.
 */
export function noteInSight(
  shownIds: readonly string[],
  noted: Set<string>,
  note: (generationIds: string[]) => void,
): () => void {
  const look = () => {
    if (document.visibilityState !== 'visible' || !navigator.onLine) return;
    const news = [...new Set(shownIds)].filter((id) => !noted.has(id));
    for (const id of news) noted.add(id);
    for (let first = 0; first < news.length; first += SEEN_MAX) note(news.slice(first, first + SEEN_MAX));
  };
  look();
  document.addEventListener('visibilitychange', look);
  return () => document.removeEventListener('visibilitychange', look);
}

/** The number on the app's icon, where there is such a thing; 0 takes it away. */
export async function showBadge(count: number): Promise<void> {
  try {
    if (count > 0) await navigator.setAppBadge?.(count);
    else await navigator.clearAppBadge?.();
  } catch {
    // Not installed, or not allowed: then there is no icon to put it on.
  }
}

async function closeNotifications(generationIds: string[]): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const notification of (await registration?.getNotifications()) ?? []) {
    if (generationIds.includes(notification.tag)) notification.close();
  }
}
