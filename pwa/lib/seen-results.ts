import { markSeen, SEEN_MAX } from '#shared/contract/notifications.ts';
import { callApi } from './api-client.ts';
import { ApiError } from './api-error.ts';

const REFUSALS: ApiError['code'][] = ['generation_not_found', 'generation_forbidden'];

/**
 * Tells the server that the person has seen how these generations ended, and closes the system's notifications of them.
 * Returns how many are still unseen, or null if none of these belongs to the person. Throws ApiError.
 */
export async function noteSeen(generationIds: string[]): Promise<number | null> {
  const [unseen] = await Promise.all([tellSeen(generationIds), closeNotifications(generationIds)]);
  if (unseen !== null) await showBadge(unseen);
  return unseen;
}

/**
 * The server refuses a whole list for one unknown or foreign id. The list is then sent in halves, down to that id,
 * which is left out: the others count, and nothing is sent twice.
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
 * Passes each shown id to `note` once, as soon as the page is visible. `noted` holds the ids passed so far. Returns the
 * function that ends it.
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
