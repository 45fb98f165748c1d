import { drawWatermarkPixels } from './watermark-overlay.ts';

/** What the logos change in one plane of a frame, as runs of neighbouring samples. */
interface PlaneOverlay {
  rows: Uint16Array;
  columns: Uint16Array;
  /** Samples in each run. */
  lengths: Uint16Array;
  /** For each sample: what is kept of the picture in the upper 16 bits, what is added in the lower ones, in 256ths. */
  mixes: Uint32Array;
}

/** The logos for the planes Y, U and V of frames in 4:2:0. */
export type VideoOverlay = readonly [luma: PlaneOverlay, blue: PlaneOverlay, red: PlaneOverlay];

interface Drawing {
  width: number;
  height: number;
  /** How much of each sample the logos cover, from 0 to 1. */
  alpha: Float32Array;
  /** Their colour, times that. */
  colour: Float32Array;
}

/** The logos for frames of this size in pixels, in BT.709 with limited range. */
export async function drawVideoOverlay(width: number, height: number): Promise<VideoOverlay> {
  const pixels = await drawWatermarkPixels(width, height);
  const luma = beginPlane(width, height);
  const [blue, red] = [beginPlane(width >> 1, height >> 1), beginPlane(width >> 1, height >> 1)];
  for (let pixel = 0; pixel < width * height; pixel++) {
    const opacity = pixels[pixel * 4 + 3] ?? 0;
    if (opacity === 0) continue;
    const [r, g, b] = [pixels[pixel * 4] ?? 0, pixels[pixel * 4 + 1] ?? 0, pixels[pixel * 4 + 2] ?? 0];
    const alpha = opacity / 255;
    const brightness = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    add(luma, pixel, alpha, 16 + (brightness * 219) / 255);
    // Four pixels share one sample of colour.
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const at = (y >> 1) * (width >> 1) + (x >> 1);
    add(blue, at, alpha / 4, 128 + (((b - brightness) / 1.8556) * 224) / 255);
    add(red, at, alpha / 4, 128 + (((r - brightness) / 1.5748) * 224) / 255);
  }
  return [describePlane(luma), describePlane(blue), describePlane(red)];
}

function beginPlane(width: number, height: number): Drawing {
  return { width, height, alpha: new Float32Array(width * height), colour: new Float32Array(width * height) };
}

function add({ alpha, colour }: Drawing, at: number, share: number, value: number): void {
  alpha[at] = (alpha[at] ?? 0) + share;
  colour[at] = (colour[at] ?? 0) + share * value;
}

function describePlane({ width, height, alpha, colour }: Drawing): PlaneOverlay {
  const [rows, columns, lengths, mixes]: [number[], number[], number[], number[]] = [[], [], [], []];
  const coverOf = (at: number) => alpha[at] ?? 0;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const start = column;
      for (let at = row * width + column; column < width && coverOf(at) > 0; column++, at++) {
        // Half a step is added, so that the result is rounded.
        mixes.push(((Math.round(256 * (1 - coverOf(at))) << 16) | (Math.round(256 * (colour[at] ?? 0)) + 128)) >>> 0);
      }
      if (column === start) continue;
      rows.push(row);
      columns.push(start);
      lengths.push(column - start);
    }
  }
  return {
    rows: Uint16Array.from(rows),
    columns: Uint16Array.from(columns),
    lengths: Uint16Array.from(lengths),
    mixes: Uint32Array.from(mixes),
  };
}

/** Draws the logos into one plane. `stride`: bytes from one row to the next. Touches only what the logos cover. */
export function blendPlane(pixels: Uint8Array, stride: number, { rows, columns, lengths, mixes }: PlaneOverlay): void {
  let sample = 0;
  for (let run = 0; run < rows.length; run++) {
    const start = (rows[run] ?? 0) * stride + (columns[run] ?? 0);
    const end = start + (lengths[run] ?? 0);
    for (let at = start; at < end; at++, sample++) {
      const mix = mixes[sample] ?? 0;
      pixels[at] = ((pixels[at] ?? 0) * (mix >>> 16) + (mix & 0xffff)) >> 8;
    }
  }
}
