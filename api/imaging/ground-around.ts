import { boxBlur, type RgbImage } from './pixel-image.ts';
import { fillGaps } from './push-pull.ts';

/** Distance from the ground, in levels of the furthest channel, from which a pixel is clearly cloth or skin. */
export const CLEARLY_OTHER = 30;
/** Horizontal, vertical and both diagonals. */
export const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const;

/** How the pixels of a mask differ from the ground around them. 0 outside the mask. */
export interface GroundView {
  /** Distance from the colour of the surrounding ground, in levels of the furthest channel. */
  distance: Float32Array;
  /** Brightness relative to the ground's, and the remaining difference in levels. */
  shade: Float32Array;
  chroma: Float32Array;
}

/** A mask to which soft shadows (255) are added. The ground is compared with without them. */
export function coverShadow(mask: Uint8Array, shadow: Uint8Array | null): Uint8Array {
  return shadow ? mask.map((value, pixel) => value | shadow[pixel]!) : mask;
}

/**
 * Compares the mask with the ground's colour, interpolated from the visible ground. Half the size is enough, because it
 * is smooth.
 */
export function compareWithGroundAround(
  mask: Uint8Array,
  { width, height, data }: RgbImage,
  shadow: Uint8Array | null,
): GroundView {
  const near = boxBlur({ width, height, data: coverShadow(mask, shadow) }, 2).data;
  const half = { width: (width + 1) >> 1, height: (height + 1) >> 1 };
  const colours = new Float32Array(half.width * half.height * 3);
  const weights = new Float32Array(half.width * half.height);
  for (let y = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++) {
      const from = y * 2 * width + x * 2;
      const to = y * half.width + x;
      weights[to] = near[from] === 0 ? 1 : 0;
      for (let c = 0; c < 3; c++) colours[to * 3 + c] = data[from * 3 + c]!;
    }
  }
  fillGaps({ ...half, colours, weights });
  const distance = new Float32Array(width * height);
  const shade = new Float32Array(width * height);
  const chroma = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x;
      if (!mask[pixel]) continue;
      const at = pixel * 3;
      const ground = ((y >> 1) * half.width + (x >> 1)) * 3;
      let furthest = 0;
      for (let c = 0; c < 3; c++) furthest = Math.max(furthest, Math.abs(data[at + c]! - colours[ground + c]!));
      const luma = data[at]! + data[at + 1]! + data[at + 2]!;
      const share = luma / Math.max(1, colours[ground]! + colours[ground + 1]! + colours[ground + 2]!);
      let off = 0;
      for (let c = 0; c < 3; c++) off = Math.max(off, Math.abs(data[at + c]! - colours[ground + c]! * share));
      distance[pixel] = furthest;
      shade[pixel] = share;
      chroma[pixel] = off;
    }
  }
  return { distance, shade, chroma };
}
