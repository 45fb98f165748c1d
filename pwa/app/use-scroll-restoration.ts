import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Location } from 'react-router-dom';
import { keepsScroll } from '#pwa/lib/keep-scroll.ts';
import { findScroll, noteScroll, storeScroll } from '#pwa/lib/scroll-positions.ts';

/**
 * Scrolls a new page to its top or to what its hash names, and an earlier one to where it was left. A page that is there
 * at the start is prerendered, and the person may have scrolled it before its code came.
 */
export function useScrollRestoration(location: Location | undefined): void {
  const current = useRef(location);
  const isPrerendered = useRef(location !== undefined);

  useEffect(() => {
    history.scrollRestoration = 'manual';
    const note = () => {
      if (current.current) noteScroll(current.current);
    };
    const leave = () => {
      note();
      storeScroll();
      // The browser restores the position of a page that it has kept as a whole.
      history.scrollRestoration = 'auto';
    };
    addEventListener('scroll', note, { passive: true });
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('scroll', note);
      removeEventListener('pagehide', leave);
    };
  }, []);

  useLayoutEffect(() => {
    if (!location) return;
    current.current = location;
    const left = findScroll(location);
    const stays = isPrerendered.current || keepsScroll(location);
    isPrerendered.current = false;
    const named = location.hash ? document.getElementById(readHash(location.hash)) : null;
    if (left !== undefined) scrollTo(0, left);
    else if (stays) return;
    else if (named) named.scrollIntoView();
    else scrollTo(0, 0);
  }, [location]);
}

function readHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    // Somebody has typed it.
    return hash.slice(1);
  }
}
