import { type MouseEvent, type PointerEvent, useRef, useState } from 'react';
import { useViewerGestures } from '#pwa/components/use-viewer-gestures.ts';

/** How long a press lasts before it shows the photo. Shorter ones may be taps, or begin a swipe. */
const HOLD_MS = 160;
const MAX_HOLD_MOVE_PX = 12;

interface StageGestures {
  onTake: () => void;
  onLeave: () => void;
  /** A press is held, or let go. */
  onHold: (isHeld: boolean) => void;
}

/**
 * What a finger or the mouse does on the shown result: a held press shows the photo, a swipe to the right takes, one to
 * the left does not, two fingers, wheel and double tap zoom. `key`: another one resets the view.
 */
export function useStageGestures(key: string, { onTake, onLeave, onHold }: StageGestures) {
  const press = useRef({ x: 0, y: 0, isTouch: false, isHeld: false, fingers: 0 });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** How far a finger has moved the result to the side, in pixels. */
  const [offset, setOffset] = useState(0);
  const viewer = useViewerGestures(key, (step) => {
    // A mouse has buttons and keys, and a held press no other meaning.
    if (!press.current.isTouch || press.current.isHeld) return;
    if (step === 1) onLeave();
    else onTake();
  });
  const { handlers, view } = viewer;

  const release = () => {
    clearTimeout(timer.current);
    press.current.fingers = 0;
    setOffset(0);
    onHold(false);
  };
  return {
    ...viewer,
    offset,
    handlers: {
      /** A held finger would open the menu of the picture. */
      onContextMenu: (event: MouseEvent<HTMLElement>) => event.preventDefault(),
      onPointerDown(event: PointerEvent<HTMLElement>) {
        handlers.onPointerDown(event);
        if (event.button !== 0) return;
        const fingers = press.current.fingers + 1;
        const { clientX: x, clientY: y, pointerType } = event;
        press.current = { x, y, isTouch: pointerType !== 'mouse', isHeld: false, fingers };
        clearTimeout(timer.current);
        if (fingers > 1) return setOffset(0);
        timer.current = setTimeout(() => {
          press.current.isHeld = true;
          onHold(true);
        }, HOLD_MS);
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        handlers.onPointerMove(event);
        const { x, y, isTouch, isHeld, fingers } = press.current;
        if (fingers !== 1 || isHeld) return;
        const [dx, dy] = [event.clientX - x, event.clientY - y];
        if (Math.hypot(dx, dy) > MAX_HOLD_MOVE_PX) clearTimeout(timer.current);
        if (isTouch && view.scale === 1) setOffset(Math.abs(dx) > Math.abs(dy) ? dx : 0);
      },
      onPointerUp(event: PointerEvent<HTMLElement>) {
        handlers.onPointerUp(event);
        release();
      },
      onPointerCancel(event: PointerEvent<HTMLElement>) {
        handlers.onPointerCancel(event);
        release();
      },
    },
  };
}
