import { mediaCacheName, readDeviceOwner } from '#pwa/lib/device-owner.ts';
import { type Answer, chooseAnswer } from './choose-answer.ts';
import { matchKept } from './kept-files.ts';
import { receiveShare } from './receive-share.ts';

const SHELL = '/index.html';
/** Files that are not precached, kept once they were needed; their names change with their content. */
const FILES_CACHE = 'podium-files';
const FILES_MAX = 200;
/** A network that does not answer for so long is as good as none. */
const PAGE_WAIT_MS = 6000;
/** Small pictures, some tens of kilobytes each. */
const MEDIA_MAX = 400;

/** The worker's answer to a request; null leaves it to the browser. */
export function answerRequest(event: FetchEvent): Promise<Response> | null {
  const { request } = event;
  const answer = chooseAnswer({
    method: request.method,
    isNavigation: request.mode === 'navigate',
    hasRange: request.headers.has('range'),
    url: new URL(request.url),
    ownOrigin: location.origin,
  });
  return answer && ANSWERS[answer](event);
}

const ANSWERS: Record<Answer, (event: FetchEvent) => Promise<Response>> = {
  share: receiveShare,
  shell: getShell,
  page: ({ request }) => getPage(request),
  file: ({ request }) => getFile(request),
  media_kept: ({ request }) => answerMedia(request, { isKept: true }),
  media_asked: ({ request }) => answerMedia(request, { isKept: false }),
};

/** Browsers have been seen to lose what was precached: the server then still has it. */
async function getShell(): Promise<Response> {
  return (await matchKept(SHELL)) ?? fetch(SHELL);
}

async function getPage(request: Request): Promise<Response> {
  try {
    return await Promise.race([fetch(request), rejectAfter(PAGE_WAIT_MS)]);
  } catch {
    return getShell();
  }
}

async function getFile(request: Request): Promise<Response> {
  const precached = await matchKept(request);
  if (precached) return precached;
  const cache = await caches.open(FILES_CACHE);
  const known = await cache.match(request);
  if (known) return known;
  const response = await fetch(request);
  if (response.ok && new URL(request.url).pathname.startsWith('/assets/')) {
    await putTrimmed(cache, request, response.clone(), FILES_MAX);
  }
  return response;
}

function rejectAfter(ms: number): Promise<never> {
  return new Promise((_resolve, reject) => setTimeout(() => reject(new Error('the network is too slow')), ms));
}

/**
 * A small picture of the account's own, so that the gallery has pictures without a network. Kept for whoever is signed
 * in on this device, and taken away when they sign out.
 */
async function answerMedia(request: Request, { isKept }: { isKept: boolean }): Promise<Response> {
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

/** Keeps an answer, and of all kept ones the newest `max`. A device without room keeps nothing, which hurts nobody. */
async function putTrimmed(cache: Cache, request: Request, response: Response, max: number): Promise<void> {
  try {
    await cache.put(request, response);
    const kept = await cache.keys();
    // In the order in which they were put.
    await Promise.all(kept.slice(0, Math.max(0, kept.length - max)).map((oldest) => cache.delete(oldest)));
  } catch (error) {
    console.warn('the device keeps no copy:', error);
  }
}
