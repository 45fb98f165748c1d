import { deltaE2000, type Lab, labOf, linearOf } from './colour.ts';

/** The colours of a garment, and which one a pixel has. */
export interface Palette {
  colours: Lab[];
  shares: number[];
  /** Index of the colour of every pixel. -1 outside the garment. */
  nearest: Int8Array;
}

const MOST_COLOURS = 6;
/** Colours closer than this are one colour in another light. In Lab with half the lightness. */
const APART = 14;
/** A colour of fewer pixels is a seam or noise. */
const LEAST_SHARE = 0.004;
const ROUNDS = 6;

interface Bin {
  colour: Lab;
  count: number;
}

/** Finds the main colours of the pixels inside by k-means from the most distant ones. `lab`: three floats a pixel. */
export function findPalette(lab: Float32Array, inside: Uint8Array): Palette {
  const bins = countColours(lab, inside);
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  let colours = chooseDistant(bins, total);
  for (let round = 0; round < ROUNDS; round++) {
    const groups = colours.map((): Bin[] => []);
    for (const bin of bins) groups[nearestOf(colours, bin.colour)]!.push(bin);
    colours = groups.map((group, index) => (group.length ? meanOf(group) : colours[index]!));
  }
  const nearest = new Int8Array(inside.length).fill(-1);
  const counts = colours.map(() => 0);
  for (let pixel = 0; pixel < inside.length; pixel++) {
    if (!inside[pixel]) continue;
    const index = nearestOf(colours, labAt(lab, pixel));
    nearest[pixel] = index;
    counts[index]!++;
  }
  return { colours, shares: counts.map((count) => count / Math.max(1, total)), nearest };
}

function labAt(lab: Float32Array, pixel: number): Lab {
  return [lab[pixel * 3]!, lab[pixel * 3 + 1]!, lab[pixel * 3 + 2]!];
}

/** Mean colours of cells of 10 levels of lightness and 8 of a and b. */
function countColours(lab: Float32Array, inside: Uint8Array): Bin[] {
  const cells = new Map<number, { count: number; sums: [number, number, number] }>();
  for (let pixel = 0; pixel < inside.length; pixel++) {
    if (!inside[pixel]) continue;
    const [lightness, a, b] = labAt(lab, pixel);
    const key = Math.floor(lightness / 10) * 10_000 + Math.floor((a + 128) / 8) * 100 + Math.floor((b + 128) / 8);
    const cell = cells.get(key) ?? { count: 0, sums: [0, 0, 0] };
    cell.count++;
    cell.sums[0] += lightness;
    cell.sums[1] += a;
    cell.sums[2] += b;
    cells.set(key, cell);
  }
  return [...cells.values()].map(({ count, sums: [lightness, a, b] }) => ({
    colour: [lightness / count, a / count, b / count],
    count,
  }));
}

function distanceOf([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
  return Math.hypot((l1 - l2) / 2, a1 - a2, b1 - b2);
}

function chooseDistant(bins: Bin[], total: number): Lab[] {
  const large = bins.filter(({ count }) => count > total * LEAST_SHARE).sort((one, other) => other.count - one.count);
  const chosen = large.slice(0, 1).map(({ colour }) => colour);
  while (chosen.length > 0 && chosen.length < MOST_COLOURS) {
    const candidates = large.map(({ colour, count }) => {
      const distance = Math.min(...chosen.map((other) => distanceOf(other, colour)));
      return { colour, worth: distance > APART ? distance * count ** 0.25 : 0 };
    });
    const best = candidates.reduce((one, other) => (other.worth > one.worth ? other : one));
    if (best.worth === 0) break;
    chosen.push(best.colour);
  }
  return chosen;
}

function nearestOf(colours: Lab[], colour: Lab): number {
  let [best, distance] = [0, Number.POSITIVE_INFINITY];
  for (let index = 0; index < colours.length; index++) {
    const next = distanceOf(colours[index]!, colour);
    if (next < distance) [best, distance] = [index, next];
  }
  return best;
}

function meanOf(group: Bin[]): Lab {
  const total = group.reduce((sum, { count }) => sum + count, 0);
  const mean = (axis: 0 | 1 | 2) => group.reduce((sum, { colour, count }) => sum + colour[axis] * count, 0) / total;
  return [mean(0), mean(1), mean(2)];
}

export interface ColourPair {
  source: Lab;
  result: Lab;
  /** Its share of the garment. */
  share: number;
}

/** Pixels around a place that must have its colour too. Near an edge colours mix, and the alignment is not exact. */
const MARGIN = 3;
/** Fewer pixels give no reliable median. */
const LEAST_PIXELS = 60;

/**
 * What became of each colour of the palette, where the aligned result shows it: medians at the same places.
 * `result`: Lab of the result in the frame of the source. `isCompared`: 1 where both show the garment.
 */
export function pairAligned(
  palette: Palette,
  source: Float32Array,
  result: Float32Array,
  isCompared: Uint8Array,
  width: number,
): ColourPair[] {
  const { nearest } = palette;
  const places = palette.colours.map((): number[] => []);
  for (let pixel = 0; pixel < nearest.length; pixel++) {
    const index = nearest[pixel]!;
    if (index < 0 || !isCompared[pixel]) continue;
    const around = [pixel - MARGIN, pixel + MARGIN, pixel - MARGIN * width, pixel + MARGIN * width];
    if (around.every((other) => nearest[other] === index)) places[index]!.push(pixel);
  }
  return places.flatMap((pixels, index) => {
    if (pixels.length < LEAST_PIXELS) return [];
    return [{ source: medianOf(source, pixels), result: medianOf(result, pixels), share: palette.shares[index]! }];
  });
}

function medianOf(lab: Float32Array, pixels: number[]): Lab {
  const median = (axis: number) => {
    // Filled in a loop, which takes a fraction of the time of `from`.
    const values = new Float32Array(pixels.length);
    for (let at = 0; at < pixels.length; at++) values[at] = lab[pixels[at]! * 3 + axis]!;
    return values.sort()[pixels.length >> 1]!;
  };
  return [median(0), median(1), median(2)];
}

/** Exposure of the whole result, and of one colour beyond it, because shadows fall on parts. In linear light. */
const EXPOSURE = { least: 0.5, most: 2, ofOne: 1.35 };
const DARK = 0.01;

function luminanceOf([lightness]: Lab): number {
  return ((lightness + 16) / 116) ** 3;
}

function expose(colour: Lab, factor: number): Lab {
  const [red, green, blue] = linearOf(colour).map((value) => Math.max(0, value * factor)) as [number, number, number];
  return labOf([red, green, blue]);
}

export interface ColourComparison {
  /** Mean ΔE2000, weighted by the shares. */
  mean: number;
  /** Of the colour that differs most among those that are not tiny. */
  largest: number;
}

/** A smaller colour does not count for the largest difference. Of its few pixels, many show an edge or a fold. */
const NOT_TINY = 0.08;

/** Differences that another exposure does not explain. Null without colours. */
export function compareColours(pairs: ColourPair[]): ColourComparison | null {
  const total = pairs.reduce((sum, { share }) => sum + share, 0);
  if (total === 0) return null;
  const ratioOf = ({ source, result }: ColourPair) => (luminanceOf(source) + DARK) / (luminanceOf(result) + DARK);
  const logarithm = pairs.reduce((sum, pair) => sum + pair.share * Math.log(ratioOf(pair)), 0) / total;
  const exposure = clamp(Math.exp(logarithm), EXPOSURE.least, EXPOSURE.most);
  const differences = pairs.map((pair) => {
    const own = clamp(ratioOf(pair), exposure / EXPOSURE.ofOne, exposure * EXPOSURE.ofOne);
    return deltaE2000(pair.source, expose(pair.result, own));
  });
  return {
    mean: differences.reduce((sum, difference, index) => sum + difference * pairs[index]!.share, 0) / total,
    largest: Math.max(...differences.map((difference, index) => (pairs[index]!.share > NOT_TINY ? difference : 0))),
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
