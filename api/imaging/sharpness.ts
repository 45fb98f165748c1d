import type { Deviation } from './deviation.ts';
import { boxBlur, type RgbImage, vectorLength } from './pixel-image.ts';

/** How sharp the picture is at every pixel. Tells the rim of a thing from a soft shadow, however dark that is. */
export interface Sharpness {
  /** How much steeper the picture is than around, in levels per pixel. 0 where it is no steeper. */
  excess: Float32Array;
  /** Excess from which an edge is sharp. Soft shadows and the ground's grain stay below it. */
  threshold: number;
}

/** The threshold: levels per pixel, plus this multiple of the excess that the ground's grain has. */
const SHARP = { least: 0.5, grain: 2 };
/** Share of the ground whose excess counts as grain. The rest lies beside things. */
const GRAIN_SHARE = 0.95;

/** `deviation`: from the plain ground, to find the pixels that show the ground's own grain. */
export function measureSharpness(
  { width, height, data }: RgbImage,
  { distance, threshold }: Pick<Deviation, 'distance' | 'threshold'>,
): Sharpness {
  const excess = new Float32Array(width * height);
  const channel = new Float32Array(width * height);
  for (let c = 0; c < 3; c++) {
    for (let pixel = 0; pixel < channel.length; pixel++) channel[pixel] = data[pixel * 3 + c]!;
    const levels = boxBlur({ width, height, data: channel }, 1).data;
    for (let y = 0; y < height; y++) raiseToExcess(excess, levels, width, height, y);
  }
  const onGround = excess.filter((_, pixel) => distance[pixel]! < threshold).sort();
  const grain = onGround[Math.floor(onGround.length * GRAIN_SHARE)] ?? 0;
  return { excess, threshold: SHARP.least + SHARP.grain * grain };
}

/** The slope at a pixel is compared with the mean slope over this distance to each side, in pixels. */
const SLOPE_REACH = 4;
/** A soft shadow is nowhere steeper than this multiple of the mean slope around. */
const SOFT_RATIO = 1.3;

/** Raises a row of `excess` to the excess of one channel, so that the largest of the channels stays. */
function raiseToExcess(excess: Float32Array, levels: Float32Array, width: number, height: number, y: number): void {
  const above = (Math.max(0, y - 1) - y) * width;
  const below = (Math.min(height - 1, y + 1) - y) * width;
  const farAbove = (Math.max(0, y - SLOPE_REACH) - y) * width;
  const farBelow = (Math.min(height - 1, y + SLOPE_REACH) - y) * width;
  for (let x = 0; x < width; x++) {
    const pixel = y * width + x;
    const here = levels[pixel]!;
    const across = levels[x < width - 1 ? pixel + 1 : pixel]! - levels[x > 0 ? pixel - 1 : pixel]!;
    const down = levels[pixel + below]! - levels[pixel + above]!;
    // The steeper of the two sides counts. Between a shadow that darkens towards a pale thing and that thing, the mean
    // over both sides would be level.
    const left = Math.abs(levels[pixel - Math.min(x, SLOPE_REACH)]! - here);
    const right = Math.abs(levels[pixel + Math.min(width - 1 - x, SLOPE_REACH)]! - here);
    const up = Math.abs(levels[pixel + farAbove]! - here);
    const under = Math.abs(levels[pixel + farBelow]! - here);
    const around = vectorLength(left > right ? left : right, up > under ? up : under) / SLOPE_REACH;
    const more = vectorLength(across, down) / 2 - around * SOFT_RATIO;
    if (more > excess[pixel]!) excess[pixel] = more;
  }
}
