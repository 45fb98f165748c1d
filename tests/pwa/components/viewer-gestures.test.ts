import { describe, expect, it } from 'vitest';
import { keepInside, readSwipe, toggleZoom, WHOLE_VIEW, zoomAt } from '#pwa/components/viewer-gestures.ts';

const size = { width: 400, height: 600 };

describe('the picture viewer', () => {
  it('keeps the point under the finger in place while it zooms', () => {
    const at = { x: 100, y: -50 };
    const view = zoomAt(WHOLE_VIEW, 2, at, size);
    // The point under the finger, in the picture's own coordinates.
    const shown = { x: view.x + at.x * view.scale, y: view.y + at.y * view.scale };
    expect(shown).toEqual(at);
  });

  it('zooms no further than five times and no smaller than the whole picture', () => {
    expect(zoomAt(WHOLE_VIEW, 100, { x: 0, y: 0 }, size).scale).toBe(5);
    expect(zoomAt({ scale: 2, x: 90, y: 90 }, 0.1, { x: 50, y: 50 }, size)).toEqual(WHOLE_VIEW);
  });

  it('does not let the picture be dragged past its edge', () => {
    expect(keepInside({ scale: 2, x: 900, y: -900 }, size)).toEqual({ scale: 2, x: 200, y: -300 });
    expect(keepInside({ scale: 1, x: 30, y: 30 }, size)).toEqual(WHOLE_VIEW);
  });

  it('a double tap zooms in and out again', () => {
    const close = toggleZoom(WHOLE_VIEW, { x: 0, y: 0 }, size);
    expect(close.scale).toBeGreaterThan(2);
    expect(toggleZoom(close, { x: 0, y: 0 }, size)).toEqual(WHOLE_VIEW);
  });

  it.each([
    [-80, 10, 1],
    [80, -10, -1],
    [-30, 0, 0],
    [-80, 90, 0],
  ])('a movement by %d, %d is the step %d', (dx, dy, step) => {
    expect(readSwipe(dx, dy)).toBe(step);
  });
});
