import type { RgbImage } from '#api/imaging/pixel-image.ts';

/**
 * A picture as the kernel reads it: planes of luma - 16, U and V (BT.709, limited range), one byte per pixel. A subject
 * also has alpha, and its other planes are premultiplied by it. Each plane continues its border pixels on all sides.
 */
export interface Layer {
  width: number;
  height: number;
  data: Uint8Array<ArrayBuffer>;
}

/** Pixels by which a plane continues its border, as in the kernel. */
const BORDER_X = 32;
const BORDER_Y = 3;

/** Difference in luma between white and black, as stored in layers. */
export const WHITE = 219;

export function packLayer({ width, height, data }: RgbImage, alpha?: Uint8Array): Layer {
  const stride = width + 2 * BORDER_X;
  const planeBytes = stride * (height + 2 * BORDER_Y);
  const packed = new Uint8Array(planeBytes * (alpha ? 4 : 3));
  for (let y = 0; y < height; y++) {
    const from = y * width;
    packRow(data, alpha, { from, to: from + width }, packed, (y + BORDER_Y) * stride + BORDER_X);
  }
  for (let start = 0; start < packed.length; start += planeBytes) {
    const plane = packed.subarray(start, start + planeBytes);
    const isChroma = start === planeBytes || start === 2 * planeBytes;
    continueBorders(plane, width, height);
    if (isChroma) averageForward(plane, stride);
  }
  return { width, height, data: packed };
}

/** Packs some neighbouring pixels. `target`: where the luma of the first goes. */
function packRow(
  colours: Uint8Array,
  alpha: Uint8Array | undefined,
  { from, to }: { from: number; to: number },
  packed: Uint8Array,
  target: number,
): void {
  const planeBytes = packed.length / (alpha ? 4 : 3);
  for (let pixel = from; pixel < to; pixel++) {
    const share = alpha ? alpha[pixel]! / 255 : 1;
    if (share === 0) continue;
    const red = colours[pixel * 3]!;
    const green = colours[pixel * 3 + 1]!;
    const blue = colours[pixel * 3 + 2]!;
    const at = target + pixel - from;
    packed[at] = (0.18259 * red + 0.61423 * green + 0.06201 * blue) * share + 0.5;
    packed[at + planeBytes] = (128 - 0.10064 * red - 0.33857 * green + 0.43922 * blue) * share + 0.5;
    packed[at + 2 * planeBytes] = (128 + 0.43922 * red - 0.39894 * green - 0.04027 * blue) * share + 0.5;
    if (alpha) packed[at + 3 * planeBytes] = alpha[pixel]!;
  }
}

function continueBorders(plane: Uint8Array, width: number, height: number): void {
  const stride = width + 2 * BORDER_X;
  for (let y = BORDER_Y; y < height + BORDER_Y; y++) {
    const row = y * stride;
    plane.fill(plane[row + BORDER_X]!, row, row + BORDER_X);
    plane.fill(plane[row + BORDER_X + width - 1]!, row + BORDER_X + width, row + stride);
  }
  for (let y = 0; y < BORDER_Y; y++) {
    plane.copyWithin(y * stride, BORDER_Y * stride, (BORDER_Y + 1) * stride);
    const last = BORDER_Y + height - 1;
    plane.copyWithin((last + 1 + y) * stride, last * stride, (last + 1) * stride);
  }
}

/**
 * Replaces every pixel by the mean of itself and its neighbours to the right, below and between, because a frame has
 * one chroma for four pixels.
 */
function averageForward(plane: Uint8Array, stride: number): void {
  for (let at = 0; at < plane.length - stride - 1; at++) {
    plane[at] = (plane[at]! + plane[at + 1]! + plane[at + stride]! + plane[at + stride + 1]! + 2) >> 2;
  }
}
