import type { WorkerMessage } from '#pwa/lib/worker-messages.ts';
import { chooseWindow, readPath } from './choose-window.ts';

/** A page that is asleep does not answer; it is then led by the browser. */
const ANSWER_WAIT_MS = 700;

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
