import { FRAMES_PER_SECOND, type Pose } from './motions.ts';
import type { CutSides } from './sprite.ts';

/** Row-major 3 x 3 matrix that maps points of the frame to points of the layer, both in pixels. */
export type Homography = readonly [number, number, number, number, number, number, number, number, number];

interface Size {
  width: number;
  height: number;
}

export interface Pivot {
  x: number;
  y: number;
}

/** Distance of the camera in frame heights. It is long, as in product photography. */
const FOCAL_LENGTH = 6;

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

/**
 * A flat layer after yaw, pitch and roll, seen about its pivot: (across, down) over (1 + away), each a function of (x,
 * y).
 */
function turnLayer(pose: Pick<Pose, 'yaw' | 'pitch' | 'roll'>, frame: Size) {
  const [cosYaw, sinYaw] = [Math.cos(radians(pose.yaw)), Math.sin(radians(pose.yaw))];
  const [cosPitch, sinPitch] = [Math.cos(radians(pose.pitch)), Math.sin(radians(pose.pitch))];
  const [cosRoll, sinRoll] = [Math.cos(radians(pose.roll)), Math.sin(radians(pose.roll))];
  const [turnedX, turnedY] = [
    [cosYaw, 0],
    [sinPitch * sinYaw, cosPitch],
  ] as const;
  const distance = FOCAL_LENGTH * frame.height;
  return {
    across: [cosRoll * turnedX[0] - sinRoll * turnedY[0], cosRoll * turnedX[1] - sinRoll * turnedY[1]],
    down: [sinRoll * turnedX[0] + cosRoll * turnedY[0], sinRoll * turnedX[1] + cosRoll * turnedY[1]],
    away: [(-cosPitch * sinYaw) / distance, sinPitch / distance],
  } as const;
}

/**
 * The view of a flat layer that is turned, tilted, leant, shifted and scaled about the pivot. A zoom enlarges the
 * picture without moving the camera, so it changes the direction of no line.
 */
export function viewLayer(pose: Pose, frame: Size, pivot: Pivot, zoom = pose.zoom): Homography {
  const { across, down, away } = turnLayer(pose, frame);
  const x = pivot.x + pose.shiftX * frame.height;
  const y = pivot.y + pose.shiftY * frame.height;
  const rows = [
    [zoom * across[0] + x * away[0], zoom * across[1] + x * away[1], x],
    [zoom * down[0] + y * away[0], zoom * down[1] + y * away[1], y],
    [away[0], away[1], 1],
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

export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Degrees by which a hem, a stripe or the side of a print may lean compared with the photo. More makes the product look
 * crooked.
 */
const MOST_LEAN = 1.4;

/**
 * Returns the same poses. If a line of the layer would lean too far, all of them turn, tilt and lean less, by the same
 * factor. Lines stay straight in any case, because a layer is flat.
 */
export function keepLinesUpright(poses: readonly Pose[], frame: Size, box: Bounds, pivot: Pivot): Pose[] {
  const corners = [box.left, box.right].flatMap((x) =>
    [box.top, box.bottom].map((y) => ({ x: x - pivot.x, y: y - pivot.y })),
  );
  const turned = (share: number) =>
    poses.map((pose) => ({ ...pose, yaw: pose.yaw * share, pitch: pose.pitch * share, roll: pose.roll * share }));
  const isUpright = (share: number) =>
    turned(share).every((pose) => corners.every((corner) => mostLean(pose, frame, corner) <= MOST_LEAN));
  if (isUpright(1)) return [...poses];
  let [low, high] = [0, 1];
  for (let round = 0; round < 14; round++) {
    const middle = (low + high) / 2;
    if (isUpright(middle)) low = middle;
    else high = middle;
  }
  return turned(low);
}

/** Largest change of direction, in degrees, among all lines through a point of the layer. */
function mostLean(pose: Pose, frame: Size, { x, y }: Pivot): number {
  const { across, down, away } = turnLayer(pose, frame);
  const nearness = 1 + away[0] * x + away[1] * y;
  const [seenX, seenY] = [(across[0] * x + across[1] * y) / nearness, (down[0] * x + down[1] * y) / nearness];
  // Derivatives of the view, up to a scale factor.
  const [a, b] = [across[0] - seenX * away[0], across[1] - seenX * away[1]];
  const [c, d] = [down[0] - seenY * away[0], down[1] - seenY * away[1]];
  // They combine a rotation, which all lines share, and a squeeze, which turns the lines between its axes.
  const turn = Math.abs(Math.atan2(c - b, a + d));
  const squeeze = Math.asin(Math.min(1, Math.hypot(a - d, b + c) / Math.hypot(a + d, c - b)));
  return ((turn + squeeze) * 180) / Math.PI;
}

/** Smallest scale at which a subject is shown to keep it inside the frame. */
const LEAST_ZOOM = 0.85;
/** How much more of a cut-off head may be cut than in the photo, as a share of the frame's height. */
const CUT_HEAD_ROOM = 0.05;

export interface Subject {
  box: Bounds;
  pivot: Pivot;
  /**
   * A side that the photo cuts off may leave the frame at the bottom, and a little at the top. It never moves in so far
   * that the cut shows.
   */
  cut: CutSides;
}

/**
 * Makes room to come closer where a subject fills the frame: the camera steps back within the first second and
 * approaches from there. It approaches less if there is still no room.
 */
export function stepBack(poses: readonly Pose[], frame: Size, subject: Subject): Pose[] {
  const peak = Math.max(...poses.map((pose) => pose.zoom));
  const excess = Math.max(...poses.map((pose) => pose.zoom / allowedZoom(pose, frame, subject)));
  if (excess <= 1 || peak <= 1) return [...poses];
  const back = Math.min(excess, 1 / leastZoom(subject.cut));
  const reach = Math.max(0, Math.min(1, 1 + Math.log(back / excess) / Math.log(peak)));
  return poses.map((pose, i) => ({ ...pose, zoom: pose.zoom ** reach / fadeIn(back, i) }));
}

/**
 * Largest zooms at which a cut-out subject shows no less of itself than in the photo: no edge that was inside leaves
 * the frame. One zoom per pose, none above the pose's own. Each follows the tightest moment around it, as in
 * `coveringZooms`. The first is exactly 1.
 */
export function containingZooms(poses: readonly Pose[], frame: Size, subject: Subject): number[] {
  const allowed = poses.map((pose) => allowedZoom(pose, frame, subject));
  const around = lookAround(allowed, Math.min);
  return allowed.map((room, i) => Math.min(room, fadeIn(around[i]!, i)));
}

/** A smaller figure would show where the photo cut it off. */
function leastZoom(cut: CutSides): number {
  return cut.top || cut.bottom ? 1 : LEAST_ZOOM;
}

function allowedZoom(pose: Pose, frame: Size, { box, pivot, cut }: Subject): number {
  const corners = [box.left, box.right].flatMap((x) => [box.top, box.bottom].map((y) => [x, y] as const));
  // A head that the photo cuts off may be cut a little more.
  const highest = Math.min(0, box.top) - (cut.top ? frame.height * CUT_HEAD_ROOM : 0);
  const lowest = Math.max(frame.height, box.bottom);
  const contains = (zoom: number) => {
    const forward = invert(viewLayer(pose, frame, pivot, zoom));
    return corners.every(([x, y]) => {
      const [u, v] = project(forward, x, y);
      const isInside = u >= Math.min(0, box.left) && u <= Math.max(frame.width, box.right) && v >= highest;
      return isInside && (cut.bottom || v <= lowest);
    });
  };
  if (contains(pose.zoom)) return pose.zoom;
  let [low, high] = [Math.min(leastZoom(cut), pose.zoom), pose.zoom];
  for (let round = 0; round < 14; round++) {
    const middle = (low + high) / 2;
    if (contains(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** A picture that moves as one piece, and its pivot. `reach`: the part that may be shown, in pixels of the frame. */
export interface Board {
  reach: Bounds;
  pivot: Pivot;
}

/**
 * Smallest zooms at which a board covers the frame, one per pose and none below the pose's own. Each follows the
 * greatest need of the moments around it, so that the picture does not pulse with every swing. The first is exactly 1.
 */
export function coveringZooms(poses: readonly Pose[], frame: Size, board: Board): number[] {
  const needed = poses.map((pose) => neededZoom(pose, frame, board));
  const around = lookAround(needed, Math.max);
  return needed.map((need, i) => Math.max(need, fadeIn(around[i]!, i)));
}

/** The extreme of the moments around each one, smoothed, so that the picture does not pulse with every swing. */
function lookAround(zooms: readonly number[], extreme: (...values: number[]) => number): number[] {
  const reach = Math.round(FRAMES_PER_SECOND * 0.6);
  const near = (values: readonly number[], i: number) => values.slice(Math.max(0, i - reach), i + reach + 1);
  const extremes = zooms.map((_, i) => extreme(...near(zooms, i)));
  return zooms.map((_, i) => {
    const window = near(extremes, i);
    return window.reduce((sum, zoom) => sum + zoom, 0) / window.length;
  });
}

/** Grows from 1 to `zoom` in the first 0.8 seconds. */
function fadeIn(zoom: number, frameIndex: number): number {
  const start = Math.min(1, frameIndex / (FRAMES_PER_SECOND * 0.8));
  return 1 + (zoom - 1) * start * start * (3 - 2 * start);
}

function neededZoom(pose: Pose, frame: Size, { reach, pivot }: Board): number {
  const covers = (zoom: number) => {
    const view = viewLayer(pose, frame, pivot, zoom);
    return [
      [0, 0],
      [frame.width, 0],
      [0, frame.height],
      [frame.width, frame.height],
    ].every(([x, y]) => {
      const [u, v] = project(view, x!, y!);
      return u >= reach.left - 0.5 && v >= reach.top - 0.5 && u <= reach.right + 0.5 && v <= reach.bottom + 0.5;
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
