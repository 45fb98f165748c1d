import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';

const LONG_MS = 450;
/** A finger that moves further scrolls. */
const MOVED_PX = 10;

/** What tells a long press of a finger from a short one. After a long one its click does nothing. */
export function useLongPress(onLongPress: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const start = useRef({ x: 0, y: 0 });
  const isLong = useRef(false);
  const stop = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    handlers: {
      onPointerDown({ pointerType, clientX: x, clientY: y }: PointerEvent) {
        isLong.current = false;
        if (pointerType === 'mouse') return;
        start.current = { x, y };
        stop();
        timer.current = setTimeout(() => {
          isLong.current = true;
          onLongPress();
        }, LONG_MS);
      },
      onPointerMove({ clientX, clientY }: PointerEvent) {
        if (Math.hypot(clientX - start.current.x, clientY - start.current.y) > MOVED_PX) stop();
      },
      onPointerUp: stop,
      onPointerCancel: stop,
      onContextMenu(event: MouseEvent) {
        // Android opens its menu for the picture at a long press.
        if (isLong.current) event.preventDefault();
      },
    },
    /** Runs `press` unless the click ends a long press. */
    unlessLong: (press: (event: MouseEvent) => void) => (event: MouseEvent) => {
      if (isLong.current) isLong.current = false;
      else press(event);
    },
  };
}
