import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Location } from 'react-router-dom';
import { keepsScroll } from '#pwa/device/keep-scroll.ts';
import { findScroll, noteScroll, storeScroll } from '#pwa/device/scroll-positions.ts';

/**
 * Scrolls a new page to its top or to what its hash names, and an earlier one to where it was left. A page that is
 * there at the start is prerendered, and the person may have scrolled it before its code came.
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
    if (left !== undefined) return returnTo(left);
    if (stays) return;
    if (named) named.scrollIntoView();
    else scrollTo(0, 0);
  }, [location]);
}

/** Content that comes later than this is not waited for. */
const GROWS_WITHIN_MS = 10_000;
/** What a person does to move a page. */
const OWN_MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'];

/**
 * Scrolls to this place, and again while the page grows until it is there: after a reload its content comes later. Ends
 * when the person moves the page, after a while, or when the returned function is called.
 */
function returnTo(left: number): (() => void) | undefined {
  scrollTo(0, left);
  if (isAt(left)) return;
  const { style } = document.documentElement;
  const growth = new ResizeObserver(() => {
    scrollTo(0, left);
    if (isAt(left)) end();
  });
  const end = () => {
    growth.disconnect();
    clearTimeout(timer);
    style.overflowAnchor = '';
    for (const move of OWN_MOVES) removeEventListener(move, end);
  };
  const timer = setTimeout(end, GROWS_WITHIN_MS);
  // Otherwise the browser would follow what stood at the end of the short page, such as its footer.
  style.overflowAnchor = 'none';
  for (const move of OWN_MOVES) addEventListener(move, end, { passive: true });
  growth.observe(document.body);
  return end;
}

/** Browsers round to pixels of the screen. */
function isAt(place: number): boolean {
  return Math.abs(scrollY - place) <= 1;
}

function readHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    // Somebody has typed it.
    return hash.slice(1);
  }
}
