import { boxBlur, type Plane, resizePlane } from '#api/imaging/pixel-image.ts';

/** Estimated shape of the subject on a coarse grid over the frame. */
export interface Relief {
  width: number;
  height: number;
  /** Direction of the surface: -1 to the left, 1 to the right. Used for the light. */
  facing: Plane;
  /** Alpha with a soft rim (0 to 1). Used for shadows. */
  shadow: Plane;
  /** 1 where any part of the subject may be, with a margin. */
  presence: Uint8Array;
  /** 1 where there is only opaque subject, with a margin. */
  solid: Uint8Array;
}

/** Frame pixels per cell of the grid. The same as in the kernel. */
export const RELIEF_CELL = 8;

/** Share of the height, up and down, over which the depth of a column is averaged. */
const COLUMN_SHARE = 0.3;

/** How strongly the slope of a surface affects the light. */
const FACING_GAIN = 0.07;

/** Inflates the outline like a cushion: depth grows with the distance from the outline, rounded and smoothed. */
export async function inflateRelief(alpha: Plane<Uint8Array>): Promise<Relief> {
  const width = Math.round(alpha.width / RELIEF_CELL);
  const height = Math.round(alpha.height / RELIEF_CELL);
  const coarse = (await resizePlane(alpha, width, height)).data;
  const distance = distanceToOutside(coarse, width, height);
  const thickest = distance.reduce((most, value) => Math.max(most, value), 1) * 0.85;
  const round = Float32Array.from(distance, (value) => Math.sqrt(1 - (1 - Math.min(1, value / thickest)) ** 2));
  // Averages the depth vertically. Otherwise a thin stem under a wide skirt would be lit like a pipe.
  const shared = averageDown(round, width, height, Math.round(height * COLUMN_SHARE));
  let depth: Plane = { width, height, data: Float32Array.from(round, (value, i) => 0.2 * value + 0.8 * shared[i]!) };
  for (let pass = 0; pass < 3; pass++) depth = boxBlur(depth, 2);
  const slope = boxBlur(boxBlur(depth, 3), 3);
  const facing = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const toTheRight = (slope.data[at - 1]! - slope.data[at + 1]!) * FACING_GAIN * width;
      facing[at] = Math.max(-1, Math.min(1, toTheRight));
    }
  }
  const plane = (data: Float32Array): Plane => ({ width, height, data });
  const soft = boxBlur(boxBlur(boxBlur({ width, height, data: coarse }, 2), 2), 2);
  const { presence, solid } = rasterise(alpha, width, height);
  return {
    width,
    height,
    facing: plane(facing),
    shadow: plane(soft.data.map((value) => value / 255)),
    presence,
    solid,
  };
}

/**
 * Two-pass chamfer distance to the nearest cell outside, in cells. The subject is assumed to continue beyond the frame.
 */
function distanceToOutside(coarse: Uint8Array, width: number, height: number): Float32Array {
  const distance = Float32Array.from(coarse, (value) => (value > 127 ? 1e6 : 0));
  // A cell beyond the grid is as far away as can be.
  const at = (x: number, y: number) => (x < 0 || y < 0 || x >= width || y >= height ? 1e6 : distance[y * width + x]!);
  const relax = (x: number, y: number, way: 1 | -1) => {
    const straight = Math.min(at(x - way, y), at(x, y - way)) + 1;
    const diagonal = Math.min(at(x - way, y - way), at(x + way, y - way)) + Math.SQRT2;
    distance[y * width + x] = Math.min(distance[y * width + x]!, straight, diagonal);
  };
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) relax(x, y, 1);
  for (let y = height - 1; y >= 0; y--) for (let x = width - 1; x >= 0; x--) relax(x, y, -1);
  return distance.map((value) => Math.min(value, width));
}

function averageDown(values: Float32Array, width: number, height: number, radius: number): Float32Array {
  const out = new Float32Array(width * height);
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) {
      let sum = 0;
      let count = 3;
      for (let row = Math.max(0, y - radius); row <= Math.min(height - 1, y + radius); row++) {
        const value = values[row * width + x]!;
        sum += value;
        if (value > 0) count++;
      }
      out[y * width + x] = sum / count;
    }
  }
  return out;
}

function rasterise(
  alpha: Plane<Uint8Array>,
  width: number,
  height: number,
): { presence: Uint8Array; solid: Uint8Array } {
  const some = new Uint8Array(width * height);
  const all = new Uint8Array(width * height).fill(1);
  for (let y = 0; y < alpha.height; y++) {
    const cells = Math.min(height - 1, (y / RELIEF_CELL) | 0) * width;
    for (let x = 0; x < alpha.width; x++) {
      const value = alpha.data[y * alpha.width + x]!;
      const cell = cells + Math.min(width - 1, (x / RELIEF_CELL) | 0);
      if (value > 0) some[cell] = 1;
      if (value < 255) all[cell] = 0;
    }
  }
  const plane = (data: Uint8Array): Plane<Uint8Array> => ({ width, height, data });
  const presence = Uint8Array.from(boxBlur(plane(some), 2).data, (value) => (value > 0.001 ? 1 : 0));
  const solid = Uint8Array.from(boxBlur(plane(all), 2).data, (value) => (value > 0.999 ? 1 : 0));
  return { presence, solid };
}

/** The relief of a picture that moves as one board: no shape and no shadow. */
export function flatRelief(frame: { width: number; height: number }): Relief {
  const width = Math.round(frame.width / RELIEF_CELL);
  const height = Math.round(frame.height / RELIEF_CELL);
  const flat: Plane = { width, height, data: new Float32Array(width * height) };
  const everywhere = new Uint8Array(width * height).fill(1);
  return { width, height, facing: flat, shadow: flat, presence: everywhere, solid: everywhere };
}
