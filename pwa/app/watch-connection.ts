import { beginWatching, hasConnection, noteDisconnected, probeConnection } from '#pwa/lib/connection.ts';

/**
 * Watches whether the server can be reached. The browser's own word is not enough: it knows the network card, and after
 * a reload that the worker has answered it says «online» without any. Call once at the start.
 */
export function watchConnection(): void {
  beginWatching();
  addEventListener('offline', noteDisconnected);
  addEventListener('online', () => void probeConnection());
  document.addEventListener('visibilitychange', () => {
    if (!hasConnection() && document.visibilityState === 'visible') void probeConnection();
  });
  if (!navigator.onLine) noteDisconnected();
  // A page that the worker has answered says nothing about the network.
  else if (navigator.serviceWorker?.controller) void probeConnection();
}
