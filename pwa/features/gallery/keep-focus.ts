import type { RefObject } from 'react';

/**
 * Focuses the heading after the card with the pressed button has disappeared, which is at the next render. A dialog that
 * was opened from a sheet has left the focus to the main element.
 */
export function keepFocus(heading: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => document.activeElement?.matches('body, main') && heading.current?.focus());
}
