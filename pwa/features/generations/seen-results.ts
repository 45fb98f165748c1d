import { callApi } from '#pwa/client/api-client.ts';
import { ApiError } from '#pwa/client/api-error.ts';
import { markSeen, SEEN_MAX } from '#shared/contract/notifications.ts';

const REFUSALS: ApiError['code'][] = ['generation_not_found', 'generation_forbidden'];

/**
 * Reports to the server that the person has seen these finished generations, and closes their system notifications.
 * Returns how many are still unseen, or null if none of these belongs to the person. Throws ApiError.
 */
export async function noteSeen(generationIds: string[]): Promise<number | null> {
  const [unseen] = await Promise.all([sendSeen(generationIds), closeNotifications(generationIds)]);
  if (unseen !== null) await showBadge(unseen);
  return unseen;
}

/**
 * The server refuses a whole list because of one unknown or foreign id. The list is then split in halves until that id
 * is isolated and left out. All others count, and none is accepted twice.
 */
async function sendSeen(generationIds: string[]): Promise<number | null> {
  try {
    return (await callApi(markSeen, { body: { generationIds } })).unseen;
  } catch (error) {
    if (!(error instanceof ApiError) || !REFUSALS.includes(error.code)) throw error;
    if (generationIds.length === 1) return null;
    const middle = Math.ceil(generationIds.length / 2);
    const unseen = await sendSeen(generationIds.slice(0, middle));
    return (await sendSeen(generationIds.slice(middle))) ?? unseen;
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

/** Sets the number on the app's icon, where the browser supports it; 0 removes it. */
export async function showBadge(count: number): Promise<void> {
  try {
    if (count > 0) await navigator.setAppBadge?.(count);
    else await navigator.clearAppBadge?.();
  } catch {
    // Without an installed app there is no icon to put the number on.
  }
}

async function closeNotifications(generationIds: string[]): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const notification of (await registration?.getNotifications()) ?? []) {
    if (generationIds.includes(notification.tag)) notification.close();
  }
}
