import { boxBlur, type Plane, type RgbImage, resizePlane, resizeRgb } from './pixel-image.ts';
import { fillGaps } from './push-pull.ts';

/** A subject parted from its ground so exactly that laying one over the other gives the photo back. */
export interface Matte {
  width: number;
  height: number;
  /** 0 to 255. */
  alpha: Uint8Array;
  /** Colours of the subject without the ground's share, three bytes a pixel; meaningless where alpha is 0. */
  foreground: Uint8Array;
  /** The photo with the subject filled in by the surrounding ground. */
  ground: Uint8Array;
}

/** Half-width of the band along the outline in which alpha is solved, as a share of the longer side. */
const BAND_SHARE = 1 / 130;
/** Filling works at half size: its result is smooth, and a quarter of the pixels is a quarter of the time. */
const FILL_SCALE = 2;
/** Below this distance between subject and ground colours (levels) alpha cannot be solved and follows the mask. */
const MIN_CONTRAST = 12;

/**
 * Refines a rough mask to an alpha matte by known-background matting: beside the outline both colours are known
 * from their surroundings, and a pixel's alpha is how far it lies from the one to the other.
 */
export async function matteSubject(photo: RgbImage, mask: Plane<Uint8Array>): Promise<Matte> {
  const { width, height, data } = photo;
  const radius = Math.max(3, Math.round(Math.max(width, height) * BAND_SHARE));
  const soft = (await resizePlane(mask, width, height, 1)).data;
  const blurred = boxBlur({ width, height, data: soft }, radius).data;
  const small = await resizeRgb(photo, Math.ceil(width / FILL_SCALE), Math.ceil(height / FILL_SCALE));
  const inside = fillFrom(small, blurred, width, height, (share) => share > 237);
  const outside = fillFrom(small, blurred, width, height, (share) => share < 1.5);

  const alpha = new Uint8Array(width * height);
  const foreground = new Uint8Array(data);
  const ground = new Uint8Array(data);
  const subjectColour = new Float32Array(3);
  const groundColour = new Float32Array(3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x;
      const share = blurred[pixel]!;
      if (share < 1.5) continue;
      const at = pixel * 3;
      sampleColour(outside, x / FILL_SCALE - 0.25, y / FILL_SCALE - 0.25, groundColour);
      if (share > 252) alpha[pixel] = 255;
      else {
        sampleColour(inside, x / FILL_SCALE - 0.25, y / FILL_SCALE - 0.25, subjectColour);
        alpha[pixel] = Math.round(
          255 * solveAlpha(data, at, subjectColour, groundColour, soft[pixel]! / 255, share / 255),
        );
        unmix(data, at, alpha[pixel]! / 255, subjectColour, groundColour, foreground);
      }
      for (let c = 0; c < 3; c++) ground[at + c] = groundColour[c]! + 0.5;
    }
  }
  keepUntouchedGround(ground, data, alpha, width, height);
  return { width, height, alpha, foreground, ground };
}

function solveAlpha(
  data: Uint8Array,
  at: number,
  subject: Float32Array,
  ground: Float32Array,
  maskShare: number,
  nearness: number,
): number {
  let along = 0;
  let length = 0;
  for (let c = 0; c < 3; c++) {
    const span = subject[c]! - ground[c]!;
    along += (data[at + c]! - ground[c]!) * span;
    length += span * span;
  }
  const solved = Math.min(1, Math.max(0, (along / (length + 1) - 0.06) / 0.86));
  // Dark trims on pale cloth and the like: far from the mask's middle the mask decides, close to the outline the colour.
  const trust = Math.min(1, Math.max(0, (Math.sqrt(length) - MIN_CONTRAST) / 22));
  const inward = Math.min(1, Math.max(0, (nearness - 0.72) / 0.2));
  const outward = Math.min(1, Math.max(0, (0.22 - nearness) / 0.16));
  const guided = Math.max(inward, solved) * (1 - outward * (1 - maskShare));
  return guided * trust + maskShare * (1 - trust);
}

/** Takes the ground's share out of a mixed pixel, leaning on the filled-in colour where little of the subject is left. */
function unmix(
  data: Uint8Array,
  at: number,
  alpha: number,
  subject: Float32Array,
  ground: Float32Array,
  out: Uint8Array,
): void {
  if (alpha <= 0 || alpha >= 1) return;
  for (let c = 0; c < 3; c++) {
    const exact = (data[at + c]! - (1 - alpha) * ground[c]!) / alpha;
    const leaning = subject[c]! + (Math.min(255, Math.max(0, exact)) - subject[c]!) * Math.min(1, alpha * 1.25);
    out[at + c] = leaning + 0.5;
  }
}

/** Where no subject was seen close by, the photo's own ground is better than any filling: grain, folds, shadows. */
function keepUntouchedGround(
  ground: Uint8Array,
  data: Uint8Array,
  alpha: Uint8Array,
  width: number,
  height: number,
): void {
  const near = boxBlur({ width, height, data: alpha }, 3).data;
  for (let pixel = 0; pixel < near.length; pixel++) {
    const filled = Math.min(1, near[pixel]! / 10);
    if (filled >= 1) continue;
    for (let at = pixel * 3; at < pixel * 3 + 3; at++)
      ground[at] = ground[at]! * filled + data[at]! * (1 - filled) + 0.5;
  }
}

interface FilledColours {
  width: number;
  height: number;
  colours: Float32Array;
}

function fillFrom(
  small: RgbImage,
  blurred: Float32Array,
  width: number,
  height: number,
  isKnown: (share: number) => boolean,
): FilledColours {
  const weights = new Float32Array(small.width * small.height);
  for (let y = 0; y < small.height; y++) {
    const row = Math.min(height - 1, y * FILL_SCALE) * width;
    for (let x = 0; x < small.width; x++) {
      weights[y * small.width + x] = isKnown(blurred[row + Math.min(width - 1, x * FILL_SCALE)]!) ? 1 : 0;
    }
  }
  const image = { width: small.width, height: small.height, colours: Float32Array.from(small.data), weights };
  fillGaps(image);
  return image;
}

function sampleColour({ width, height, colours }: FilledColours, x: number, y: number, out: Float32Array): void {
  const cx = Math.min(Math.max(x, 0), width - 1.001);
  const cy = Math.min(Math.max(y, 0), height - 1.001);
  const left = cx | 0;
  const top = cy | 0;
  const fx = cx - left;
  const fy = cy - top;
  const at = (top * width + left) * 3;
  const below = at + width * 3;
  for (let c = 0; c < 3; c++) {
    const upper = colours[at + c]! + (colours[at + 3 + c]! - colours[at + c]!) * fx;
    const lower = colours[below + c]! + (colours[below + 3 + c]! - colours[below + c]!) * fx;
    out[c] = upper + (lower - upper) * fy;
  }
}
