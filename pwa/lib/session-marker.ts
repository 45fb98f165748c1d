const KEY = 'podium.session';

/**
 * Tells that somebody signed in on this device; holds no secret. Without it the app does not ask who is
 * signed in, and offline the guards trust it.
 */
export interface SessionMarker {
  userId: number;
  name: string;
}

const listeners = new Set<() => void>();
let cached: { raw: string | null; marker: SessionMarker | null } | null = null;

export function readSessionMarker(): SessionMarker | null {
  const raw = localStorage.getItem(KEY);
  // The same object for the same text: React compares snapshots by identity.
  if (cached?.raw !== raw) cached = { raw, marker: parseSessionMarker(raw) };
  return cached?.marker ?? null;
}

/** Whether there is a marker that says nothing: somebody signed in here, but who? */
export function isSessionMarkerUnreadable(): boolean {
  return localStorage.getItem(KEY) !== null && readSessionMarker() === null;
}

export function writeSessionMarker(marker: SessionMarker): void {
  localStorage.setItem(KEY, JSON.stringify(marker));
  notify();
}

export function removeSessionMarker(): void {
  localStorage.removeItem(KEY);
  notify();
}

/** Hears changes made by this tab and by others. */
export function subscribeSessionMarker(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) listener();
  };
  // A page that slept in the history while somebody signed out heard nothing of it.
  const onReturn = (event: PageTransitionEvent) => {
    if (event.persisted) listener();
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

function notify(): void {
  for (const listener of listeners) listener();
}
