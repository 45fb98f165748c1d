import { LEAVING_COOKIE, SESSION_LIFETIME_MS, SIGNED_IN_COOKIE } from '#shared/rules/signed-in-cookie.ts';

const KEY = 'podium.session';
/** Says the same as LEAVING_COOKIE. Browsers may drop it sooner, but tell other tabs of it at once. */
const LOGOUT_KEY = 'podium.logoutPending';

/**
 * Tells that somebody signed in on this device; holds no secret. Offline the guards trust it.
 */
export interface SessionMarker {
  userId: number;
  name: string;
}

/**
 * What this device knows about a session, without asking the server:
 * - a marker: this person is signed in.
 * - 'somebody': a person is signed in, and only the server knows who. The cookie is there and the marker is not, or the
 *   marker cannot be read.
 * - 'nobody': no person is signed in. There was a sign-out, or the server has said so to this page.
 * - 'unknown': there is neither a marker nor a cookie. A session is still possible: some browsers drop both early.
 */
export type SessionTrace = SessionMarker | 'somebody' | 'nobody' | 'unknown';

const listeners = new Set<() => void>();
let cached: { raw: string | null; marker: SessionMarker | null } | null = null;
/** Read once and after each change: every part of a visitor's page asks. */
let cookieNames: Set<string> | null = null;
let isNobodyHere = false;
/** A sign-out of this tab waits for the server; until the answer the page stays as it is. */
let isLeaving = false;

export function readSessionMarker(): SessionMarker | null {
  return isLogoutPending() ? null : readStoredMarker();
}

export function readSessionTrace(): SessionTrace {
  if (isLogoutPending()) return 'nobody';
  const marker = readStoredMarker();
  if (marker) return marker;
  if (isNobodyHere) return 'nobody';
  return localStorage.getItem(KEY) !== null || hasCookie(SIGNED_IN_COOKIE) ? 'somebody' : 'unknown';
}

/** Whether this device has anything that tells of a session. */
export function isSessionLikely(trace: SessionTrace): trace is SessionMarker | 'somebody' {
  return trace !== 'nobody' && trace !== 'unknown';
}

export function writeSessionMarker(marker: SessionMarker): void {
  isNobodyHere = false;
  try {
    localStorage.setItem(KEY, JSON.stringify(marker));
  } catch {
    // Without storage the server's cookie tells of the session.
  }
  notify();
}

/** Nobody is signed in here any more; tells who was. */
export function removeSessionMarker(): SessionMarker | null {
  const marker = readStoredMarker();
  isLeaving = false;
  isNobodyHere = true;
  localStorage.removeItem(KEY);
  // The server removes it too, if it can be reached.
  removeCookie(SIGNED_IN_COOKIE);
  notify();
  return marker;
}

/** The server says that there is no session, where there was nothing to go by. */
export function noteNobody(): void {
  isNobodyHere = true;
  notify();
}

/** From now on a start of any page counts as signed out; this one does once the marker is removed. */
export function beginLogout(): void {
  isLeaving = true;
  writeCookie(LEAVING_COOKIE, '1', SESSION_LIFETIME_MS / 1000);
  try {
    localStorage.setItem(LOGOUT_KEY, '1');
  } catch {
    // Without storage the cookie tells of it.
  }
}

/** Whether this page waits for the answer to a sign-out, and shows everything as before until then. */
export function isLeavingHere(): boolean {
  return isLeaving;
}

/**
 * Ends the wait for that answer and gives whether the sign-out still stands. Another tab ends it by a sign-in, or once the
 * server has confirmed it there; this page then goes by what that tab has stored.
 */
export function stopLeaving(): boolean {
  isLeaving = false;
  cookieNames = null;
  if (isLogoutPending()) return true;
  notify();
  return false;
}

/** Whether somebody has signed out and the server has not confirmed it yet. */
export function isLogoutPending(): boolean {
  return !isLeaving && (hasCookie(LEAVING_COOKIE) || localStorage.getItem(LOGOUT_KEY) !== null);
}

/** The same, by the cookies as they are now: where storage cannot be written, no other tab tells that it has ended. */
export function isLogoutStillPending(): boolean {
  const wasPending = isLogoutPending();
  cookieNames = null;
  if (isLogoutPending() !== wasPending) notify();
  return isLogoutPending();
}

/** The server has ended the session, or has put another one in its place: not while this page is about to leave that one. */
export function endLogout(): void {
  if (isLeaving) return;
  localStorage.removeItem(LOGOUT_KEY);
  removeCookie(LEAVING_COOKIE);
  notify();
}

/** Hears changes made by this tab and by others. */
export function subscribeSessionMarker(listener: () => void): () => void {
  const listen = () => {
    cookieNames = null;
    listener();
  };
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY || event.key === LOGOUT_KEY || event.key === null) listen();
  };
  // A page that slept in the history while somebody signed out heard nothing of it.
  const onReturn = (event: PageTransitionEvent) => {
    if (event.persisted) listen();
  };
  listeners.add(listener);
  addEventListener('storage', onStorage);
  addEventListener('pageshow', onReturn);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', onStorage);
    removeEventListener('pageshow', onReturn);
  };
}

export function parseSessionMarker(raw: string | null): SessionMarker | null {
  if (raw === null) return null;
  try {
    // By hand: a visitor's first page loads no schema library.
    const { userId, name } = JSON.parse(raw) as Partial<SessionMarker>;
    return Number.isSafeInteger(userId) && typeof name === 'string' ? { userId: userId as number, name } : null;
  } catch {
    return null;
  }
}

function readStoredMarker(): SessionMarker | null {
  const raw = localStorage.getItem(KEY);
  // The same object for the same text: React compares snapshots by identity.
  if (cached?.raw !== raw) cached = { raw, marker: parseSessionMarker(raw) };
  return cached?.marker ?? null;
}

function hasCookie(name: string): boolean {
  cookieNames ??= new Set(document.cookie.split('; ').map((cookie) => cookie.split('=', 1)[0] ?? ''));
  return cookieNames.has(name);
}

function writeCookie(name: string, value: string, maxAgeSeconds: number): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser, and answers late.
  document.cookie = `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax${secure}`;
  cookieNames = null;
}

function removeCookie(name: string): void {
  writeCookie(name, '', 0);
}

function notify(): void {
  cookieNames = null;
  for (const listener of listeners) listener();
}
