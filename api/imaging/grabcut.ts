import { ColourMixture } from './colour-mixture.ts';
import type { Deviation } from './deviation.ts';
import { MinimumCut } from './minimum-cut.ts';
import { boxBlur, type RgbImage } from './pixel-image.ts';
import { forEachRegion, hasNeighbour, isAtBorder, keepLargePieces, spread } from './regions.ts';

const MOST_ROUNDS = 10;
/** Share of the doubtful pixels that may still change sides in the last round. */
const SETTLED_SHARE = 0.002;
/** Weight of an edge between two pixels of the same colour. */
const GAMMA = 50;
/** Every so many pixels that are already decided teach the mixtures. Their colours hardly vary. */
const SAMPLING = 3;

/** What a pixel is: 0 for certain ground, certain subject, or what the cut says. Odd for subject. */
const SUBJECT = 1;
const PROBABLY_GROUND = 2;
const PROBABLY_SUBJECT = 3;

/** Half the widths of the rows of a circle. */
const CIRCLE = [0, 2, 3, 3, 3, 2, 0];
const CROSS = [0, 1, 0];

/**
 * Separates the subject from a plain ground with GrabCut (Rother et al., SIGGRAPH 2004). The deviation says which
 * pixels certainly belong to either. `flooded` pixels (1) are always ground. Returns one byte per pixel, 255 for
 * subject. Holes are closed.
 */
export function grabCut({ width, height, data }: RgbImage, deviation: Deviation, flooded: Uint8Array): Uint8Array {
  const { distance, threshold } = deviation;
  const pixels = width * height;
  const labels = new Uint8Array(pixels);
  // Pixels that the flood did not reach are probably subject, except in the strip along the border that it never
  // enters.
  const nearGround = boxBlur({ width, height, data: flooded }, 3).data;
  let seeds = 0;
  for (let pixel = 0; pixel < pixels; pixel++) {
    const levels = distance[pixel]!;
    if (levels > threshold) seeds++;
    if (flooded[pixel]) continue;
    if (levels > threshold * 1.5) labels[pixel] = SUBJECT;
    else if (levels > threshold * 0.4 || (nearGround[pixel]! === 0 && fromBorder(pixel, width, height) > 5))
      labels[pixel] = PROBABLY_SUBJECT;
  }
  if (seeds > 50 && seeds < pixels * 0.97) cutDoubtful({ width, height, data }, labels);
  const found = labels.map((label) => (label & 1 ? 255 : 0));
  const mask = erode(dilate(found, width, CIRCLE), width, CIRCLE);
  keepBorder(mask, found, width, height);
  closeHoles(mask, width, height);
  trimGround(mask, width, height, deviation);
  for (let pixel = 0; pixel < pixels; pixel++) if (flooded[pixel]) mask[pixel] = 0;
  openMask(mask, width);
  keepLargePieces(mask, width, height, PIECE_SHARE);
  return mask;
}

/** Removes threads and specks. */
export function openMask(mask: Uint8Array, width: number): void {
  mask.set(dilate(erode(mask, width, CROSS), width, CROSS));
}

/**
 * Decides the doubtful pixels, in rounds: the sides of a cut teach the mixtures for the next. Most photos settle after
 * three; shadows on a floor may take nine.
 */
function cutDoubtful(image: RgbImage, labels: Uint8Array): void {
  const { data } = image;
  const doubtful = listPixels(labels, (label) => label > SUBJECT, 1);
  if (doubtful.length === 0) return;
  const subjectPixels = () => listPixels(labels, (label) => (label & 1) === 1, SAMPLING);
  const groundPixels = () => listPixels(labels, (label) => (label & 1) === 0, SAMPLING);
  const subject = new ColourMixture(data, subjectPixels());
  const ground = new ColourMixture(data, groundPixels());
  const falloff = measureFalloff(image);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    subject.learn(data, subjectPixels());
    ground.learn(data, groundPixels());
    const changed = cutOnce(image, labels, doubtful, falloff, (red, green, blue) => {
      return ground.costOf(red, green, blue) - subject.costOf(red, green, blue);
    });
    if (changed <= doubtful.length * SETTLED_SHARE) break;
  }
}

function listPixels(labels: Uint8Array, isListed: (label: number) => boolean, step: number): Int32Array {
  const pixels: number[] = [];
  for (let pixel = 0; pixel < labels.length; pixel += step) if (isListed(labels[pixel]!)) pixels.push(pixel);
  return Int32Array.from(pixels);
}

/** How fast the weight of an edge falls with the squared difference of its pixels' colours. */
function measureFalloff({ width, height, data }: RgbImage): number {
  let squares = 0;
  let pairs = 0;
  for (let y = 1; y < height; y++) {
    for (let x = 1; x < width; x++) {
      const pixel = y * width + x;
      squares += squaredDifference(data, pixel, pixel - 1) + squaredDifference(data, pixel, pixel - width);
      pairs += 2;
    }
  }
  return squares > 0 ? pairs / (2 * squares) : 0;
}

function squaredDifference(data: Uint8Array, one: number, other: number): number {
  const red = data[one * 3]! - data[other * 3]!;
  const green = data[one * 3 + 1]! - data[other * 3 + 1]!;
  const blue = data[one * 3 + 2]! - data[other * 3 + 2]!;
  return red * red + green * green + blue * blue;
}

/** Returns how many pixels changed sides. `leanOf`: how much more likely a colour is in the subject than in the ground. */
function cutOnce(
  { width, height, data }: RgbImage,
  labels: Uint8Array,
  doubtful: Int32Array,
  falloff: number,
  leanOf: (red: number, green: number, blue: number) => number,
): number {
  const nodeOf = new Int32Array(width * height).fill(-1);
  for (let node = 0; node < doubtful.length; node++) nodeOf[doubtful[node]!] = node;
  const cut = new MinimumCut(doubtful.length, doubtful.length * 4);
  for (let node = 0; node < doubtful.length; node++) {
    const pixel = doubtful[node]!;
    cut.addTerminal(node, leanOf(data[pixel * 3]!, data[pixel * 3 + 1]!, data[pixel * 3 + 2]!));
    const x = pixel % width;
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const beside = pixel + dy * width + dx;
        if (beside === pixel || x + dx < 0 || x + dx >= width || beside < 0 || beside >= labels.length) continue;
        const other = nodeOf[beside]!;
        // Both ends of an edge between doubtful pixels come here. The one with the lower number adds it.
        if (other >= 0 && other < node) continue;
        const nearness = dx !== 0 && dy !== 0 ? Math.SQRT1_2 : 1;
        const weight = GAMMA * nearness * Math.exp(-falloff * squaredDifference(data, pixel, beside));
        if (other >= 0) cut.addEdge(node, other, weight);
        else cut.addTerminal(node, labels[beside] === SUBJECT ? weight : -weight);
      }
    }
  }
  const isSubject = cut.solve();
  let changed = 0;
  for (let node = 0; node < doubtful.length; node++) {
    const label = isSubject(node) ? PROBABLY_SUBJECT : PROBABLY_GROUND;
    if (labels[doubtful[node]!] !== label) changed++;
    labels[doubtful[node]!] = label;
  }
  return changed;
}

/** Enlarges a mask by a shape: half the widths of its rows. */
function dilate(mask: Uint8Array, width: number, shape: readonly number[]): Uint8Array {
  return stamp(mask, width, shape, 255);
}

/** Shrinks a mask by a shape. What lies beyond the picture takes nothing. */
function erode(mask: Uint8Array, width: number, shape: readonly number[]): Uint8Array {
  return stamp(mask, width, shape, 0);
}

/** Sets everything around the pixels of a value to that value. */
function stamp(mask: Uint8Array, width: number, shape: readonly number[], value: number): Uint8Array {
  const out = mask.slice();
  const middle = (shape.length - 1) / 2;
  for (let pixel = 0; pixel < mask.length; pixel++) {
    if (mask[pixel] !== value) continue;
    const x = pixel % width;
    const isInner =
      (x === 0 || mask[pixel - 1] === value) &&
      (x === width - 1 || mask[pixel + 1] === value) &&
      (pixel < width || mask[pixel - width] === value) &&
      (pixel >= mask.length - width || mask[pixel + width] === value);
    if (isInner) continue;
    for (let row = 0; row < shape.length; row++) {
      const start = pixel + (row - middle) * width;
      if (start - x < 0 || start - x >= mask.length) continue;
      out.fill(value, start - Math.min(x, shape[row]!), start + Math.min(width - 1 - x, shape[row]!) + 1);
    }
  }
  return out;
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
    (hole) => {
      if (hole.some((pixel) => isAtBorder(pixel, width, height))) return;
      for (const pixel of hole) mask[pixel] = 255;
    },
  );
}

/** What is smaller beside the subject is noise. */
const PIECE_SHARE = 0.04;

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
  // Ground enclosed by limbs and the photo's border is reached from the border.
  const isRim = (pixel: number) =>
    isAtBorder(pixel, width, height) || hasNeighbour(pixel, width, height, (beside) => mask[beside] === 0);
  const trimmed = spread(width, height, isRim, (pixel) => mask[pixel] !== 0 && isGroundLike[pixel] !== 0);
  if (trimmed.length < area * MAX_TRIMMED_SHARE) for (const pixel of trimmed) mask[pixel] = 0;
}
