import { callApi } from '#pwa/lib/api-client.ts';
import type { WorkerMessage } from '#pwa/lib/worker-messages.ts';
import { subscribeBody, subscribeToPush } from '#shared/contract/notifications.ts';
import { chooseWindow, readPath } from './choose-window.ts';
import { describePush } from './describe-push.ts';

/** A page that is asleep does not answer; it is then led by the browser. */
const ANSWER_WAIT_MS = 700;

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

/** Opens what a notification is about: in a window that is there already, else in a new one. */
export async function openNotification(worker: ServiceWorkerGlobalScope, notification: Notification): Promise<void> {
  notification.close();
  const path = readPath(notification.data);
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const window = chooseWindow(windows, new URL(path, worker.location.origin).href);
  // Either or: leading a window and opening another would leave the person with two.
  if (!window || !(await showIn(window, path))) await worker.clients.openWindow(path);
  await worker.navigator.clearAppBadge?.().catch(() => undefined);
}

/** By the page itself, so that what it holds is not lost; else by the browser. False when neither works. */
async function showIn(window: WindowClient, path: string): Promise<boolean> {
  // The browser may refuse to bring it to the front; it is then led all the same.
  const led = await window.focus().catch(() => window);
  if (await askPage(led, { type: 'open_path', path })) return true;
  // A window of another build, or one that no worker controls.
  return led.navigate(path).then(
    (shown) => shown !== null,
    () => false,
  );
}

function askPage(window: WindowClient, message: WorkerMessage): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), ANSWER_WAIT_MS);
    window.postMessage(message, [port2]);
  });
}

/**
 * The browser has replaced the subscription or taken it away: the server gets the new one in the place of the old. Should
 * that fail, the next start of the page sends it again.
 */
export async function renewSubscription(
  worker: ServiceWorkerGlobalScope,
  { newSubscription, oldSubscription }: PushSubscriptionChangeEvent,
): Promise<void> {
  const renewed =
    newSubscription ?? (oldSubscription && (await worker.registration.pushManager.subscribe(oldSubscription.options)));
  if (!renewed) return;
  const { endpoint, keys } = renewed.toJSON();
  const body = subscribeBody.parse({ endpoint, keys, replaces: oldSubscription?.endpoint });
  await callApi(subscribeToPush, { body });
}
