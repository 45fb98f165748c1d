import { answerMedia } from './answer-media.ts';
import { type Answer, chooseAnswer } from './choose-answer.ts';
import { matchKept } from './kept-files.ts';
import { putTrimmed } from './put-trimmed.ts';
import { receiveShare } from './receive-share.ts';

const SHELL = '/index.html';
/** Files that are not precached, kept once they were needed; their names change with their content. */
const FILES_CACHE = 'podium-files';
const FILES_MAX = 200;
/** A network that does not answer for so long is as good as none. */
const PAGE_WAIT_MS = 6000;

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
