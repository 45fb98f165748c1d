import { useEffect, useLayoutEffect, useRef } from 'react';

/** By position on the keyboard, so that they work in every layout: «Ф» is A. */
export type ReviewKeys = Partial<Record<string, () => void>>;

/** Keys that may be held down. Otherwise a held key would decide about one row after another. */
const REPEATED = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];

/**
 * Calls what belongs to a pressed key, and `onRelease` when a key is let go or the window loses the focus. Keys in another
 * dialog above, or together with Ctrl, Alt or Meta, are not meant.
 */
export function useReviewKeys(keys: ReviewKeys, onRelease: (code: string | null) => void): void {
  const latest = useRef({ keys, onRelease });
  // Before anything is drawn: a key means the row that is seen.
  useLayoutEffect(() => {
    latest.current = { keys, onRelease };
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const act = latest.current.keys[event.code];
      if (!act || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (!isInReview(event.target)) return;
      event.preventDefault();
      if (!event.repeat || REPEATED.includes(event.code)) act();
    };
    const release = (event: KeyboardEvent) => latest.current.onRelease(event.code);
    const leave = () => latest.current.onRelease(null);
    // On the window: the focus may be nowhere when a button has just disappeared.
    addEventListener('keydown', press);
    addEventListener('keyup', release);
    addEventListener('blur', leave);
    return () => {
      removeEventListener('keydown', press);
      removeEventListener('keyup', release);
      removeEventListener('blur', leave);
    };
  }, []);
}

function isInReview(target: EventTarget | null): boolean {
  const dialog = target instanceof Element ? target.closest('[role=dialog],[role=alertdialog]') : null;
  const top = [...document.querySelectorAll('[role=dialog],[role=alertdialog]')].at(-1);
  return dialog ? dialog.querySelector('[data-review]') !== null : top?.querySelector('[data-review]') != null;
}
