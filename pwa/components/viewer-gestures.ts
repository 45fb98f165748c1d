/**
 * The position of a picture in the viewer: its scale, and the distance of its centre from the centre of the screen, in
 * pixels.
 */
export interface View {
  scale: number;
  x: number;
  y: number;
}

export const WHOLE_VIEW: View = { scale: 1, x: 0, y: 0 };
const MAX_SCALE = 5;
/** The scale after a double tap. */
const TAP_SCALE = 2.5;
export const BUTTON_ZOOM_FACTOR = 1.6;
const SWIPE_MIN_PX = 50;

interface Point {
  x: number;
  y: number;
}
interface Size {
  width: number;
  height: number;
}

/** The view after a zoom that keeps the point `at` in place. `at` is relative to the centre. */
export function zoomAt(view: View, factor: number, at: Point, size: Size): View {
  const scale = Math.min(MAX_SCALE, Math.max(1, view.scale * factor));
  if (scale === 1) return WHOLE_VIEW;
  const ratio = scale / view.scale;
  return keepInside({ scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio }, size);
}

/** The view after a double tap: enlarged at that point, or the whole picture again. */
export function toggleZoom(view: View, at: Point, size: Size): View {
  return view.scale > 1 ? WHOLE_VIEW : zoomAt(view, TAP_SCALE, at, size);
}

/** Limits a view so that the picture cannot be dragged past its own edge. `size` is that of the unscaled picture. */
export function keepInside({ scale, x, y }: View, { width, height }: Size): View {
  const maxX = (width * (scale - 1)) / 2;
  const maxY = (height * (scale - 1)) / 2;
  return { scale, x: clamp(x, maxX), y: clamp(y, maxY) };
}

/** Interprets a movement in pixels: 1 is the next picture, -1 the previous one, 0 not a swipe. */
export function readSwipe(dx: number, dy: number): 1 | 0 | -1 {
  if (Math.abs(dx) < SWIPE_MIN_PX || Math.abs(dx) < Math.abs(dy) * 1.5) return 0;
  return dx < 0 ? 1 : -1;
}

function clamp(value: number, limit: number): number {
  // `|| 0` avoids minus zero, which would give another style for the same position.
  return Math.min(limit, Math.max(-limit, value)) || 0;
}
