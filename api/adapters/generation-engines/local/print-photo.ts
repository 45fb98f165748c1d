import type { RgbImage } from './pixel-image.ts';
import type { Sprite } from './sprite.ts';

/** Width of the paper left blank around the picture, as a share of the print's width. */
const MARGIN_SHARE = 0.025;
const PAPER = 250;

/** A photo as a print: a sprite of the photo's size, with a blank margin of paper laid over its rim. */
export function printPhoto({ width, height, data }: RgbImage): Sprite {
  const margin = Math.round(width * MARGIN_SHARE);
  const print = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isPaper = Math.min(x, y, width - 1 - x, height - 1 - y) < margin;
      const at = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) print[(y * width + x) * 4 + c] = isPaper ? PAPER : data[at + c]!;
    }
  }
  return { width, height, data: print, cut: { left: false, top: false, right: false, bottom: false } };
}
