import { Workbox } from 'workbox-window';
import { whenIdle } from '#pwa/device/busy.ts';
import { createStore } from '#pwa/device/store.ts';

const WORKER = '/sw.js';
/** Checks for a new version this often, for people who never reload the page. */
const CHECK_INTERVAL_MS = 3600_000;

let workbox: Workbox | null = null;
/** Whether a new version is waiting. */
export const isUpdateReady = createStore(false);

/**
 * Registers the service worker and watches for new versions, which wait until the person asks for them. `openPath`
 * shows a path in the app: notifications use it.
 */
export async function registerServiceWorker(openPath: (path: string) => void): Promise<void> {
  // The development server has no worker.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  reloadWithNewWorker();
  navigator.serviceWorker.addEventListener('message', async (event) => {
    // Loaded late, because a visitor's first page does not load the schema library.
    const { workerMessage } = await import('#pwa/device/worker-messages.ts');
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

/** Null when the browser allows no workers, as in some private windows. The app works without one. */
async function register(): Promise<ServiceWorkerRegistration | null> {
  workbox = new Workbox(WORKER);
  try {
    return (await workbox.register()) ?? null;
  } catch (error) {
    console.warn('no service worker:', error);
    return null;
  }
}

/** Activates the waiting version, at the person's request. All open pages of the app then reload. */
export function applyUpdate(): void {
  workbox?.messageSkipWaiting();
}

/**
 * Uses the registration's own events: the library misinterprets the first update of a page, and «Обновить» would then
 * do nothing.
 */
function watchForWaiting(registration: ServiceWorkerRegistration): void {
  const settle = () => {
    // The very first worker has no predecessor, so it is not an update.
    isUpdateReady.set(registration.waiting !== null && registration.active !== null);
  };
  const watch = (installing: ServiceWorker | null) => installing?.addEventListener('statechange', settle);
  registration.addEventListener('updatefound', () => watch(registration.installing));
  watch(registration.installing);
  settle();
}

/**
 * Reloads the page when a new worker has taken over, by this or another tab: the old code would ask for files that are
 * gone.
 */
function reloadWithNewWorker(): void {
  let hadWorker = navigator.serviceWorker.controller !== null;
  let isReloading = false;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    // The first worker takes control of a page that works without it.
    if (!hadWorker) {
      hadWorker = true;
      return;
    }
    if (isReloading) return;
    isReloading = true;
    whenIdle(() => location.reload());
  });
}
