import { useCallback } from 'react';
import { Outlet, ScrollRestoration, useNavigate } from 'react-router-dom';
import { Toaster } from '#pwa/components/toaster.tsx';
import { SessionWatcher } from '#pwa/features/account/session-watcher.tsx';
import { PATHS } from '#shared/rules/app-paths.ts';
import { OfflineBar } from './offline-bar.tsx';
import { RouteEffects } from './route-effects.tsx';

export const MAIN_ID = 'main';

/** What every page has around it, whatever its layout. */
export function RootLayout() {
  const navigate = useNavigate();
  const goToAuth = useCallback(() => void navigate(PATHS.auth, { replace: true }), [navigate]);
  return (
    <>
      <a href={`#${MAIN_ID}`} className="btn primary skip">
        К содержанию
      </a>
      <OfflineBar />
      <Outlet />
      <Toaster />
      <SessionWatcher goToAuth={goToAuth} />
      <RouteEffects />
      <ScrollRestoration />
    </>
  );
}
