import { boxBlur, type FrameSize } from '#api/imaging/pixel-image.ts';
import type { Warped } from './align.ts';

/** How well print, seams and buttons of two aligned pictures agree. */
export interface PrintComparison {
  /** Similarity of the worst part, 0 to 1. Null when nothing can be compared. */
  similarity: number | null;
  /** Share of the source's print that the result shows. */
  shownShare: number;
  /** Middle of the worst part in pixels of the frame. */
  worstPlace: { x: number; y: number };
}

/** Side of the compared squares, and the distance between them, in pixels of the frame (512 on its longer side). */
const BLOCK = 24;
const STEP = 12;
const HALF = BLOCK / 2;
/** Contrast from which a square shows print, a seam or a button. Folds and soft shadows stay below. */
const PRINT_CONTRAST = 5.5;
/** Contrast from which plain cloth has got something that the source does not have. */
const ADDED_CONTRAST = 9;
/** Weight of lightness against colour. Folds and shadows change lightness alone. */
const LIGHTNESS = 0.55;
/** How far the best place of a square is searched. No alignment is exact. */
const SEARCH = 6;
/** How far cloth is tracked that bent away from the first alignment. */
const TRACK = 26;
/** Similarity that needs no search, and from which a square shows where cloth has gone. */
const EQUAL = 0.93;
const CERTAIN = 0.8;
/** Squares within this distance have to move alike. */
const NEAR = 70;
const ALIKE = 5;
/** More squares only cost time. */
const MOST_TRACKED = 160;
/** Another light changes contrasts by this much at most. Beyond, they were blurred or exaggerated. */
const LIGHT_GAIN = { least: 0.8, most: 1.3 };
/** The worst part are this many squares with their neighbours. A changed letter is a small part of a print. */
const WORST = 5;

/** Three numbers per pixel, smoothed, lightness weighted. */
interface Tones extends FrameSize {
  data: Float32Array;
}

/** A square of the source, with the sums that a comparison needs. */
interface Square {
  column: number;
  row: number;
  x: number;
  y: number;
  contrast: number;
  /** Whether it lies so deep in the garment that no bend of cloth brings ground into it. */
  isDeep: boolean;
}

export interface Print {
  tones: Tones;
  /** Squares within the garment, plain ones too. */
  squares: Square[];
  /** How many of them show print, seams or buttons. */
  printSquares: number;
}

/** Prepares the source. `lab`: three floats per pixel. `inside`: 1 within the garment, away from its rim. */
export function readPrint(lab: Float32Array, inside: Uint8Array, frame: FrameSize): Print {
  const tones = smoothTones(lab, frame);
  const squares: Square[] = [];
  for (let row = 0; row * STEP + BLOCK <= frame.height; row++) {
    for (let column = 0; column * STEP + BLOCK <= frame.width; column++) {
      const [x, y] = [column * STEP, row * STEP];
      if (!isWholly(inside, frame.width, x, y)) continue;
      const contrast = Math.sqrt(relate(tones, tones, x, y, 0, 0, 1).variance);
      squares.push({ column, row, x, y, contrast, isDeep: isWholly(inside, frame.width, x, y, BLOCK) });
    }
  }
  return { tones, squares, printSquares: squares.filter(isPrint).length };
}

function isPrint({ contrast }: Square): boolean {
  return contrast > PRINT_CONTRAST;
}

/** Smooths away weave, grain and compression. */
function smoothTones(lab: Float32Array, { width, height }: FrameSize): Tones {
  const data = new Float32Array(lab.length);
  const plane = new Float32Array(width * height);
  for (let c = 0; c < 3; c++) {
    for (let pixel = 0; pixel < plane.length; pixel++) plane[pixel] = lab[pixel * 3 + c]! * (c === 0 ? LIGHTNESS : 1);
    const smooth = boxBlur(boxBlur({ width, height, data: plane }, 1), 1).data;
    for (let pixel = 0; pixel < plane.length; pixel++) data[pixel * 3 + c] = smooth[pixel]!;
  }
  return { width, height, data };
}

/** Whether a square, with a margin around it, lies inside. Looks at nine places of it. */
function isWholly(isInside: Uint8Array, width: number, x: number, y: number, margin = 0): boolean {
  for (const row of [y - margin, y + HALF, y + BLOCK - 1 + margin]) {
    for (const column of [x - margin, x + HALF, x + BLOCK - 1 + margin]) {
      if (column < 0 || column >= width || !isInside[row * width + column]) return false;
    }
  }
  return true;
}

/** Covariance of a square of the source with one of the result, and the variance of each, summed over the channels. */
function relate(source: Tones, result: Tones, x: number, y: number, dx: number, dy: number, stride: number) {
  let [count, product, variance, own] = [0, 0, 0, 0];
  const ours = [0, 0, 0];
  const theirs = [0, 0, 0];
  for (let v = 0; v < BLOCK; v += stride) {
    const from = ((y + v) * source.width + x) * 3;
    const to = ((y + v + dy) * source.width + x + dx) * 3;
    for (let u = 0; u < BLOCK * 3; u += stride * 3) {
      count++;
      for (let c = 0; c < 3; c++) {
        const [one, other] = [source.data[from + u + c]!, result.data[to + u + c]!];
        product += one * other;
        variance += other * other;
        own += one * one;
        ours[c]! += one;
        theirs[c]! += other;
      }
    }
  }
  for (let c = 0; c < 3; c++) {
    product -= (ours[c]! * theirs[c]!) / count;
    variance -= theirs[c]! ** 2 / count;
    own -= ours[c]! ** 2 / count;
  }
  return { covariance: product / count, variance: Math.max(0, variance / count), own: Math.max(0, own / count) };
}

interface Found {
  similarity: number;
  dx: number;
  dy: number;
}

interface Comparison {
  print: Print;
  result: Tones;
  isShown: Uint8Array;
  /** How much stronger contrasts are in the result, as far as light explains it. */
  gain: number;
}

function beginComparison(print: Print, warped: Warped): Comparison {
  const result = smoothTones(warped.lab, print.tones);
  const { width } = print.tones;
  const gains = print.squares
    .filter((square) => isPrint(square) && isWholly(warped.isShown, width, square.x, square.y))
    .map(({ x, y, contrast }) => Math.sqrt(relate(print.tones, result, x, y, 0, 0, 2).variance) / contrast)
    .sort((a, b) => a - b);
  const gain = Math.min(LIGHT_GAIN.most, Math.max(LIGHT_GAIN.least, gains[gains.length >> 1] ?? 1));
  return { print, result, isShown: warped.isShown, gain };
}

/** Structure and contrast of SSIM in one: 1 for equal squares, 0 for unrelated ones and for plain cloth. */
function similarityAt(
  { print: { tones }, result, gain }: Comparison,
  { x, y }: Square,
  dx: number,
  dy: number,
  stride: number,
) {
  if (x + dx < 0 || y + dy < 0 || x + dx + BLOCK > tones.width || y + dy + BLOCK > tones.height) return 0;
  const { covariance, variance, own } = relate(tones, result, x, y, dx, dy, stride);
  return Math.max(0, (2 * covariance * gain) / (own * gain * gain + variance + 1e-6));
}

/** Best similarity of a square around its place: coarsely first, then all around the best. */
function searchSquare(comparison: Comparison, square: Square, reach: number, step: number): Found {
  let best: Found = { similarity: similarityAt(comparison, square, 0, 0, 1), dx: 0, dy: 0 };
  if (best.similarity > EQUAL) return best;
  let coarse: Found = { similarity: -1, dx: 0, dy: 0 };
  for (let dy = -reach; dy <= reach; dy += step) {
    for (let dx = -reach; dx <= reach; dx += step) {
      const similarity = similarityAt(comparison, square, dx, dy, 3);
      if (similarity > coarse.similarity) coarse = { similarity, dx, dy };
    }
  }
  for (let dy = coarse.dy - step + 1; dy < coarse.dy + step; dy++) {
    for (let dx = coarse.dx - step + 1; dx < coarse.dx + step; dx++) {
      const similarity = similarityAt(comparison, square, dx, dy, 1);
      if (similarity > best.similarity) best = { similarity, dx, dy };
    }
  }
  return best;
}

/**
 * Tracks the squares of the print that moved in the warped result together with their neighbours. Places of the
 * source, and where these lie in the warped result.
 */
export function trackPrint(print: Print, warped: Warped): { x: number; y: number; toX: number; toY: number }[] {
  const comparison = beginComparison(print, warped);
  const { width } = print.tones;
  const prints = print.squares.filter(
    (square) => isPrint(square) && isWholly(warped.isShown, width, square.x, square.y),
  );
  const every = Math.max(1, Math.ceil(prints.length / MOST_TRACKED));
  const tracked = prints
    .filter((_, index) => index % every === 0)
    .map((square) => ({ ...square, ...searchSquare(comparison, square, TRACK, 3) }))
    .filter(({ similarity }) => similarity > CERTAIN);
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
  return tracked.flatMap(({ x, y, dx, dy }) => {
    const around = tracked.filter((other) => Math.hypot(other.x - x, other.y - y) < NEAR);
    const off = Math.hypot(dx - median(around.map((one) => one.dx)), dy - median(around.map((one) => one.dy)));
    if (around.length < 3 || off > ALIKE) return [];
    return [{ x: x + HALF, y: y + HALF, toX: x + HALF + dx, toY: y + HALF + dy }];
  });
}

/** Whether plain cloth has got something. What only reaches into the square belongs to a neighbour. */
function isAdded({ print: { tones }, result }: Comparison, { x, y }: Square): boolean {
  const shifts = [-SEARCH, 0, SEARCH].flatMap((dy) => [-SEARCH, 0, SEARCH].map((dx) => [dx, dy] as const));
  return shifts.every(([dx, dy]) => {
    if (x + dx < 0 || y + dy < 0 || x + dx + BLOCK > tones.width || y + dy + BLOCK > tones.height) return true;
    return relate(tones, result, x, y, dx, dy, 2).variance > ADDED_CONTRAST ** 2;
  });
}

/**
 * Compares print, seams and buttons square by square. A square counts with its neighbours, so a single misplaced one
 * is no drift.
 */
export function comparePrints(print: Print, warped: Warped): PrintComparison {
  const comparison = beginComparison(print, warped);
  const { tones, squares } = print;
  const shown = squares.filter(({ x, y }) => isWholly(warped.isShown, tones.width, x, y));
  const scores = new Map<string, number>();
  for (const square of shown) {
    const key = `${square.column} ${square.row}`;
    if (isPrint(square)) scores.set(key, searchSquare(comparison, square, SEARCH, 2).similarity);
    else if (square.isDeep && isAdded(comparison, square)) scores.set(key, 0);
  }
  const parts = shown.flatMap(({ column, row, x, y }) => {
    if (!scores.has(`${column} ${row}`)) return [];
    const around = [-1, 0, 1].flatMap((down) =>
      [-1, 0, 1].flatMap((across) => scores.get(`${column + across} ${row + down}`) ?? []),
    );
    const similarity = around.reduce((sum, score) => sum + score, 0) / around.length;
    return around.length >= 3 ? [{ similarity, x: x + HALF, y: y + HALF }] : [];
  });
  const worst = parts.sort((one, other) => one.similarity - other.similarity).slice(0, WORST);
  return {
    similarity: worst.length ? worst.reduce((sum, part) => sum + part.similarity, 0) / worst.length : null,
    shownShare: print.printSquares ? shown.filter(isPrint).length / print.printSquares : 1,
    worstPlace: worst[0] ?? { x: tones.width / 2, y: tones.height / 2 },
  };
}
