import type * as OpenCv from '@techstark/opencv-js';
import { loadOpenCv } from '#api/adapters/open-cv.ts';
import type { Deviation } from './deviation.ts';
import { boxBlur, type RgbImage } from './pixel-image.ts';

const ROUNDS = 3;

/**
 * Separates the subject from a plain ground with GrabCut. The deviation says which pixels certainly belong to either.
 * `flooded` pixels (1) are always ground. Returns one byte per pixel, 255 for subject. Holes are closed.
 */
export async function grabCut(
  { width, height, data }: RgbImage,
  deviation: Deviation,
  flooded: Uint8Array,
): Promise<Uint8Array> {
  const { distance, threshold } = deviation;
  const { cv } = await loadOpenCv();
  const pixels = width * height;
  const image = cv.matFromArray(height, width, cv.CV_8UC3, data as unknown as number[]);
  const labels = new cv.Mat(height, width, cv.CV_8UC1);
  const groundModel = new cv.Mat();
  const subjectModel = new cv.Mat();
  const square = cv.getStructuringElement(cv.MORPH_ELLIPSE, new cv.Size(7, 7));
  const dot = cv.getStructuringElement(cv.MORPH_ELLIPSE, new cv.Size(3, 3));
  try {
    // Pixels that the flood did not reach are probably subject, except in the strip along the border that it never
    // enters.
    const nearGround = boxBlur({ width, height, data: flooded }, 3).data;
    let seeds = 0;
    // Each access to `data` makes a view of the module's memory, so loops take it once.
    const marks = labels.data;
    for (let pixel = 0; pixel < pixels; pixel++) {
      const levels = distance[pixel]!;
      let label = cv.GC_BGD;
      if (flooded[pixel]) label = cv.GC_BGD;
      else if (levels > threshold * 1.5) label = cv.GC_FGD;
      else if (levels > threshold * 0.4 || (nearGround[pixel]! === 0 && fromBorder(pixel, width, height) > 5))
        label = cv.GC_PR_FGD;
      marks[pixel] = label;
      if (levels > threshold) seeds++;
    }
    if (seeds > 50 && seeds < pixels * 0.97) {
      cv.grabCut(image, labels, new cv.Rect(0, 0, 1, 1), groundModel, subjectModel, ROUNDS, cv.GC_INIT_WITH_MASK);
    }
    // OpenCV may have moved its memory, so the view is taken again after it has worked.
    const found = Uint8Array.from(labels.data, (label) => (label & 1 ? 255 : 0));
    labels.data.set(found);
    cv.morphologyEx(labels, labels, cv.MORPH_CLOSE, square);
    const mask = labels.data;
    keepBorder(mask, found, width, height);
    closeHoles(mask, width, height);
    trimGround(mask, width, height, deviation);
    for (let pixel = 0; pixel < pixels; pixel++) if (flooded[pixel]) mask[pixel] = 0;
    cv.morphologyEx(labels, labels, cv.MORPH_OPEN, dot);
    keepLargePieces(cv, labels);
    return new Uint8Array(labels.data);
  } finally {
    for (const mat of [image, labels, groundModel, subjectModel, square, dot]) mat.delete();
  }
}

/** Calls `visit` with the pixels of every connected region where `isInside` is true. */
export function forEachRegion(
  width: number,
  height: number,
  isInside: (pixel: number) => boolean,
  visit: (pixels: number[], touchesBorder: boolean) => void,
): void {
  const seen = new Uint8Array(width * height);
  for (let start = 0; start < width * height; start++) {
    if (seen[start] || !isInside(start)) continue;
    const region = [start];
    let touchesBorder = false;
    seen[start] = 1;
    for (let next = 0; next < region.length; next++) {
      const pixel = region[next]!;
      const x = pixel % width;
      if (x === 0 || x === width - 1 || pixel < width || pixel >= width * (height - 1)) touchesBorder = true;
      const neighbours = [x > 0 ? pixel - 1 : -1, x < width - 1 ? pixel + 1 : -1, pixel - width, pixel + width];
      for (const neighbour of neighbours) {
        if (neighbour < 0 || neighbour >= width * height || seen[neighbour] || !isInside(neighbour)) continue;
        seen[neighbour] = 1;
        region.push(neighbour);
      }
    }
    visit(region, touchesBorder);
  }
}

/**
 * Restores the mask at the photo's border. Closing mistakes a strip of ground between a hem and the border for a hole.
 */
function keepBorder(mask: Uint8Array, found: Uint8Array, width: number, height: number): void {
  for (let pixel = 0; pixel < mask.length; pixel++) {
    if (fromBorder(pixel, width, height) < 5) mask[pixel] = found[pixel]!;
  }
}

function fromBorder(pixel: number, width: number, height: number): number {
  const x = pixel % width;
  const y = Math.floor(pixel / width);
  return Math.min(x, y, width - 1 - x, height - 1 - y);
}

/** Closes all holes. Whether one shows ground or a print of its colour is decided later on a finer picture. */
function closeHoles(mask: Uint8Array, width: number, height: number): void {
  forEachRegion(
    width,
    height,
    (pixel) => mask[pixel] === 0,
    (hole, touchesBorder) => {
      if (!touchesBorder) for (const pixel of hole) mask[pixel] = 255;
    },
  );
}

/** Drops pieces smaller than a twenty-fifth of the largest. */
function keepLargePieces(cv: typeof OpenCv, pieces: OpenCv.Mat): void {
  const labels = new cv.Mat();
  const stats = new cv.Mat();
  const centroids = new cv.Mat();
  const count = cv.connectedComponentsWithStats(pieces, labels, stats, centroids);
  const areas = Array.from({ length: count }, (_, label) =>
    label === 0 ? 0 : stats.data32S[label * stats.cols + cv.CC_STAT_AREA]!,
  );
  const largest = Math.max(...areas);
  const [mask, pieceOf] = [pieces.data, labels.data32S];
  for (let pixel = 0; pixel < mask.length; pixel++) {
    mask[pixel] = areas[pieceOf[pixel]!]! > largest * 0.04 ? 255 : 0;
  }
  for (const mat of [labels, stats, centroids]) mat.delete();
}

/** Mean distance from the ground, in levels, from which a subject never looks like ground near its rim. */
const CLEAR_CONTRAST = 45;
const MAX_TRIMMED_SHARE = 0.12;

/**
 * Removes ground that the closing added to the mask, for example between sleeve and waist or under a hem. Works from
 * the outside inwards.
 */
function trimGround(mask: Uint8Array, width: number, height: number, { distance, isGroundLike }: Deviation): void {
  let area = 0;
  let total = 0;
  for (let pixel = 0; pixel < mask.length; pixel++) {
    if (!mask[pixel]) continue;
    area++;
    total += distance[pixel]!;
  }
  if (total / Math.max(1, area) < CLEAR_CONTRAST) return;
  const reached = new Uint8Array(mask.length);
  const trimmed: number[] = [];
  const queue: number[] = [];
  for (let pixel = 0; pixel < mask.length; pixel++) {
    const isAtBorder =
      pixel % width === 0 || pixel % width === width - 1 || pixel < width || pixel >= mask.length - width;
    if (!mask[pixel]) queue.push(pixel);
    // Ground enclosed by limbs and the photo's border is reached from the border.
    else if (isAtBorder && isGroundLike[pixel]) {
      reached[pixel] = 1;
      trimmed.push(pixel);
      queue.push(pixel);
    }
  }
  while (queue.length > 0) {
    const pixel = queue.pop()!;
    const x = pixel % width;
    for (const neighbour of [x > 0 ? pixel - 1 : -1, x < width - 1 ? pixel + 1 : -1, pixel - width, pixel + width]) {
      if (neighbour < 0 || neighbour >= width * height || reached[neighbour] || !mask[neighbour]) continue;
      reached[neighbour] = 1;
      if (!isGroundLike[neighbour]) continue;
      trimmed.push(neighbour);
      queue.push(neighbour);
    }
  }
  if (trimmed.length < area * MAX_TRIMMED_SHARE) for (const pixel of trimmed) mask[pixel] = 0;
}
