import { rm } from 'node:fs/promises';
import sharp from 'sharp';
import { WORDMARK_CAP_HEIGHT, WORDMARK_PATH, WORDMARK_WIDTH } from './wordmark-path.ts';

/** The service's mark on a 26-unit square: a doorway shaped like П with a runway coming out of it. */
const MARK =
  '<path d="M4 23 8 4h10l4 19" fill="none" stroke-width="2.4"/><path d="M13 8v16" stroke-width="2.4" stroke-dasharray="5 2.4"/>';
const SLANT_DEGREES = -28;

/** The pixels covered by logos, about an eighth of all. Blending only those takes a millisecond or two. */
export interface WatermarkOverlay {
  /** Byte offset of each pixel in an RGB picture. */
  offsets: Uint32Array;
  /** Red, green, blue and alpha of each pixel. */
  colours: Uint8Array;
}

/** The logos for a picture of this size in pixels, ready for blending. */
export async function drawWatermarkOverlay(width: number, height: number): Promise<WatermarkOverlay> {
  const drawn = await drawWatermarkPixels(width, height);
  let count = 0;
  for (let at = 3; at < drawn.length; at += 4) if (drawn[at] !== 0) count++;
  const overlay = { offsets: new Uint32Array(count), colours: new Uint8Array(count * 4) };
  let index = 0;
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (drawn[pixel * 4 + 3] === 0) continue;
    overlay.offsets[index] = pixel * 3;
    overlay.colours.set(drawn.subarray(pixel * 4, pixel * 4 + 4), index * 4);
    index++;
  }
  return overlay;
}

/**
 * Repeats the logo on a slant. Every crop contains it, and the product can still be judged. Returns the RGBA of each
 * pixel of a picture of this size.
 */
export function drawWatermarkPixels(width: number, height: number): Promise<Buffer> {
  const cap = Math.min(width, height) * 0.03;
  const scale = cap / WORDMARK_CAP_HEIGHT;
  const mark = cap * 1.5;
  const logoWidth = mark * 1.12 + WORDMARK_WIDTH * scale;
  const tile = { width: logoWidth * 1.75, height: cap * 6.2 };
  const logo = `
    <g id="logo">
      <g transform="translate(0 ${cap - mark * 0.94}) scale(${mark / 26})" stroke="currentColor">${MARK}</g>
      <g transform="translate(${mark * 1.12} ${cap}) scale(${scale})"><path d="${WORDMARK_PATH}"/></g>
    </g>`;
  const places = listPlaces({ width, height }, tile).map(({ x, y }) => `<use href="#logo" x="${x}" y="${y}"/>`);
  const layer = (colour: string, opacity: number, offset: number) => `
    <g transform="rotate(${SLANT_DEGREES}) translate(${offset} ${offset})" color="${colour}" fill="${colour}"
      fill-opacity="${opacity}" stroke-opacity="${opacity}">${places.join('')}</g>`;
  // A slightly shifted dark copy keeps the white one readable on white.
  const shadowOffset = Math.max(1, cap * 0.05);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs>${logo}</defs>${layer('#191715', 0.2, shadowOffset)}${layer('#ffffff', 0.42, 0)}
  </svg>`;
  return sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer();
}

interface Size {
  width: number;
  height: number;
}

/**
 * Where logos stand before they are slanted, so that they fill the picture: two in each tile. An SVG pattern would draw
 * the same in ten times as long.
 */
function listPlaces(picture: Size, tile: Size): { x: number; y: number }[] {
  const slant = (SLANT_DEGREES * Math.PI) / 180;
  const corners = [0, picture.width].flatMap((x) => [0, picture.height].map((y) => ({ x, y })));
  const across = corners.map(({ x, y }) => (x * Math.cos(slant) + y * Math.sin(slant)) / tile.width);
  const down = corners.map(({ x, y }) => (y * Math.cos(slant) - x * Math.sin(slant)) / tile.height);
  const places: { x: number; y: number }[] = [];
  for (let column = Math.floor(Math.min(...across)) - 1; column <= Math.max(...across); column++) {
    for (let row = Math.floor(Math.min(...down)) - 1; row <= Math.max(...down); row++) {
      places.push({ x: (column + 0.04) * tile.width, y: (row + 0.12) * tile.height });
      places.push({ x: (column + 0.54) * tile.width, y: (row + 0.62) * tile.height });
    }
  }
  return places;
}

/**
 * Provides the overlay as a file, because the `movie` source of a filter graph only reads files. It lies beside the
 * copy that is made, so that it goes with the copy's temporary folder when the process is killed.
 */
export async function withWatermarkFile<Result>(
  size: Size,
  outputPath: string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const path = `${outputPath}.overlay.png`;
  try {
    const pixels = await drawWatermarkPixels(size.width, size.height);
    await sharp(pixels, { raw: { width: size.width, height: size.height, channels: 4 } })
      .png()
      .toFile(path);
    return await use(path);
  } finally {
    await rm(path, { force: true });
  }
}
