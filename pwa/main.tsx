import { createRoot, hydrateRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import './styles.css';
import { App } from './app/app.tsx';
import { createRouter } from './app/create-router.ts';
import { readPrerenderedData } from './app/prerendered-data.ts';
import { reloadOnStaleChunks } from './app/reload-stale-chunks.ts';
import { loadBackgroundParts } from './app/root-layout.tsx';
import { reportUncaughtErrors } from './lib/error-reporting.ts';
import { createQueryClient } from './lib/query-client.ts';
import { readSessionMarker } from './lib/session-marker.ts';
import { followTheme } from './lib/theme.ts';

reportUncaughtErrors();
reloadOnStaleChunks();
followTheme();

void start();

/** A function and no await of the module: what is loaded here imports the start chunk, and each would wait for the other. */
async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  // Public pages come with their content, all others are made here.
  const hydrates = root.hasChildNodes();
  const queryClient = createQueryClient();
  readPrerenderedData(queryClient);

  const [router] = await Promise.all([
    createRouter({ hydrates }),
    import('./app/open-storage.ts').then(({ openStorage }) => openStorage()),
    // Somebody's session may have ended, and the very first call then says so: who listens must be there.
    readSessionMarker() && loadBackgroundParts(),
  ]);

  const app = (
    <App queryClient={queryClient}>
      <RouterProvider router={router} />
    </App>
  );
  if (hydrates) hydrateRoot(root, app);
  else createRoot(root).render(app);
}
