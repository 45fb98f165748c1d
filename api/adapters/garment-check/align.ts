import { loadOpenCv } from '#api/imaging/open-cv.ts';
import type { FrameSize } from '#api/imaging/pixel-image.ts';
import { type Features, matchFeatures, type Pair } from './features.ts';

/** Rows of a 2 x 3 matrix. */
export type Affine = readonly [number, number, number, number, number, number];

/** Where every place of one picture lies in another, in pixels. */
export interface Alignment {
  /** Scale, turn and shift without the bends. */
  affine: Affine;
  /** What bends it. */
  pairs: Pair[];
  featureMatches: number;
}

export function applyAffine([a, b, c, d, e, f]: Affine, x: number, y: number): [number, number] {
  return [a * x + b * y + c, d * x + e * y + f];
}

/** How far cloth may bend away from the affine map, as a share of the source's longer side. */
const BEND = 0.035;
/** Fewer matches agree by chance. */
const LEAST_MATCHES = 10;
/** Plausible enlargement, and the largest ratio of the two scales. */
const SCALE = { least: 0.25, most: 4, ratio: 2 };

/** An affine map by RANSAC over matched features. Null when too few agree. `side`: longer side of the source. */
export async function alignByFeatures(source: Features, result: Features, side: number): Promise<Alignment | null> {
  const pairs = await matchFeatures(source, result);
  if (pairs.length < LEAST_MATCHES) return null;
  const { cv } = await loadOpenCv();
  const matOf = (at: 0 | 2) =>
    cv.matFromArray(
      pairs.length,
      1,
      cv.CV_32FC2,
      pairs.flatMap((pair) => [pair[at], pair[at + 1]!]),
    );
  const [from, to, isKept] = [matOf(0), matOf(2), new cv.Mat()];
  const matrix = cv.estimateAffine2D(from, to, isKept, cv.RANSAC, side * BEND, 4000, 0.995, 10);
  try {
    const kept = pairs.filter((_, index) => isKept.data[index] !== 0);
    const affine = Array.from(matrix.data64F) as unknown as Affine;
    if (kept.length < LEAST_MATCHES || !isPlausible(affine)) return null;
    return { affine, pairs: kept, featureMatches: kept.length };
  } finally {
    for (const mat of [from, to, isKept, matrix]) mat.delete();
  }
}

/** No mirror, no extreme scale, no extreme shear. */
function isPlausible([a, b, , d, e]: Affine): boolean {
  const determinant = a * e - b * d;
  if (!(determinant > 0)) return false;
  const sum = a * a + b * b + d * d + e * e;
  const spread = Math.sqrt(Math.max(0, sum * sum - 4 * determinant * determinant));
  const [largest, smallest] = [Math.sqrt((sum + spread) / 2), Math.sqrt(Math.max(0, (sum - spread) / 2))];
  return largest < SCALE.most && smallest > SCALE.least && largest < smallest * SCALE.ratio;
}

/** Reach of a pair on its surroundings, as a share of the source's longer side. */
const REACH = 0.07;
/** Weight of the affine map against the pairs around a place. */
const STIFFNESS = 0.5;
/** Spacing of the places that are computed; those between are interpolated. */
const CELL = 16;

/** Places in the result for a grid over the source. */
interface Grid {
  columns: number;
  nodes: Float32Array;
}

/** The affine map, moved by what the pairs around a place leave over. */
function bendGrid({ affine, pairs }: Alignment, { width, height }: FrameSize): Grid {
  const reach = 2 * (Math.max(width, height) * REACH) ** 2;
  const left = pairs.map(([x, y, u, v]) => {
    const [au, av] = applyAffine(affine, x, y);
    return [x, y, u - au, v - av] as const;
  });
  const [columns, rows] = [Math.ceil(width / CELL) + 1, Math.ceil(height / CELL) + 1];
  const nodes = new Float32Array(columns * rows * 2);
  for (let node = 0; node < columns * rows; node++) {
    const [x, y] = [(node % columns) * CELL, Math.floor(node / columns) * CELL];
    let [weights, du, dv] = [STIFFNESS, 0, 0];
    for (const [px, py, ru, rv] of left) {
      const distance = (x - px) ** 2 + (y - py) ** 2;
      if (distance > 4 * reach) continue;
      const weight = Math.exp(-distance / reach);
      weights += weight;
      du += weight * ru;
      dv += weight * rv;
    }
    const [u, v] = applyAffine(affine, x, y);
    nodes.set([u + du / weights, v + dv / weights], node * 2);
  }
  return { columns, nodes };
}

/** The result in the frame of the source. */
export interface Warped {
  /** Lab of every pixel of the frame, three floats each. */
  lab: Float32Array;
  /** 1 where the result shows the place. */
  isShown: Uint8Array;
  /** Where a place of the frame lies in the result. */
  place: (x: number, y: number) => [number, number];
}

export interface LabPicture extends FrameSize {
  /** Three floats per pixel. */
  lab: Float32Array;
}

/** Draws the result in the frame of the source, bent as the pairs say. */
export function warpToSource(alignment: Alignment, frame: FrameSize, result: LabPicture): Warped {
  const { columns, nodes } = bendGrid(alignment, frame);
  const { width, height } = frame;
  const lab = new Float32Array(width * height * 3);
  const isShown = new Uint8Array(width * height);
  const between = (node: number, fx: number, fy: number) => {
    const upper = nodes[node]! * (1 - fx) + nodes[node + 2]! * fx;
    const below = node + columns * 2;
    return upper * (1 - fy) + (nodes[below]! * (1 - fx) + nodes[below + 2]! * fx) * fy;
  };
  const row = result.width * 3;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const node = (Math.floor(y / CELL) * columns + Math.floor(x / CELL)) * 2;
      const [fx, fy] = [(x % CELL) / CELL, (y % CELL) / CELL];
      const u = between(node, fx, fy);
      const v = between(node + 1, fx, fy);
      const [left, top] = [Math.floor(u), Math.floor(v)];
      if (!(left >= 0 && top >= 0 && left < result.width - 1 && top < result.height - 1)) continue;
      const pixel = y * width + x;
      isShown[pixel] = 1;
      const [gx, gy] = [u - left, v - top];
      const corner = (top * result.width + left) * 3;
      for (let c = 0; c < 3; c++) {
        const at = corner + c;
        const upper = result.lab[at]! * (1 - gx) + result.lab[at + 3]! * gx;
        const lower = result.lab[at + row]! * (1 - gx) + result.lab[at + row + 3]! * gx;
        lab[pixel * 3 + c] = upper * (1 - gy) + lower * gy;
      }
    }
  }
  const place = (x: number, y: number): [number, number] => {
    const [column, line] = [Math.floor(x / CELL), Math.floor(y / CELL)];
    const node = (line * columns + column) * 2;
    const [fx, fy] = [x / CELL - column, y / CELL - line];
    return [between(node, fx, fy), between(node + 1, fx, fy)];
  };
  return { lab, isShown, place };
}
