import { hasConnection } from '#pwa/lib/connection.ts';

const KEY = 'podium.reloadedAt';
const ONCE_WITHIN_MS = 60_000;

/** After a release an open tab asks for files that are gone: reload once, never in a loop and never offline. */
export function reloadOnStaleChunks(): void {
  addEventListener('vite:preloadError', (event) => {
    const reloadedAt = Number(sessionStorage.getItem(KEY) ?? 0);
    if (!hasConnection() || !navigator.onLine || Date.now() - reloadedAt < ONCE_WITHIN_MS) return;
    event.preventDefault();
    sessionStorage.setItem(KEY, String(Date.now()));
    location.reload();
  });
}
