import type { KeyboardEvent } from 'react';

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
const ENDS: Record<string, number> = { Home: 0, PageUp: 0, End: -1, PageDown: -1 };
const VERTICAL = ['ArrowUp', 'ArrowDown'];

/**
 * Lets arrow keys move the focus among the usable controls that match the selector, in a circle, and Home and End to
 * the first and last one. Controls side by side ignore vertical arrows. Returns the control that an arrow has reached.
 */
export function moveFocus(
  event: KeyboardEvent<HTMLElement>,
  selector: string,
  { isHorizontal }: { isHorizontal: boolean },
): HTMLElement | null {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (altKey || ctrlKey || metaKey || shiftKey || (isHorizontal && VERTICAL.includes(key))) return null;
  const controls = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)].filter(
    (control) => !control.matches(':disabled'),
  );
  const step = STEPS[key];
  const now = controls.indexOf(event.target as HTMLElement);
  const index = step === undefined ? ENDS[key] : (now + step) % controls.length;
  const next = index === undefined ? undefined : controls.at(index);
  if (!next) return null;
  event.preventDefault();
  next.focus();
  return step === undefined ? null : next;
}
