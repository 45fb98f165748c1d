import * as z from 'zod/mini';
import { readStored, removeStored, writeStored } from './storage.ts';

/**
 * The account that is signed in on this device. It is in IndexedDB, because the worker cannot read the session marker
 * in localStorage.
 */
const OWNER_KEY = 'owner';
const MEDIA_CACHE_PREFIX = 'podium-media-';

/** The account whose pictures and uploads the worker handles; null when nobody is signed in or the storage fails. */
export function readDeviceOwner(): Promise<number | null> {
  return readStored('device', OWNER_KEY, z.int()).catch(() => null);
}

export function mediaCacheName(userId: number): string {
  return MEDIA_CACHE_PREFIX + userId;
}

/** Tells the worker who is signed in, and removes cached pictures of other accounts. */
export async function setDeviceOwner(userId: number): Promise<void> {
  await writeStored('device', OWNER_KEY, userId);
  await deleteMediaCaches(mediaCacheName(userId));
}

/** For a sign-out: removes what the worker has cached. The worker then caches nothing more. */
export async function clearDeviceOwner(): Promise<void> {
  await removeStored('device', OWNER_KEY);
  await deleteMediaCaches(null);
}

/** Removes the worker's copies of the pictures below a path, such as those of a result that is gone for good. */
export async function forgetMedia(path: string): Promise<void> {
  const owner = await readDeviceOwner();
  if (owner === null || !('caches' in globalThis)) return;
  const cache = await caches.open(mediaCacheName(owner));
  const kept = await cache.keys();
  await Promise.all(
    kept.filter(({ url }) => new URL(url).pathname.startsWith(path)).map((request) => cache.delete(request)),
  );
}

async function deleteMediaCaches(except: string | null): Promise<void> {
  // Browsers offer no caches on plain http.
  if (!('caches' in globalThis)) return;
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(MEDIA_CACHE_PREFIX) && name !== except).map((name) => caches.delete(name)),
  );
}
