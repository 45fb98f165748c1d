import type { QueryClient } from '@tanstack/react-query';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import './styles.css';
import { App } from './app/app.tsx';
import { captureEarlyInput } from './app/early-input.ts';
import { Pages } from './app/pages.tsx';
import { readPrerenderedData } from './app/prerendered-data.ts';
import { receiveLaunchedFiles } from './app/receive-launched-files.ts';
import { createRouteObjects, loadPage } from './app/route-objects.tsx';
import { createQueryClient, PERSISTED_QUERIES_KEY } from './client/query-client.ts';
import { beginWatching, hasConnection, noteDisconnected, probeConnection } from './device/connection.ts';
import { waitForFirstInteraction } from './device/first-interaction.ts';
import { openPath } from './device/open-path.ts';
import { followTheme } from './device/theme.ts';
import { reportUncaughtErrors } from './features/consent/error-reporting.ts';
import { captureInstallPrompt } from './features/installation/install-prompt.ts';
import { readSessionMarker } from './features/session/session-marker.ts';
import { ensureTools } from './features/tools/tools.ts';

const FIRST_VISIT_MS = 5000;
const RELOADED_AT_KEY = 'podium.reloadedAt';
const RELOAD_ONCE_WITHIN_MS = 60_000;

reportUncaughtErrors();
reloadOnStaleChunks();
followTheme();
watchConnection();
captureInstallPrompt();
receiveLaunchedFiles();

void start();

/**
 * A function instead of a top-level await: the modules loaded here import the start chunk, so they would wait for each
 * other.
 */
async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  // Public pages are prerendered. All others are rendered here.
  const hydrates = root.hasChildNodes();
  if (hydrates) await yieldToMain();
  const queryClient = createQueryClient();
  readPrerenderedData(queryClient);
  const routes = createRouteObjects();
  const page = loadPage(routes, location.pathname);
  // Pages tries once more and shows the failure. A prerendered page is taken over only when its code is there.
  page.catch(() => undefined);
  await Promise.all([
    hydrates && page,
    import('./app/prepare-storage.ts').then(({ prepareStorage }) => prepareStorage()),
    ensureTools(queryClient),
    restoreQueries(queryClient).catch((error: unknown) => console.warn('nothing could be restored:', error)),
  ]);

  const app = (
    <App queryClient={queryClient} onReady={hydrates ? captureEarlyInput(root) : undefined}>
      <BrowserRouter>
        <Pages routes={routes} />
      </BrowserRouter>
    </App>
  );
  // startTransition lets React hydrate in slices, so that the page can respond to input in between.
  if (hydrates) {
    await yieldToMain();
    startTransition(() => void hydrateRoot(root, app));
  } else createRoot(root).render(app);
  whenLoaded(async () => {
    if (!navigator.serviceWorker?.controller) await delayFirstWorker();
    const { registerServiceWorker } = await import('./app/register-service-worker.ts');
    await registerServiceWorker(openPath);
  });
}

/**
 * Watches whether the server can be reached. `navigator.onLine` alone is not enough: it only knows the network card,
 * and after a reload that the worker has answered it may say «online» without a network.
 */
function watchConnection(): void {
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

/** Ends the current task: on a slow phone each part of the start is already as long as input may be blocked. */
function yieldToMain(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Delays the first registration of the worker, which downloads half a megabyte, until the page is drawn and used. */
async function delayFirstWorker(): Promise<void> {
  await Promise.race([waitForFirstInteraction(), new Promise((resolve) => setTimeout(resolve, FIRST_VISIT_MS))]);
}

/** Only signed-in people have stored answers, and not on their first visit. */
async function restoreQueries(queryClient: QueryClient): Promise<void> {
  const userId = readSessionMarker()?.userId;
  if (userId === undefined || localStorage.getItem(PERSISTED_QUERIES_KEY) === null) return;
  const { persistQueries } = await import('./client/persisted-queries.ts');
  await persistQueries(queryClient, userId);
}

function whenLoaded(action: () => Promise<void>): void {
  if (document.readyState === 'complete') void action();
  else addEventListener('load', () => void action(), { once: true });
}

/**
 * After a release an open tab may ask for chunks that are gone. Reloads the page then, but never in a loop and never
 * offline.
 */
function reloadOnStaleChunks(): void {
  addEventListener('vite:preloadError', (event) => {
    const reloadedAt = Number(sessionStorage.getItem(RELOADED_AT_KEY) ?? 0);
    if (!hasConnection() || !navigator.onLine || Date.now() - reloadedAt < RELOAD_ONCE_WITHIN_MS) return;
    event.preventDefault();
    sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()));
    location.reload();
  });
}
