import { rm, writeFile } from 'node:fs/promises';
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
  const drawn = await sharp(await drawWatermarkPng(width, height))
    .raw()
    .toBuffer();
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
 * Repeats the logo on a slant. Every crop contains it, and the product can still be judged. Returns an RGBA PNG of the
 * given size in pixels.
 */
async function drawWatermarkPng(width: number, height: number): Promise<Buffer> {
  const cap = Math.min(width, height) * 0.03;
  const scale = cap / WORDMARK_CAP_HEIGHT;
  const mark = cap * 1.5;
  const logoWidth = mark * 1.12 + WORDMARK_WIDTH * scale;
  const tile = { width: logoWidth * 1.75, height: cap * 6.2 };
  const logo = (x: number, y: number) => `
    <g transform="translate(${x} ${y})">
      <g transform="translate(0 ${cap - mark * 0.94}) scale(${mark / 26})" class="line">${MARK}</g>
      <g transform="translate(${mark * 1.12} ${cap}) scale(${scale})"><path d="${WORDMARK_PATH}"/></g>
    </g>`;
  const layer = (fill: string, opacity: number, offset: number) => `
    <pattern id="p${offset}" width="${tile.width}" height="${tile.height}" patternUnits="userSpaceOnUse" patternTransform="rotate(${SLANT_DEGREES}) translate(${offset} ${offset})">
      <g fill="${fill}" stroke="none" fill-opacity="${opacity}" stroke-opacity="${opacity}">
        <g>${logo(tile.width * 0.04, tile.height * 0.12).replaceAll('class="line"', `stroke="${fill}"`)}
        ${logo(tile.width * 0.54 - tile.width, tile.height * 0.62).replaceAll('class="line"', `stroke="${fill}"`)}
        ${logo(tile.width * 0.54, tile.height * 0.62).replaceAll('class="line"', `stroke="${fill}"`)}</g>
      </g>
    </pattern>`;
  // A slightly shifted dark copy keeps the white one readable on white.
  const shadowOffset = Math.max(1, cap * 0.05);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs>${layer('#191715', 0.2, shadowOffset)}${layer('#ffffff', 0.42, 0)}</defs>
    <rect width="${width}" height="${height}" fill="url(#p${shadowOffset})"/><rect width="${width}" height="${height}" fill="url(#p0)"/>
  </svg>`;
  return sharp(Buffer.from(svg)).ensureAlpha().png().toBuffer();
}

/**
 * Provides the overlay as a file, because the `movie` source of a filter graph only reads files. It lies beside the
 * copy that is made, so that it goes with the copy's temporary folder when the process is killed.
 */
export async function withWatermarkFile<Result>(
  size: { width: number; height: number },
  outputPath: string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const path = `${outputPath}.overlay.png`;
  try {
    await writeFile(path, await drawWatermarkPng(size.width, size.height));
    return await use(path);
  } finally {
    await rm(path, { force: true });
  }
}
