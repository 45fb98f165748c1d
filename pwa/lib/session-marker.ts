import { SIGNED_IN_COOKIE } from '#shared/rules/signed-in-cookie.ts';

const KEY = 'podium.session';
/** Stands from a sign-out until the server has confirmed it: the session may still be alive there. */
const LOGOUT_KEY = 'podium.logoutPending';

/**
 * Tells that somebody signed in on this device; holds no secret. Offline the guards trust it.
 */
export interface SessionMarker {
  userId: number;
  name: string;
}

/**
 * What the device tells of a session. A marker: of this person. 'somebody': of a person whom only the server can name,
 * because the marker cannot be read or the browser has dropped it and kept the cookie. 'nobody': this page knows that there
 * is none, by a sign-out or by the server. 'unknown': there is nothing to go by.
 */
export type SessionTrace = SessionMarker | 'somebody' | 'nobody' | 'unknown';

const listeners = new Set<() => void>();
let cached: { raw: string | null; marker: SessionMarker | null } | null = null;
/** Read once and after each change: every part of a visitor's page asks. */
let hasCookie: boolean | null = null;
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
  return localStorage.getItem(KEY) !== null || hasSignedInCookie() ? 'somebody' : 'unknown';
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
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser, and answers late.
  document.cookie = `${SIGNED_IN_COOKIE}=; Path=/; Max-Age=0`;
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
  try {
    localStorage.setItem(LOGOUT_KEY, '1');
  } catch {
    // Without storage the sign-out is asked for once, by this page.
  }
}

/** Whether somebody has signed out and the server has not confirmed it yet. */
export function isLogoutPending(): boolean {
  return !isLeaving && localStorage.getItem(LOGOUT_KEY) !== null;
}

/** The server has ended the session, or has put another one in its place. */
export function endLogout(): void {
  localStorage.removeItem(LOGOUT_KEY);
  notify();
}

/** Hears changes made by this tab and by others. */
export function subscribeSessionMarker(listener: () => void): () => void {
  const listen = () => {
    hasCookie = null;
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

function hasSignedInCookie(): boolean {
  hasCookie ??= document.cookie.split('; ').some((cookie) => cookie.startsWith(`${SIGNED_IN_COOKIE}=`));
  return hasCookie;
}

function notify(): void {
  hasCookie = null;
  for (const listener of listeners) listener();
}
