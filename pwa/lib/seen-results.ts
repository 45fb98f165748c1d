import { markSeen } from '#shared/contract/notifications.ts';
import { callApi } from './api-client.ts';

/**
 * Tells the server that the person has seen how a generation ended, or how all did, and takes away what the system still
 * shows of it. Gives the number that are left unseen. Throws ApiError.
 */
export async function noteSeen(generationId: string | 'all'): Promise<number> {
  const ids = generationId === 'all' ? {} : { generationIds: [generationId] };
  const [{ unseen }] = await Promise.all([callApi(markSeen, { body: ids }), closeNotifications(generationId)]);
  await showBadge(unseen);
  return unseen;
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

async function closeNotifications(generationId: string | 'all'): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  const filter = generationId === 'all' ? {} : { tag: generationId };
  for (const notification of (await registration?.getNotifications(filter)) ?? []) notification.close();
}
