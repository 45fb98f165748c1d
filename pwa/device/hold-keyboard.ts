import type { MouseEvent } from 'react';

/**
 * For a link to a page that begins with a focused field. An iPhone opens its keyboard only for a focus within a press, so
 * the press gives it to a field that nobody sees, until the real one takes it.
 */
export function holdKeyboard({ currentTarget }: MouseEvent): void {
  const field = document.createElement('input');
  // Smaller letters would make Safari zoom in.
  field.style.cssText = 'position:fixed;opacity:0;font-size:16px';
  field.onblur = () => field.remove();
  currentTarget.closest('main')?.append(field);
  field.focus({ preventScroll: true });
}
