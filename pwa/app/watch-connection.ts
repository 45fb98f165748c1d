import { beginWatching, hasConnection, noteDisconnected, probeConnection } from '#pwa/device/connection.ts';

/**
 * Watches whether the server can be reached. `navigator.onLine` alone is not enough: it only knows the network card,
 * and after a reload that the worker has answered it may say «online» without a network. Call once at the start.
 */
export function watchConnection(): void {
  beginWatching();
  addEventListener('offline', noteDisconnected);
  addEventListener('online', () => void probeConnection());
  document.addEventListener('visibilitychange', () => {
    if (!hasConnection() && document.visibilityState === 'visible') void probeConnection();
  });
  if (!navigator.onLine) noteDisconnected();
  // The worker may have answered the page without a network.
  else if (navigator.serviceWorker?.controller) void probeConnection();
}
