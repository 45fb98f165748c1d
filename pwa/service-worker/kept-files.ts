import { cleanupOutdatedCaches, PrecacheController } from 'workbox-precaching';
import type { KeptFile } from './document-variant.ts';

/** Parallel downloads. Browsers open six connections to an HTTP/1.1 server; HTTP/2 has no such limit. */
const AT_ONCE = 12;

const precache = new PrecacheController();

/** Precaches these files when the worker is installed, until a worker with other files takes over. */
export function keepFiles(worker: ServiceWorkerGlobalScope, files: KeptFile[]): void {
  precache.addToCacheList(files);
  cleanupOutdatedCaches();
  worker.addEventListener('install', (event) => {
    event.waitUntil(putAhead(files).then(() => precache.install(event)));
  });
  worker.addEventListener('activate', (event) => {
    event.waitUntil(precache.activate(event));
  });
}

/** A precached file; undefined for any other, or when the browser has lost it. */
export function matchKept(request: string | Request): Promise<Response | undefined> {
  return precache.matchPrecache(request);
}

/**
 * Downloads versioned files in parallel before the controller runs. The controller fetches one after the other, which
 * takes half a minute on a slow network. It skips files that are already cached and retries those that failed here.
 */
async function putAhead(files: readonly KeptFile[]): Promise<void> {
  const cache = await caches.open(precache.strategy.cacheName);
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
