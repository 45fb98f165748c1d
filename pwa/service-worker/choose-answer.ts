import { PATHS, type Path } from '#shared/rules/app-paths.ts';
import { SHARE_TARGET_PATH } from '#shared/rules/share-target.ts';

/**
 * - share: a photo shared from another app.
 * - shell: the interface's own document, with or without a network.
 * - page: a page of the server, or the shell when the server cannot be reached.
 * - file: a file of the build.
 * - media: a small picture of the account. It is fetched again while there is a network, because it may have been deleted
 *   or have the logo now.
 */
export type Answer = 'share' | 'shell' | 'page' | 'file' | 'media';

export interface RequestFacts {
  method: string;
  /** Whether the request opens a page. */
  isNavigation: boolean;
  hasRange: boolean;
  url: URL;
  ownOrigin: string;
}

/** Pages whose document is only the empty interface. The server's other pages are prerendered. */
const SHELL_PAGES: ReadonlySet<string> = new Set<Path>([
  PATHS.verifyEmail,
  PATHS.chatAccess,
  PATHS.app,
  PATHS.createVideo,
  PATHS.changeModel,
  PATHS.photoshoot,
  PATHS.tryOn,
  PATHS.batches,
  PATHS.products,
  PATHS.gallery,
  PATHS.deleted,
  PATHS.analytics,
  PATHS.settings,
  PATHS.stars,
]);

/** Navigations that must reach the server: downloads, other doors, files. */
const NOT_PAGES =
  /^\/(api|media|assets|share-target|bot|help|dev|sandbox|healthz|readyz|metrics)(\/|$)|\.[a-z0-9]{2,11}$/i;
const BUILT_FILES = /^\/(assets\/.+|icons\/.+|(before-start|old-browser)\.js)$/;
/** iOS cannot play a video that a worker answers, and no other browser needs the worker for it. */
const VIDEO = /\.(mp4|webm|mov)$/i;
const MEDIA = /^\/media\/(photos\/[^/]+\/(preview|thumbnail)|results\/[^/]+\/\d+\/(poster|thumbnail))$/;

/** How the worker answers a request; null leaves the request to the browser. */
export function chooseAnswer({ method, isNavigation, hasRange, url, ownOrigin }: RequestFacts): Answer | null {
  if (url.origin !== ownOrigin) return null;
  const { pathname } = url;
  if (method === 'POST' && pathname === SHARE_TARGET_PATH) return 'share';
  if (method !== 'GET' || hasRange) return null;
  if (isNavigation) {
    if (NOT_PAGES.test(pathname)) return null;
    return SHELL_PAGES.has(pathname) ? 'shell' : 'page';
  }
  if (VIDEO.test(pathname)) return null;
  if (BUILT_FILES.test(pathname)) return 'file';
  return MEDIA.test(pathname) ? 'media' : null;
}
