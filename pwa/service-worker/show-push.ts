import { describePush } from './describe-push.ts';

/** Shows a push message and puts the number of unseen results on the app's icon. */
export async function showPush(worker: ServiceWorkerGlobalScope, data: PushMessageData | null): Promise<void> {
  const { title, options, badge } = describePush(data?.text() ?? null, worker.location.origin);
  await Promise.all([
    worker.registration.showNotification(title, options),
    badge === null ? undefined : setBadge(worker.navigator, badge),
  ]);
}

/** Not every browser has badges, and a refused one must not cost the notification. */
async function setBadge(navigator: WorkerNavigator, count: number): Promise<void> {
  try {
    await navigator.setAppBadge?.(count);
  } catch (error) {
    console.warn('no badge:', error);
  }
}
