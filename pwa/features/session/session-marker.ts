import { createStore } from '#pwa/device/store.ts';
import { LEAVING_COOKIE, SESSION_LIFETIME_MS, SIGNED_IN_COOKIE } from '#shared/rules/session.ts';

const KEY = 'podium.session';
/**
 * Holds the same information as LEAVING_COOKIE. A browser may drop it sooner, but other tabs get an event when it
 * changes.
 */
const LOGOUT_KEY = 'podium.logoutPending';

/** Records who signed in on this device. It holds no secret. Guards trust it without a network. */
export interface SessionMarker {
  userId: number;
  name: string;
  /** The password has to be replaced first. The server refuses nearly everything until then. */
  isPasswordDue?: true;
}

/**
 * What this device knows about a session, without asking the server:
 * - a marker: this person is signed in.
 * - 'somebody': a person is signed in, and only the server knows who. The cookie is there, but the marker is missing or
 *   unreadable.
 * - 'nobody': no person is signed in. There was a sign-out, or the server has said so to this page.
 * - 'unknown': there is neither a marker nor a cookie. A session is still possible: some browsers drop both early.
 */
export type SessionTrace = SessionMarker | 'somebody' | 'nobody' | 'unknown';

/**
 * Counts the changes made here. What is known is read from the browser each time, because other tabs write there too.
 */
const changes = createStore(0);
let cached: { raw: string | null; marker: SessionMarker | null } | null = null;
/** Cached, because every part of a visitor's page asks. Read again after each change. */
let cookieNames: Set<string> | null = null;
let isNobodyHere = false;
/** A sign-out of this tab waits for the server's answer; until then the page stays as it is. */
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

/** Whether this device has a sign of a session. */
export function isSessionLikely(trace: SessionTrace): trace is SessionMarker | 'somebody' {
  return trace !== 'nobody' && trace !== 'unknown';
}

export function writeSessionMarker(marker: SessionMarker): void {
  isNobodyHere = false;
  try {
    localStorage.setItem(KEY, JSON.stringify(marker));
  } catch {
    // Without storage the server's cookie is the sign of the session.
  }
  notify();
}

/** Removes the marker after the end of a session and returns who was signed in. */
export function removeSessionMarker(): SessionMarker | null {
  const marker = readStoredMarker();
  isLeaving = false;
  isNobodyHere = true;
  localStorage.removeItem(KEY);
  // The server removes the cookie too, if it can be reached.
  removeCookie(SIGNED_IN_COOKIE);
  notify();
  return marker;
}

/** Call this when the server says that there is no session and the device had no marker. */
export function noteNobody(): void {
  isNobodyHere = true;
  notify();
}

/** Starts a sign-out. Pages that start from now on count as signed out; this page does once the marker is removed. */
export function beginLogout(): void {
  isLeaving = true;
  writeCookie(LEAVING_COOKIE, '1', SESSION_LIFETIME_MS / 1000);
  try {
    localStorage.setItem(LOGOUT_KEY, '1');
  } catch {
    // Without storage the cookie alone records the sign-out.
  }
}

/** Whether this page waits for the answer to a sign-out. Until then it shows everything as before. */
export function isLeavingHere(): boolean {
  return isLeaving;
}

/**
 * Ends the wait for that answer and returns whether the sign-out is still pending. Another tab ends it by a sign-in, or
 * when the server has confirmed it there. This page then follows what that tab has stored.
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

/**
 * Whether a sign-out is still pending, by the cookies read anew: where storage cannot be written, no event reports that
 * another tab has ended the sign-out.
 */
export function isLogoutStillPending(): boolean {
  const wasPending = isLogoutPending();
  cookieNames = null;
  if (isLogoutPending() !== wasPending) notify();
  return isLogoutPending();
}

/**
 * Call this when the server has ended the session or replaced it with another. Does nothing while this page is waiting
 * for its own sign-out.
 */
export function endLogout(): void {
  if (isLeaving) return;
  localStorage.removeItem(LOGOUT_KEY);
  removeCookie(LEAVING_COOKIE);
  notify();
}

/** Calls the listener for changes by this tab and by others. Returns the function that unsubscribes. */
export function subscribeSessionMarker(listener: () => void): () => void {
  const listen = () => {
    cookieNames = null;
    listener();
  };
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY || event.key === LOGOUT_KEY || event.key === null) listen();
  };
  // A page restored from the back/forward cache has missed the events of a sign-out.
  const onReturn = (event: PageTransitionEvent) => {
    if (event.persisted) listen();
  };
  const stopListening = changes.subscribe(listener);
  addEventListener('storage', onStorage);
  addEventListener('pageshow', onReturn);
  return () => {
    stopListening();
    removeEventListener('storage', onStorage);
    removeEventListener('pageshow', onReturn);
  };
}

export function parseSessionMarker(raw: string | null): SessionMarker | null {
  if (raw === null) return null;
  try {
    // Parsed by hand, because a visitor's first page does not load the schema library.
    const { userId, name, isPasswordDue } = JSON.parse(raw) as Partial<SessionMarker>;
    if (!Number.isSafeInteger(userId) || typeof name !== 'string') return null;
    return { userId: userId as number, name, ...(isPasswordDue === true && { isPasswordDue }) };
  } catch {
    return null;
  }
}

function readStoredMarker(): SessionMarker | null {
  const raw = localStorage.getItem(KEY);
  // React compares snapshots by identity, so the same text must give the same object.
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
  changes.set(changes.get() + 1);
}
