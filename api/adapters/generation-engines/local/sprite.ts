import type { Matte } from '#api/imaging/pixel-image.ts';
import { boundsOf } from '#api/imaging/regions.ts';

/** A cut-out subject, cropped to its bounds: four bytes per pixel, alpha last, not premultiplied. */
export interface Sprite {
  width: number;
  height: number;
  data: Uint8Array;
  /** These sides have to be cut off in a new picture, too. */
  cut: CutSides;
}

/** Sides at which the photo's border cuts the subject off. */
export interface CutSides {
  left: boolean;
  top: boolean;
  right: boolean;
  bottom: boolean;
}

/** Alpha from which a pixel counts for the subject's bounds. */
const VISIBLE = 12;
/** Contact with a border of the photo that is shorter than this share of the side is a sleeve touching it. */
const GRAZE_SHARE = 0.03;
/** Width in pixels of the zone beside a cut that resampling has mixed with transparency. */
const TOUCH_PIXELS = 2;

/** Finds the sides at which the photo cuts the subject off: those that it touches along more than a sleeve would. */
export function findCutSides({ width, height, alpha }: Pick<Matte, 'width' | 'height' | 'alpha'>): CutSides {
  const isCut = (length: number, at: (i: number) => number) => {
    let count = 0;
    for (let i = 0; i < length; i++) if (alpha[at(i)]! > 127) count++;
    return count > length * GRAZE_SHARE;
  };
  return {
    left: isCut(height, (y) => y * width + TOUCH_PIXELS),
    right: isCut(height, (y) => y * width + width - 1 - TOUCH_PIXELS),
    top: isCut(width, (x) => TOUCH_PIXELS * width + x),
    bottom: isCut(width, (x) => (height - 1 - TOUCH_PIXELS) * width + x),
  };
}

/** The part of a matte that contains the subject, in pixels. Throws a RangeError when it is empty. */
export function boundsOfMatte({ width, height, alpha }: Pick<Matte, 'width' | 'height' | 'alpha'>) {
  const bounds = boundsOf(width, height, (pixel) => alpha[pixel]! >= VISIBLE);
  if (!bounds) throw new RangeError('the matte is empty');
  return bounds;
}

/** Extracts the subject from its matte. Throws a RangeError when it is empty. */
export function spriteOf({ width, height, alpha, foreground }: Matte): Sprite {
  const { left, top, right, bottom } = boundsOfMatte({ width, height, alpha });
  const size = { width: right - left, height: bottom - top };
  const data = new Uint8Array(size.width * size.height * 4);
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const from = (y + top) * width + x + left;
      const to = (y * size.width + x) * 4;
      data.set(foreground.subarray(from * 3, from * 3 + 3), to);
      data[to + 3] = alpha[from]!;
    }
  }
  return { ...size, data, cut: findCutSides({ width, height, alpha }) };
}

export function meanColour({ data }: Sprite): [number, number, number] {
  const sums = [0, 0, 0];
  let count = 0;
  for (let at = 0; at < data.length; at += 4 * 7) {
    if (data[at + 3]! < 250) continue;
    count++;
    for (let c = 0; c < 3; c++) sums[c]! += data[at + c]!;
  }
  const [red, green, blue] = sums.map((sum) => sum / Math.max(1, count));
  return [red!, green!, blue!];
}
