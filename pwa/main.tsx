import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './lib/zod-without-eval.ts';
import './styles.css';
import { App } from './app/app.tsx';
import { reloadOnStaleChunks } from './app/reload-stale-chunks.ts';
import { loadConsent } from './lib/consent.ts';
import { reportUncaughtErrors } from './lib/error-reporting.ts';
import { migrateLegacyStorage } from './lib/legacy-storage.ts';
import { followTheme } from './lib/theme.ts';

const STORAGE_WAIT_MS = 1000;

reportUncaughtErrors();
reloadOnStaleChunks();
followTheme();
// The pages read the stored values, and the first page view needs the stored consent. Storage may be
// forbidden or, on iOS, never answer: the app works without it.
await Promise.race([
  migrateLegacyStorage()
    .then(loadConsent)
    .catch((error: unknown) => console.error('Storage is not available', error)),
  new Promise((resolve) => setTimeout(resolve, STORAGE_WAIT_MS)),
]);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
