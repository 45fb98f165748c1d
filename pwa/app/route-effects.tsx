import { useEffect, useRef } from 'react';
import { useLocation, useNavigation } from 'react-router-dom';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { setPageTitle } from '#pwa/lib/page-title.ts';
import { useRouteTitle } from '#pwa/lib/route-handle.ts';
import { trackPageView } from '#pwa/lib/tag-manager.ts';
import { MAIN_ID } from './root-layout.tsx';

/** On each change of page: the tab's title, the page view, and the focus on the new page's heading. */
export function RouteEffects() {
  const { pathname } = useLocation();
  const title = useRouteTitle();
  const isFirst = useRef(true);
  const isLoading = useNavigation().state === 'loading';

  useEffect(() => {
    setPageTitle(title);
  }, [title]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each path is one page view, whatever its title.
  useEffect(() => {
    trackPageView();
    // The browser itself starts a freshly opened document at its top.
    if (isFirst.current) isFirst.current = false;
    else focusHeading();
  }, [pathname]);

  return isLoading ? <StitchProgress className="fixed inset-x-0 top-0 z-50" /> : null;
}

function focusHeading(): void {
  const main = document.getElementById(MAIN_ID);
  const target = main?.querySelector('h1') ?? main;
  target?.setAttribute('tabindex', '-1');
  target?.focus({ preventScroll: true });
}
