import { callApi } from '#pwa/client/api-client.ts';
import type { WorkerMessage } from '#pwa/device/worker-messages.ts';
import { subscribeBody, subscribeToPush } from '#shared/contract/push-devices.ts';
import { chooseWindow, readPath } from './choose-window.ts';
import { describePush } from './describe-push.ts';

/** A sleeping page does not answer. After this time the browser navigates it instead. */
const ANSWER_WAIT_MS = 700;

/** Shows a push message and sets the number of unseen results on the app's icon. */
export async function showPush(worker: ServiceWorkerGlobalScope, data: PushMessageData | null): Promise<void> {
  const { title, options, badge } = describePush(data?.text() ?? null, worker.location.origin);
  await Promise.all([
    worker.registration.showNotification(title, options),
    badge === null ? undefined : setBadge(worker.navigator, badge),
  ]);
}

/** Sets the badge where the browser supports it. A failure must not prevent the notification. */
async function setBadge(navigator: WorkerNavigator, count: number): Promise<void> {
  try {
    await navigator.setAppBadge?.(count);
  } catch (error) {
    console.warn('no badge:', error);
  }
}

/** Opens the path of a notification, in an open window if there is one, else in a new one. */
export async function openNotification(worker: ServiceWorkerGlobalScope, notification: Notification): Promise<void> {
  notification.close();
  const path = readPath(notification.data);
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const window = chooseWindow(windows, new URL(path, worker.location.origin).href);
  // Never both: a navigated window and a new one would be two for the person.
  if (!window || !(await showIn(window, path))) await worker.clients.openWindow(path);
  await worker.navigator.clearAppBadge?.().catch(() => undefined);
}

/**
 * Shows the path in an open window. The page itself navigates, so that its state is not lost; if it does not answer,
 * the browser navigates it. False when neither works.
 */
async function showIn(window: WindowClient, path: string): Promise<boolean> {
  // The browser may refuse to focus the window. The path is shown in it all the same.
  const led = await window.focus().catch(() => window);
  if (await askPage(led, { type: 'open_path', path })) return true;
  // The window has another build, or no worker controls it.
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
 * Sends the new subscription to the server when the browser has replaced or removed the old one. If this fails, the
 * next start of the page sends it again.
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
