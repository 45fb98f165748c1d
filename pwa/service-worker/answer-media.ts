import { mediaCacheName, readDeviceOwner } from '#pwa/lib/device-owner.ts';
import { putTrimmed } from './put-trimmed.ts';

/** Small pictures, some tens of kilobytes each. */
const MEDIA_MAX = 400;

/**
 * A small picture of the account's own, so that the gallery has pictures without a network. Kept for whoever is signed
 * in on this device, and taken away when they sign out.
 */
export async function answerMedia(request: Request, { isKept }: { isKept: boolean }): Promise<Response> {
  const owner = await readDeviceOwner();
  if (owner === null) return fetch(request);
  const cache = await caches.open(mediaCacheName(owner));
  if (isKept) {
    const known = await cache.match(request);
    if (known) return known;
  }
  const response = await fetch(request).catch(() => null);
  if (response === null) return (await cache.match(request)) ?? Response.error();
  if (response.status === 200) await keep(owner, cache, request, response.clone());
  // Deleted, or somebody else's now.
  else if ([401, 403, 404, 410].includes(response.status)) await cache.delete(request);
  return response;
}

async function keep(owner: number, cache: Cache, request: Request, response: Response): Promise<void> {
  // Somebody may have signed out while the picture was on its way.
  if ((await readDeviceOwner()) === owner) await putTrimmed(cache, request, response, MEDIA_MAX);
}
