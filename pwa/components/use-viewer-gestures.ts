import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { keepInside, readSwipe, toggleZoom, type View, WHOLE_VIEW, zoomAt } from './viewer-gestures.ts';

const DOUBLE_TAP_MS = 300;
const TAP_MAX_MOVE_PX = 12;

export interface ViewerGestures {
  view: View;
  /** Whether a finger or the mouse is moving the picture: transitions are then off. */
  isMoving: boolean;
  zoom: (factor: number) => void;
  /** The ref of the area that holds the picture. */
  area: (element: HTMLElement | null) => void;
  handlers: Record<
    'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel',
    (event: PointerEvent<HTMLElement>) => void
  >;
}

/** Pinch, wheel, drag, double tap and swipe on one picture. Another `key` resets the view. */
export function useViewerGestures(key: string, onSwipe: (step: 1 | -1) => void): ViewerGestures {
  const picture = useZoomedPicture(key);
  const { view, latest, show, size, fromMiddle } = picture;
  const [isMoving, setIsMoving] = useState(false);
  const pointers = useRef(new Map<number, Place>());
  const start = useRef({ x: 0, y: 0, wasPinch: false });
  const lastTapAt = useRef(0);
  useWheelZoom(picture);

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
    area: picture.area,
    handlers: {
      onPointerDown(event) {
        if (event.button !== 0) return;
        // The capture would take the click from a button over the picture.
        if (event.target instanceof Element && event.target.closest('button')) return;
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
        if (other) pinch(picture, before, now, other);
        else drag(picture, before, now);
      },
      onPointerUp: (event) => end(event, false),
      onPointerCancel: (event) => end(event, true),
    },
  };
}

interface Place {
  x: number;
  y: number;
}

/** The visible part of a picture, and positions within its area. */
interface ZoomedPicture {
  view: View;
  /** The view after the last gesture. Several gestures may come before the next render. */
  latest: RefObject<View>;
  show: (view: View) => void;
  element: HTMLElement | null;
  area: (element: HTMLElement | null) => void;
  size: () => { width: number; height: number };
  fromMiddle: (place: { clientX: number; clientY: number }) => Place;
}

function useZoomedPicture(key: string): ZoomedPicture {
  const [state, setState] = useState({ key, view: WHOLE_VIEW });
  const view = state.key === key ? state.view : WHOLE_VIEW;
  const [element, setElement] = useState<HTMLElement | null>(null);
  const latest = useRef(view);
  latest.current = view;
  return {
    view,
    latest,
    show: (next) => {
      latest.current = next;
      setState({ key, view: next });
    },
    element,
    area: setElement,
    size: () => ({ width: element?.clientWidth ?? 0, height: element?.clientHeight ?? 0 }),
    fromMiddle: ({ clientX, clientY }) => {
      const box = element?.getBoundingClientRect();
      return box ? { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 } : { x: 0, y: 0 };
    },
  };
}

function useWheelZoom({ element, latest, show, size, fromMiddle }: ZoomedPicture): void {
  const onWheel = useRef<(event: WheelEvent) => void>(() => undefined);
  onWheel.current = (event) => {
    event.preventDefault();
    show(zoomAt(latest.current, Math.exp(-event.deltaY / 400), fromMiddle(event), size()));
  };
  useEffect(() => {
    // React's wheel listeners are passive, so the page would scroll too.
    const listen = (event: WheelEvent) => onWheel.current(event);
    element?.addEventListener('wheel', listen, { passive: false });
    return () => element?.removeEventListener('wheel', listen);
  }, [element]);
}

/** Handles the movement of one of two fingers. */
function pinch({ latest, show, size, fromMiddle }: ZoomedPicture, before: Place, now: Place, other: Place): void {
  const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.hypot(before.x - other.x, before.y - other.y);
  const middle = fromMiddle({ clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 });
  if (Number.isFinite(factor)) show(zoomAt(latest.current, factor, middle, size()));
}

/** Handles the movement of a single finger or the mouse. A picture at scale 1 does not move. */
function drag({ latest, show, size }: ZoomedPicture, before: Place, now: Place): void {
  const { scale, x, y } = latest.current;
  if (scale > 1) show(keepInside({ scale, x: x + now.x - before.x, y: y + now.y - before.y }, size()));
}
