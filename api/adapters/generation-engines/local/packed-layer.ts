import type { RgbImage } from './pixel-image.ts';

/** Four bytes a pixel as the kernel reads them: luma - 16, U, V (BT.709, limited range), alpha; premultiplied. */
export interface PackedLayer {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Without alpha the layer is opaque and its fourth byte stays zero: the kernel does not read a ground's alpha. */
export function packLayer({ width, height, data }: RgbImage, alpha?: Uint8Array): PackedLayer {
  const packed = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const share = alpha ? alpha[pixel]! / 255 : 1;
    if (share === 0) continue;
    const at = pixel * 3;
    const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
    const to = pixel * 4;
    packed[to] = (0.18259 * red + 0.61423 * green + 0.06201 * blue) * share + 0.5;
    packed[to + 1] = (128 - 0.10064 * red - 0.33857 * green + 0.43922 * blue) * share + 0.5;
    packed[to + 2] = (128 + 0.43922 * red - 0.39894 * green - 0.04027 * blue) * share + 0.5;
    packed[to + 3] = alpha ? alpha[pixel]! : 0;
  }
  return { width, height, data: packed };
}
