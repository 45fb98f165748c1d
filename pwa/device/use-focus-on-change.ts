import { type RefObject, useEffect, useRef } from 'react';

/**
 * Scrolls to the top of an area whose content has replaced the pressed button, and focuses it, unless the new content
 * `focusesItself`. `shown` names the content.
 */
export function useFocusOnChange(
  area: RefObject<HTMLElement | null>,
  shown: string,
  isReady: boolean,
  focusesItself = false,
): void {
  const previous = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new content is focused.
  useEffect(() => {
    if (!isReady) return;
    const isFirst = previous.current === null;
    const hasChanged = previous.current !== shown;
    previous.current = shown;
    if (isFirst || !hasChanged) return;
    if (!focusesItself) area.current?.focus({ preventScroll: true });
    if ((area.current?.getBoundingClientRect().top ?? 0) < 0) area.current?.scrollIntoView({ block: 'start' });
  }, [area, shown, isReady]);
}
