import type { QueryClient } from '@tanstack/react-query';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import './styles.css';
import { App } from './app/app.tsx';
import { keepEarlyInput } from './app/early-input.ts';
import { readPrerenderedData } from './app/prerendered-data.ts';
import { receiveLaunchedFiles } from './app/receive-launched-files.ts';
import { loadBackgroundParts } from './app/root-layout.tsx';
import { createRouter } from './app/route-objects.tsx';
import { watchConnection } from './app/watch-connection.ts';
import { hasConnection } from './lib/connection.ts';
import { reportUncaughtErrors } from './lib/error-reporting.ts';
import { keepInstallPrompt } from './lib/install-prompt.ts';
import { createQueryClient } from './lib/query-client.ts';
import { isSessionLikely, readSessionMarker, readSessionTrace } from './lib/session-marker.ts';
import { waitForSignOfLife } from './lib/sign-of-life.ts';
import { followTheme } from './lib/theme.ts';
import { knowTools } from './lib/tools.ts';

const FIRST_VISIT_MS = 5000;
const RELOADED_AT_KEY = 'podium.reloadedAt';
const RELOAD_ONCE_WITHIN_MS = 60_000;

reportUncaughtErrors();
reloadOnStaleChunks();
followTheme();
watchConnection();
keepInstallPrompt();
receiveLaunchedFiles();

void start();

/** A function and no await of the module: what is loaded here imports the start chunk, and each would wait for the other. */
async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  // Public pages come with their content, all others are made here.
  const hydrates = root.hasChildNodes();
  if (hydrates) await giveWay();
  const queryClient = createQueryClient();
  readPrerenderedData(queryClient);
  const [router] = await Promise.all([
    createRouter({ hydrates }),
    import('./app/open-storage.ts').then(({ openStorage }) => openStorage()),
    // Somebody's session may have ended, and the very first call then says so: who listens must be there.
    isSessionLikely(readSessionTrace()) && loadBackgroundParts(),
    knowTools(queryClient),
    // Nobody else has anything on this device to show.
    restoreQueries(queryClient).catch((error: unknown) => console.warn('nothing could be restored:', error)),
  ]);

  const app = (
    <App queryClient={queryClient} onReady={hydrates ? keepEarlyInput(root) : undefined}>
      <RouterProvider router={router} />
    </App>
  );
  // In pieces: the page is there, and nothing that somebody does with it meanwhile has to wait.
  if (hydrates) {
    await giveWay();
    startTransition(() => void hydrateRoot(root, app));
  } else createRoot(root).render(app);
  whenLoaded(async () => {
    if (!navigator.serviceWorker?.controller) await leaveFirstVisitAlone();
    const { followWorker } = await import('./app/follow-worker.ts');
    await followWorker((path) => void router.navigate(path));
  });
}

/** Ends the task under way: on a slow phone each part of the start is as long as a press may wait. */
function giveWay(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** A first worker fetches and keeps hundreds of files: a slow phone draws the page it was opened for before that. */
async function leaveFirstVisitAlone(): Promise<void> {
  await Promise.race([waitForSignOfLife(), new Promise((resolve) => setTimeout(resolve, FIRST_VISIT_MS))]);
}

async function restoreQueries(queryClient: QueryClient): Promise<void> {
  const userId = readSessionMarker()?.userId;
  if (userId === undefined) return;
  const { keepQueries } = await import('./lib/persisted-queries.ts');
  await keepQueries(queryClient, userId);
}

function whenLoaded(action: () => Promise<void>): void {
  if (document.readyState === 'complete') void action();
  else addEventListener('load', () => void action(), { once: true });
}

/** After a release an open tab asks for files that are gone: reload once, never in a loop and never offline. */
function reloadOnStaleChunks(): void {
  addEventListener('vite:preloadError', (event) => {
    const reloadedAt = Number(sessionStorage.getItem(RELOADED_AT_KEY) ?? 0);
    if (!hasConnection() || !navigator.onLine || Date.now() - reloadedAt < RELOAD_ONCE_WITHIN_MS) return;
    event.preventDefault();
    sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()));
    location.reload();
  });
}
