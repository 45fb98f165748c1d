import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { shownToast } from '#pwa/components/toast.ts';
import { waitForFirstInteraction } from '#pwa/device/first-interaction.ts';
import { setPageTitle } from '#pwa/device/page-title.ts';
import { useStore } from '#pwa/device/store.ts';
import { cookieConsent, cookieRequests } from '#pwa/features/consent/consent.ts';
import { trackPageView } from '#pwa/features/consent/tag-manager.ts';
import { useRouteTitle } from '#pwa/features/session/route-handle.ts';
import { isSessionLikely } from '#pwa/features/session/session-marker.ts';
import { useLogoutPending, useSessionTrace } from '#pwa/features/session/use-session-marker.ts';
import { StatusBar } from './status-bar.tsx';

export const MAIN_ID = 'main';

export const loadBackgroundParts = () => import('./background-parts.tsx');
const BackgroundParts = lazy(async () => ({ default: (await loadBackgroundParts()).BackgroundParts }));
const CookieBanner = lazy(async () => ({
  default: (await import('#pwa/features/consent/cookie-banner.tsx')).CookieBanner,
}));
const CookieDialog = lazy(async () => ({
  default: (await import('#pwa/features/consent/cookie-dialog.tsx')).CookieDialog,
}));

/** The parts around every page, in any layout. */
export function RootLayout() {
  const isConsentUnknown = useConsentUnknown();
  const requests = useStore(cookieRequests);
  const areBackgroundPartsNeeded = useBackgroundNeed();
  useEffect(() => {
    // before-start.js set this for the first paint. From now on the page itself knows who is signed in.
    delete document.documentElement.dataset.signedIn;
  }, []);
  return (
    <>
      <a href={`#${MAIN_ID}`} className="btn primary skip">
        К содержанию
      </a>
      <StatusBar />
      <Outlet />
      {/* Separate boundaries: the background parts load at the first press and must not hide what is being pressed. */}
      <Suspense>
        {requests === 0 && isConsentUnknown && <CookieBanner />}
        {requests > 0 && <CookieDialog key={requests} />}
      </Suspense>
      <Suspense>{areBackgroundPartsNeeded && <BackgroundParts />}</Suspense>
      <RouteEffects />
    </>
  );
}

/** Whether no choice about cookies was stored. The question is not prerendered and does not delay a first visit. */
function useConsentUnknown(): boolean {
  const [isUnknown, setIsUnknown] = useState(false);
  useEffect(() => setIsUnknown(cookieConsent.get() === null), []);
  return isUnknown;
}

/**
 * Whether the background parts are needed: for signed-in people, for a toast, while a sign-out is repeated, and for a
 * visitor after the first interaction.
 */
function useBackgroundNeed(): boolean {
  const isSignedIn = isSessionLikely(useSessionTrace());
  const isLogoutPending = useLogoutPending();
  const hasToast = useStore(shownToast) !== null;
  const [isNeeded, setIsNeeded] = useState(false);
  useEffect(() => {
    if (isSignedIn || hasToast || isLogoutPending) setIsNeeded(true);
    else void waitForFirstInteraction().then(() => setIsNeeded(true));
  }, [isSignedIn, hasToast, isLogoutPending]);
  return isNeeded;
}

/** On each change of page: sets the tab's title, tracks the page view and focuses the new page's heading. */
function RouteEffects() {
  const { pathname } = useLocation();
  const title = useRouteTitle();
  const isFirst = useRef(true);

  useEffect(() => {
    setPageTitle(title);
  }, [title]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each path is one page view, whatever its title.
  useEffect(() => {
    trackPageView();
    // The browser itself puts the focus at the top of a freshly opened document.
    if (isFirst.current) isFirst.current = false;
    else focusHeading();
  }, [pathname]);

  return null;
}

function focusHeading(): void {
  const main = document.getElementById(MAIN_ID);
  // A page with one task has put the focus in its field.
  if (document.activeElement?.matches('input') && main?.contains(document.activeElement)) return;
  const target = main?.querySelector('h1') ?? main;
  target?.setAttribute('tabindex', '-1');
  target?.focus({ preventScroll: true });
}
