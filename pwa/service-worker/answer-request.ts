import { mediaCacheName, readDeviceOwner } from '#pwa/device/device-owner.ts';
import { type Answer, chooseAnswer } from './choose-answer.ts';
import { matchPrecached } from './precache.ts';
import { receiveShare } from './receive-share.ts';

const SHELL = '/index.html';
/** Build files that are not precached are cached on first use. Their names change with their content. */
const FILES_CACHE = 'podium-files';
const FILES_MAX = 200;
/** After this time without an answer the network counts as missing. */
const PAGE_WAIT_MS = 6000;
/** Each picture has some tens of kilobytes. */
const MEDIA_MAX = 400;

/** The worker's answer to a request; null leaves the request to the browser. */
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
  media: ({ request }) => answerMedia(request),
};

/** Falls back to the server, because browsers sometimes lose precached files. */
async function getShell(): Promise<Response> {
  return (await matchPrecached(SHELL)) ?? fetch(SHELL);
}

async function getPage(request: Request): Promise<Response> {
  try {
    return await Promise.race([fetch(request), rejectAfter(PAGE_WAIT_MS)]);
  } catch {
    return getShell();
  }
}

async function getFile(request: Request): Promise<Response> {
  const precached = await matchPrecached(request);
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
 * Answers a small picture of the account, and caches it so that the gallery works without a network. The cache belongs
 * to the signed-in account and is deleted at its sign-out.
 */
async function answerMedia(request: Request): Promise<Response> {
  const owner = await readDeviceOwner();
  if (owner === null) return fetch(request);
  const cache = await caches.open(mediaCacheName(owner));
  const response = await fetch(request).catch(() => null);
  if (response === null) return (await cache.match(request)) ?? Response.error();
  if (response.status === 200) await keep(owner, cache, request, response.clone());
  // The picture was deleted or belongs to another account now.
  else if ([401, 403, 404, 410].includes(response.status)) await cache.delete(request);
  return response;
}

async function keep(owner: number, cache: Cache, request: Request, response: Response): Promise<void> {
  // The person may have signed out while the picture was loading.
  if ((await readDeviceOwner()) === owner) await putTrimmed(cache, request, response, MEDIA_MAX);
}

/** Caches an answer and removes the oldest beyond `max`. A full device caches nothing, which is harmless. */
async function putTrimmed(cache: Cache, request: Request, response: Response, max: number): Promise<void> {
  try {
    await cache.put(request, response);
    const kept = await cache.keys();
    // The keys are in the order of insertion.
    await Promise.all(kept.slice(0, Math.max(0, kept.length - max)).map((oldest) => cache.delete(oldest)));
  } catch (error) {
    console.warn('the device keeps no copy:', error);
  }
}
