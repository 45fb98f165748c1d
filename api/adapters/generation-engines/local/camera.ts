import type { Pose } from './motions.ts';
import type { CutSides } from './sprite.ts';

/** Row-major 3 x 3 matrix that takes points of the frame back to points of the layer, both in pixels. */
export type Homography = readonly [number, number, number, number, number, number, number, number, number];

interface Size {
  width: number;
  height: number;
}

export interface Pivot {
  x: number;
  y: number;
}

/** Distance of the camera in frame heights: long, as product photographers have it. */
const FOCAL_LENGTH = 2.6;

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

/** Looks at a flat layer that is turned, tilted, leant, shifted and scaled about the pivot. */
export function viewLayer(pose: Pose, frame: Size, pivot: Pivot, zoom = pose.zoom): Homography {
  const [cosYaw, sinYaw] = [Math.cos(radians(pose.yaw)), Math.sin(radians(pose.yaw))];
  const [cosPitch, sinPitch] = [Math.cos(radians(pose.pitch)), Math.sin(radians(pose.pitch))];
  const [cosRoll, sinRoll] = [Math.cos(radians(pose.roll)), Math.sin(radians(pose.roll))];
  // Yaw, then pitch, then roll, of the point (x, y, 0).
  const [turnedX, turnedY] = [
    [cosYaw, 0],
    [sinPitch * sinYaw, cosPitch],
  ] as const;
  const across = [cosRoll * turnedX[0] - sinRoll * turnedY[0], cosRoll * turnedX[1] - sinRoll * turnedY[1]] as const;
  const down = [sinRoll * turnedX[0] + cosRoll * turnedY[0], sinRoll * turnedX[1] + cosRoll * turnedY[1]] as const;
  const away = zoom / (FOCAL_LENGTH * frame.height);
  const perspective = [-cosPitch * sinYaw * away, sinPitch * away] as const;
  const x = pivot.x + pose.shiftX * frame.height;
  const y = pivot.y + pose.shiftY * frame.height;
  const rows = [
    [zoom * across[0] + x * perspective[0], zoom * across[1] + x * perspective[1], x],
    [zoom * down[0] + y * perspective[0], zoom * down[1] + y * perspective[1], y],
    [perspective[0], perspective[1], 1],
  ] as const;
  return invert(
    rows.flatMap(([first, second, third]) => [
      first,
      second,
      third - first * pivot.x - second * pivot.y,
    ]) as unknown as Homography,
  );
}

function invert([a, b, c, d, e, f, g, h, i]: Homography): Homography {
  const inverse = [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
  return inverse.map((value) => value / inverse[8]!) as unknown as Homography;
}

export function project(m: Homography, x: number, y: number): [number, number] {
  const depth = 1 / (m[6] * x + m[7] * y + m[8]);
  return [(m[0] * x + m[1] * y + m[2]) * depth, (m[3] * x + m[4] * y + m[5]) * depth];
}

/** Bounds in frame pixels. */
export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A subject is not made smaller than this to keep it inside the frame. */
const LEAST_ZOOM = 0.85;
/** How much further than in the photo a cut-off head may be cut, as a share of the frame's height. */
const CUT_HEAD_ROOM = 0.05;

/**
 * Greatest zooms, one a pose and none above the pose's own, at which a cut-out subject shows no less of itself than in
 * the photo: no edge leaves the frame that was inside. They follow the least room of the moments around them, as
 * `coveringZooms` do, and start at exactly 1. `cut`: what the photo itself cuts off may leave the frame below, and a
 * little above; it never comes in so far that the cut would be seen.
 */
export function containingZooms(
  poses: readonly Pose[],
  frame: Size,
  subject: { box: Bounds; pivot: Pivot; cut: CutSides },
  framesPerSecond: number,
): number[] {
  const allowed = poses.map((pose) => allowedZoom(pose, frame, subject));
  const around = lookAround(allowed, framesPerSecond, Math.min);
  return allowed.map((room, i) => Math.min(room, fadeIn(around[i]!, i, framesPerSecond)));
}

function allowedZoom(
  pose: Pose,
  frame: Size,
  { box, pivot, cut }: { box: Bounds; pivot: Pivot; cut: CutSides },
): number {
  const corners = [box.left, box.right].flatMap((x) => [box.top, box.bottom].map((y) => [x, y] as const));
  const sway = Math.abs(pose.sway) * frame.height;
  // A head that the photo cuts off may be cut a little lower.
  const highest = Math.min(0, box.top) - (cut.top ? frame.height * CUT_HEAD_ROOM : 0);
  const lowest = Math.max(frame.height, box.bottom);
  const contains = (zoom: number) => {
    const forward = invert(viewLayer(pose, frame, pivot, zoom));
    return corners.every(([x, y]) => {
      const [u, v] = project(forward, x, y);
      const isInside =
        u - sway >= Math.min(0, box.left) && u + sway <= Math.max(frame.width, box.right) && v >= highest;
      return isInside && (cut.bottom || v <= lowest);
    });
  };
  if (contains(pose.zoom)) return pose.zoom;
  // Made smaller, a figure would show where the photo cut it off.
  const least = cut.top || cut.bottom ? 1 : LEAST_ZOOM;
  let [low, high] = [Math.min(least, pose.zoom), pose.zoom];
  for (let round = 0; round < 14; round++) {
    const middle = (low + high) / 2;
    if (contains(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Smallest zooms, one a pose, that keep a whole-frame layer covering the frame. They follow the greatest need of
 * the moments around them, so that the picture does not breathe with every swing, and start at exactly 1.
 */
export function coveringZooms(poses: readonly Pose[], frame: Size, framesPerSecond: number): number[] {
  const pivot = { x: frame.width / 2, y: frame.height / 2 };
  const needed = poses.map((pose) => neededZoom(pose, frame, pivot));
  const around = lookAround(needed, framesPerSecond, Math.max);
  return needed.map((need, i) => Math.max(need, fadeIn(around[i]!, i, framesPerSecond)));
}

/** The extreme of the moments around each one, smoothed, so that the picture does not breathe with every swing. */
function lookAround(
  zooms: readonly number[],
  framesPerSecond: number,
  extreme: (...values: number[]) => number,
): number[] {
  const reach = Math.round(framesPerSecond * 0.6);
  const near = (values: readonly number[], i: number) => values.slice(Math.max(0, i - reach), i + reach + 1);
  const extremes = zooms.map((_, i) => extreme(...near(zooms, i)));
  return zooms.map((_, i) => {
    const window = near(extremes, i);
    return window.reduce((sum, zoom) => sum + zoom, 0) / window.length;
  });
}

/** Grows from 1 to `zoom` within the first 0.8 seconds. */
function fadeIn(zoom: number, frameIndex: number, framesPerSecond: number): number {
  const start = Math.min(1, frameIndex / (framesPerSecond * 0.8));
  return 1 + (zoom - 1) * start * start * (3 - 2 * start);
}

function neededZoom(pose: Pose, frame: Size, pivot: Pivot): number {
  const covers = (zoom: number) => {
    const view = viewLayer(pose, frame, pivot, zoom);
    return [
      [0, 0],
      [frame.width, 0],
      [0, frame.height],
      [frame.width, frame.height],
    ].every(([x, y]) => {
      const [u, v] = project(view, x!, y!);
      return u >= -0.5 && v >= -0.5 && u <= frame.width + 0.5 && v <= frame.height + 0.5;
    });
  };
  if (covers(pose.zoom)) return pose.zoom;
  let [low, high] = [pose.zoom, pose.zoom + 1];
  for (let round = 0; round < 14; round++) {
    const middle = (low + high) / 2;
    if (covers(middle)) high = middle;
    else low = middle;
  }
  return high;
}
