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
 * Downloads files in parallel before the controller runs. The controller fetches one after the other, which takes thrice
 * as long on a slow network. It skips files that are already cached and retries those that failed here.
 */
async function prefillCache(files: readonly PrecacheEntry[]): Promise<void> {
  const cache = await caches.open(controller.strategy.cacheName);
  const left = files.values();
  const work = async () => {
    for (const { url, revision } of left) {
      const key = controller.getCacheKeyForURL(url) ?? url;
      // Cached by the previous version.
      if (await cache.match(key)) continue;
      const response = await fetch(url, {
        credentials: 'same-origin',
        // Low priority, so that the requests of the open page go first.
        priority: 'low',
        // Under its name the browser may still hold an older file.
        cache: revision === null ? 'default' : 'reload',
      }).catch(() => null);
      if (!response?.ok) return;
      await cache.put(key, response);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
