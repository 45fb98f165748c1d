import { Workbox } from 'workbox-window';
import { whenIdle } from '#pwa/lib/busy.ts';

const WORKER = '/sw.js';
/** Somebody who never reloads the page hears of a new version too. */
const CHECK_INTERVAL_MS = 3600_000;

let workbox: Workbox | null = null;
let isUpdateReady = false;
const listeners = new Set<() => void>();

/** Registers the worker and watches for its next version, which waits until the person asks for it. */
export async function followWorker(openPath: (path: string) => void): Promise<void> {
  // The development server builds none.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  reloadWithNewWorker();
  navigator.serviceWorker.addEventListener('message', async (event) => {
    // A visitor's first page loads no schema library.
    const { workerMessage } = await import('#pwa/lib/worker-messages.ts');
    const message = workerMessage.safeParse(event.data);
    if (!message.success) return;
    openPath(message.data.path);
    event.ports[0]?.postMessage(null);
  });
  const registration = await register();
  if (!registration) return;
  watchForWaiting(registration);

  const check = () => void registration.update().catch(() => undefined);
  setInterval(check, CHECK_INTERVAL_MS);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') check();
  });
}

/** Null where the browser keeps no workers, as in some private windows: the app works without. */
async function register(): Promise<ServiceWorkerRegistration | null> {
  workbox = new Workbox(WORKER);
  try {
    return (await workbox.register()) ?? null;
  } catch (error) {
    console.warn('no service worker:', error);
    return null;
  }
}

/** Whether a new version waits. */
export function hasUpdate(): boolean {
  return isUpdateReady;
}

export function subscribeUpdate(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The person wants the new version: its worker takes over, and every open page of ours loads anew. */
export function takeUpdate(): void {
  workbox?.messageSkipWaiting();
}

/**
 * By the registration itself: the library's own events take the very first update of a page for something else, and its
 * «Обновить» would then do nothing.
 */
function watchForWaiting(registration: ServiceWorkerRegistration): void {
  const settle = () => {
    // The first worker of all waits for nobody.
    const isReady = registration.waiting !== null && registration.active !== null;
    if (isReady === isUpdateReady) return;
    isUpdateReady = isReady;
    for (const listener of listeners) listener();
  };
  const watch = (installing: ServiceWorker | null) => installing?.addEventListener('statechange', settle);
  registration.addEventListener('updatefound', () => watch(registration.installing));
  watch(registration.installing);
  settle();
}

/** Another worker took over, in this tab or by another: old code would ask for files that are gone. */
function reloadWithNewWorker(): void {
  let hadWorker = navigator.serviceWorker.controller !== null;
  let isReloading = false;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    // The first worker takes hold of a page that works without it.
    if (!hadWorker) {
      hadWorker = true;
      return;
    }
    if (isReloading) return;
    isReloading = true;
    whenIdle(() => location.reload());
  });
}
