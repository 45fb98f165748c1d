import type { Pose } from './motions.ts';

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
  const [a, b, c, d, e, f, g, h, i] = rows.flatMap(([first, second, third]) => [
    first,
    second,
    third - first * pivot.x - second * pivot.y,
  ]) as unknown as Homography;
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

/**
 * Smallest zooms, one a pose, that keep a whole-frame layer covering the frame. They follow the greatest need of
 * the moments around them, so that the picture does not breathe with every swing, and start at exactly 1.
 */
export function coveringZooms(poses: readonly Pose[], frame: Size, framesPerSecond: number): number[] {
  const pivot = { x: frame.width / 2, y: frame.height / 2 };
  const needed = poses.map((pose) => neededZoom(pose, frame, pivot));
  const reach = Math.round(framesPerSecond * 0.6);
  const highest = needed.map((_, i) => Math.max(...needed.slice(Math.max(0, i - reach), i + reach + 1)));
  return needed.map((need, i) => {
    const around = highest.slice(Math.max(0, i - reach), i + reach + 1);
    const smooth = around.reduce((sum, zoom) => sum + zoom, 0) / around.length;
    const start = Math.min(1, i / (framesPerSecond * 0.8));
    return Math.max(need, 1 + (smooth - 1) * start * start * (3 - 2 * start));
  });
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
