import {
  boxBlur,
  decodePlane,
  type FrameSize,
  type Plane,
  resizePlane,
  vectorLength,
} from '#api/imaging/pixel-image.ts';
import { fillGaps } from '#api/imaging/push-pull.ts';
import { forEachRegion } from '#api/imaging/regions.ts';

/** Longest side of the copy in which shadows are looked for, in pixels. They are wide and smooth. */
const LOOKING_SIDE = 640;
/** Alpha from which a pixel belongs to the subject itself. No shadow is that dense. */
const SOLID = 230;
/** Width of the rim of the subject, in which its alpha and that of a shadow mix, in pixels of the copy. */
const RIM_PIXELS = 1;
/**
 * Steepest slope of a shadow, as a share of its densest place, per pixel. A thread, a hair or the seam of a veil is
 * steeper.
 */
const SOFT = 0.25;
/** Share of a region's pixels that must not be steeper. The others are noise. */
const SOFT_SHARE = 0.98;

/**
 * Reads the transparency that a product photo's file had, at the size of the photo. Takes out soft shadows and glows:
 * what is nowhere solid and fades out without an edge is no subject.
 */
export async function readGivenMask(file: Buffer, size: FrameSize): Promise<Plane<Uint8Array>> {
  const given = await decodePlane(file, size);
  const scale = Math.min(1, LOOKING_SIDE / Math.max(size.width, size.height));
  const small = await resizePlane(given, Math.round(size.width * scale), Math.round(size.height * scale));
  const shadow = findShadow(small);
  if (!shadow) return given;
  const [density, kept] = await Promise.all([
    resizePlane({ ...small, data: shadow.density }, size.width, size.height),
    resizePlane({ ...small, data: shadow.isOutside }, size.width, size.height),
  ]);
  // In the rim the file shows the subject over its shadow.
  const data = given.data.map((alpha, pixel) => {
    const below = density.data[pixel]!;
    const own = below < 255 ? (255 * Math.max(0, alpha - below)) / (255 - below) : 0;
    return (own * kept.data[pixel]!) / 255 + 0.5;
  });
  // Where most of the subject would go, it was no shadow but a translucent thing, such as glass or tulle.
  return countVisible(data) * 2 < countVisible(given.data) ? given : { ...size, data };
}

function countVisible(data: Uint8Array): number {
  return data.reduce((count, alpha) => (alpha > 127 ? count + 1 : count), 0);
}

/** The alpha of shadows, continued below the subject, and 255 for pixels outside them. Null when there are none. */
function findShadow({ width, height, data }: Plane<Uint8Array>) {
  const near = boxBlur({ width, height, data: data.map((alpha) => (alpha >= SOLID ? 1 : 0)) }, RIM_PIXELS).data;
  const isFaint = (pixel: number) => data[pixel]! > 0 && near[pixel] === 0;
  const isOutside = new Uint8Array(data.length).fill(255);
  let found = false;
  forEachRegion(width, height, isFaint, (region) => {
    const densest = region.reduce((most, pixel) => Math.max(most, data[pixel]!), 0);
    const slopes = region.map((pixel) => slopeAt(data, pixel, width)).sort((a, b) => a - b);
    if (slopes[Math.floor(slopes.length * SOFT_SHARE)]! > Math.max(1, densest * SOFT)) return;
    found = true;
    for (const pixel of region) isOutside[pixel] = 0;
  });
  if (!found) return null;
  const colours = new Float32Array(data.length * 3);
  const weights = new Float32Array(data.length);
  for (let pixel = 0; pixel < data.length; pixel++) {
    if (near[pixel] !== 0) continue;
    weights[pixel] = 1;
    if (isOutside[pixel] === 0) colours.fill(data[pixel]!, pixel * 3, pixel * 3 + 3);
  }
  fillGaps({ width, height, colours, weights });
  return { density: Uint8Array.from(data, (_, pixel) => colours[pixel * 3]!), isOutside };
}

/** Difference between neighbours, in levels per pixel. The picture ends without an edge. */
function slopeAt(data: Uint8Array, pixel: number, width: number): number {
  const here = data[pixel]!;
  const x = pixel % width;
  const across = (data[x < width - 1 ? pixel + 1 : pixel] ?? here) - (data[x > 0 ? pixel - 1 : pixel] ?? here);
  const down = (data[pixel + width] ?? here) - (data[pixel - width] ?? here);
  return vectorLength(across, down) / 2;
}
