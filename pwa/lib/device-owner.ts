import { z } from 'zod';
import { readStored, removeStored, writeStored } from './storage.ts';

/**
 * The owner of the device, stored where the worker can read it: the worker has no localStorage, and so no session
 * marker.
 */
const OWNER_KEY = 'owner';
const MEDIA_CACHE_PREFIX = 'podium-media-';

/** The account whose pictures and uploads the worker handles; null while nobody is signed in, or it is unknown. */
export function readDeviceOwner(): Promise<number | null> {
  return readStored('device', OWNER_KEY, z.int()).catch(() => null);
}

export function mediaCacheName(userId: number): string {
  return MEDIA_CACHE_PREFIX + userId;
}

/** Tells the worker who is signed in; pictures of other accounts are removed. */
export async function setDeviceOwner(userId: number): Promise<void> {
  await writeStored('device', OWNER_KEY, userId);
  await deleteMediaCaches(mediaCacheName(userId));
}

/** After a sign-out: removes what the worker has cached, and it caches nothing more. */
export async function clearDeviceOwner(): Promise<void> {
  await removeStored('device', OWNER_KEY);
  await deleteMediaCaches(null);
}

async function deleteMediaCaches(except: string | null): Promise<void> {
  // Absent on plain-http addresses.
  if (!('caches' in globalThis)) return;
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(MEDIA_CACHE_PREFIX) && name !== except).map((name) => caches.delete(name)),
  );
}
