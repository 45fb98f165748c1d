import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { keepInside, readSwipe, toggleZoom, type View, WHOLE_VIEW, zoomAt } from './viewer-gestures.ts';

const DOUBLE_TAP_MS = 300;
const TAP_MAX_MOVE_PX = 12;

export interface ViewerGestures {
  view: View;
  /** Whether a finger or the mouse moves the picture now: no easing then. */
  isMoving: boolean;
  zoom: (factor: number) => void;
  /** For the area that holds the picture. */
  area: (element: HTMLElement | null) => void;
  handlers: Record<
    'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel',
    (event: PointerEvent<HTMLElement>) => void
  >;
}

/** Pinch, wheel, drag, double tap and swipe over one picture; `key` of another picture starts anew. */
export function useViewerGestures(key: string, onSwipe: (step: 1 | -1) => void): ViewerGestures {
  const [state, setState] = useState({ key, view: WHOLE_VIEW });
  const view = state.key === key ? state.view : WHOLE_VIEW;
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [isMoving, setIsMoving] = useState(false);
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const start = useRef({ x: 0, y: 0, wasPinch: false });
  const lastTapAt = useRef(0);
  const latest = useRef(view);
  latest.current = view;

  const show = (next: View) => {
    latest.current = next;
    setState({ key, view: next });
  };
  const size = () => ({ width: element?.clientWidth ?? 0, height: element?.clientHeight ?? 0 });
  const fromMiddle = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const box = element?.getBoundingClientRect();
    return box ? { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 } : { x: 0, y: 0 };
  };

  const onWheel = useRef<(event: WheelEvent) => void>(() => undefined);
  onWheel.current = (event) => {
    event.preventDefault();
    show(zoomAt(latest.current, Math.exp(-event.deltaY / 400), fromMiddle(event), size()));
  };
  useEffect(() => {
    // React listens passively to the wheel, which then scrolls the page too.
    const listen = (event: WheelEvent) => onWheel.current(event);
    element?.addEventListener('wheel', listen, { passive: false });
    return () => element?.removeEventListener('wheel', listen);
  }, [element]);

  const end = (event: PointerEvent<HTMLElement>, isCancelled: boolean) => {
    if (!pointers.current.delete(event.pointerId)) return;
    if (pointers.current.size > 0) return;
    setIsMoving(false);
    const [dx, dy] = [event.clientX - start.current.x, event.clientY - start.current.y];
    if (isCancelled || start.current.wasPinch) return;
    if (Math.hypot(dx, dy) <= TAP_MAX_MOVE_PX) {
      const isDouble = event.timeStamp - lastTapAt.current < DOUBLE_TAP_MS;
      lastTapAt.current = isDouble ? 0 : event.timeStamp;
      if (isDouble) show(toggleZoom(latest.current, fromMiddle(event), size()));
      return;
    }
    const step = latest.current.scale === 1 ? readSwipe(dx, dy) : 0;
    if (step !== 0) onSwipe(step);
  };

  return {
    view,
    isMoving,
    zoom: (factor) => show(zoomAt(latest.current, factor, { x: 0, y: 0 }, size())),
    area: setElement,
    handlers: {
      onPointerDown(event) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
        const isPinch = pointers.current.size > 1;
        start.current = isPinch
          ? { ...start.current, wasPinch: true }
          : { x: event.clientX, y: event.clientY, wasPinch: false };
        setIsMoving(true);
      },
      onPointerMove(event) {
        const before = pointers.current.get(event.pointerId);
        if (!before) return;
        const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
        const now = { x: event.clientX, y: event.clientY };
        pointers.current.set(event.pointerId, now);
        if (other) {
          const factor =
            Math.hypot(now.x - other.x, now.y - other.y) / Math.hypot(before.x - other.x, before.y - other.y);
          const middle = fromMiddle({ clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 });
          if (Number.isFinite(factor)) show(zoomAt(latest.current, factor, middle, size()));
        } else if (latest.current.scale > 1) {
          const { scale, x, y } = latest.current;
          show(keepInside({ scale, x: x + now.x - before.x, y: y + now.y - before.y }, size()));
        }
      },
      onPointerUp: (event) => end(event, false),
      onPointerCancel: (event) => end(event, true),
    },
  };
}
