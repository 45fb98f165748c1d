import { type RefObject, useEffect, useEffectEvent } from 'react';

/**
 * Keeps the height of an element in a CSS property of the document while it is there, for what must stand clear of it.
 * `onResize` is called when the property has its new value.
 */
export function useHeightProperty(
  element: RefObject<HTMLElement | null>,
  property: `--${string}`,
  isShown: boolean,
  onResize?: (element: Element) => void,
): void {
  const tell = useEffectEvent((resized: Element) => onResize?.(resized));
  useEffect(() => {
    if (!isShown || !element.current) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(([entry]) => {
      style.setProperty(property, `${Math.ceil(entry?.borderBoxSize[0]?.blockSize ?? 0)}px`);
      if (entry) tell(entry.target);
    });
    observer.observe(element.current);
    return () => {
      observer.disconnect();
      style.removeProperty(property);
    };
  }, [element, property, isShown]);
}
