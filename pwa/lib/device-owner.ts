import { z } from 'zod';
import { readStored, removeStored, writeStored } from './storage.ts';

/** Whose device this is, where the worker can read it: it has no localStorage, and so no session marker. */
const OWNER_KEY = 'owner';
const MEDIA_CACHE_PREFIX = 'podium-media-';

/** The account whose pictures and uploads the worker looks after; null while nobody is signed in, or unknown. */
export function readDeviceOwner(): Promise<number | null> {
  return readStored('device', OWNER_KEY, z.int()).catch(() => null);
}

export function mediaCacheName(userId: number): string {
  return MEDIA_CACHE_PREFIX + userId;
}

/** Tells the worker who is signed in; pictures of anybody else go. */
export async function setDeviceOwner(userId: number): Promise<void> {
  await writeStored('device', OWNER_KEY, userId);
  await deleteMediaCaches(mediaCacheName(userId));
}

/** After a sign-out: the worker keeps nothing more, and what it kept is gone. */
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
