import { lazy, Suspense, useEffect, useState } from 'react';
import { Outlet, ScrollRestoration } from 'react-router-dom';
import { OfflineBar } from './offline-bar.tsx';
import { RouteEffects } from './route-effects.tsx';

export const MAIN_ID = 'main';

export const loadBackgroundParts = () => import('./background-parts.tsx');
const BackgroundParts = lazy(async () => ({ default: (await loadBackgroundParts()).BackgroundParts }));

/** What every page has around it, whatever its layout. */
export function RootLayout() {
  // Not prerendered, and no part of what a first visit waits for.
  const [isStarted, setIsStarted] = useState(false);
  useEffect(() => {
    setIsStarted(true);
    // From here on the page itself knows who is there (before-start.js).
    delete document.documentElement.dataset.signedIn;
  }, []);
  return (
    <>
      <a href={`#${MAIN_ID}`} className="btn primary skip">
        К содержанию
      </a>
      <OfflineBar />
      <Outlet />
      {isStarted && (
        <Suspense>
          <BackgroundParts />
        </Suspense>
      )}
      <RouteEffects />
      <ScrollRestoration />
    </>
  );
}
