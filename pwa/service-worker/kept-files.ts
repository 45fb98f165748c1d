import { cleanupOutdatedCaches, PrecacheController } from 'workbox-precaching';
import type { KeptFile } from './document-variant.ts';

/** Twice as many as browsers ask an HTTP/1.1 server for at once; HTTP/2 has no such bound. */
const AT_ONCE = 12;

const precache = new PrecacheController();

/** Keeps these files from the worker's installation on, until one that has others takes over. */
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

/** A kept file; undefined for another one, or when the browser has lost it. */
export function matchKept(request: string | Request): Promise<Response | undefined> {
  return precache.matchPrecache(request);
}

/**
 * The controller asks for one file after the other and waits for the line before each, which on a slow one takes half a
 * minute. What is there already it passes over; what could not be had it asks for again, and fails by it.
 */
async function putAhead(files: readonly KeptFile[]): Promise<void> {
  const cache = await caches.open(precache.strategy.cacheName);
  const left = files.filter(({ revision }) => revision === null).values();
  const work = async () => {
    for (const { url } of left) {
      // Kept by the version before.
      if (await cache.match(url)) continue;
      // What the open page asks for meanwhile goes first.
      const response = await fetch(url, { credentials: 'same-origin', priority: 'low' }).catch(() => null);
      if (!response?.ok) return;
      await cache.put(url, response);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
