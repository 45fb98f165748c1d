import { PATHS, SEARCH_PARAMETER } from '#shared/rules/app-paths.ts';
import { isOwnPath } from '#shared/rules/own-path.ts';

const OPEN_BUY_STARS = 'openBuyStars';

/** A link that opens the buy-stars dialog. */
export const BUY_STARS_PATH = `${PATHS.app}?${OPEN_BUY_STARS}=true`;

export function hasBuyStarsQuery(search: string): boolean {
  return new URLSearchParams(search).get(OPEN_BUY_STARS) === 'true';
}

/** The query without the request to open the buy-stars dialog. */
export function withoutBuyStarsQuery(search: string): string {
  return withoutParameter(search, OPEN_BUY_STARS);
}

/** The gallery with the focus in its search field. */
export const SEARCH_PATH = `${PATHS.gallery}?${SEARCH_PARAMETER}=`;

/** Names the product that the page of products shows. */
export const PRODUCT_PARAMETER = 'product';

/** The path of a product: its photos and results. */
export function productPath(id: string): string {
  return `${PATHS.products}?${new URLSearchParams({ [PRODUCT_PARAMETER]: id })}`;
}

const TAKE_SAMPLE = 'sample';

/** Opens the video page with a sample photo. */
export const SAMPLE_PATH = `${PATHS.createVideo}?${TAKE_SAMPLE}=true`;

export function hasSampleQuery(search: string): boolean {
  return new URLSearchParams(search).get(TAKE_SAMPLE) === 'true';
}

/** The query without the request for the sample photo. */
export function withoutSampleQuery(search: string): string {
  return withoutParameter(search, TAKE_SAMPLE);
}

function withoutParameter(search: string, name: string): string {
  const query = new URLSearchParams(search);
  query.delete(name);
  return query.size > 0 ? `?${query}` : '';
}

/** The path of the sign-in page that leads back to `next` afterwards. */
export function buildAuthPath(next: string): string {
  return leadBack(PATHS.auth, next);
}

/** The path of the sign-in page from the reset of the password, with the same way on as its query has. */
export function buildSignInPath(search: string): string {
  return leadBack(PATHS.auth, readNextPath(search));
}

/** The path of the reset of the password from the sign-in page, with the same way on as its query has. */
export function buildPasswordResetPath(search: string): string {
  return leadBack(PATHS.passwordReset, readNextPath(search));
}

function leadBack(path: string, next: string | null): string {
  return next === null ? path : `${path}?${new URLSearchParams({ next })}`;
}

/**
 * The path to open after the sign-in, from the query. Only paths of this site, and not the sign-in pages; null for
 * anything else.
 */
export function readNextPath(search: string): string | null {
  const next = new URLSearchParams(search).get('next');
  if (!next || !isOwnPath(next)) return null;
  const url = new URL(next, 'https://own.invalid');
  if (url.pathname === PATHS.landing || url.pathname.startsWith(PATHS.auth) || url.pathname === PATHS.verifyEmail) {
    return null;
  }
  return url.pathname + url.search + url.hash;
}

/** The state of a link that names where it was pressed: `<Link state={fromSource('sidebar')}>`. */
export function fromSource(source: string): { source: string } {
  return { source };
}

/** Where the link to this page was pressed; `address` when the page was opened without a link. */
export function readSource(state: unknown): string {
  const source = typeof state === 'object' && state !== null && 'source' in state ? state.source : null;
  return typeof source === 'string' ? source : 'address';
}
