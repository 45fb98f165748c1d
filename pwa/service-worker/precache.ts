import { cleanupOutdatedCaches, PrecacheController } from 'workbox-precaching';
import type { PrecacheEntry } from './document-variant.ts';

/** Parallel downloads. Browsers open six connections to an HTTP/1.1 server; HTTP/2 has no such limit. */
const AT_ONCE = 12;

const controller = new PrecacheController();

/** Precaches these files when the worker is installed, until a worker with other files takes over. */
export function precacheFiles(worker: ServiceWorkerGlobalScope, files: PrecacheEntry[]): void {
  controller.addToCacheList(files);
  cleanupOutdatedCaches();
  worker.addEventListener('install', (event) => {
    event.waitUntil(prefillCache(files).then(() => controller.install(event)));
  });
  worker.addEventListener('activate', (event) => {
    event.waitUntil(controller.activate(event));
  });
}

/** A precached file; undefined for any other, or when the browser has lost it. */
export function matchPrecached(request: string | Request): Promise<Response | undefined> {
  return controller.matchPrecache(request);
}

/**
 * Downloads versioned files in parallel before the controller runs. The controller fetches one after the other, which
 * takes half a minute on a slow network. It skips files that are already cached and retries those that failed here.
 */
async function prefillCache(files: readonly PrecacheEntry[]): Promise<void> {
  const cache = await caches.open(controller.strategy.cacheName);
  const left = files.filter(({ revision }) => revision === null).values();
  const work = async () => {
    for (const { url } of left) {
      // Cached by the previous version.
      if (await cache.match(url)) continue;
      // Low priority, so that the requests of the open page go first.
      const response = await fetch(url, { credentials: 'same-origin', priority: 'low' }).catch(() => null);
      if (!response?.ok) return;
      await cache.put(url, response);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
