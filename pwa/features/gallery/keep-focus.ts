import type { RefObject } from 'react';

/** Focuses the heading after the card with the pressed button has disappeared, which is at the next render. */
export function keepFocus(heading: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => document.activeElement === document.body && heading.current?.focus());
}
