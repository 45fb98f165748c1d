import type { BackgroundModel } from './background-model.ts';
import { boxBlur, type RgbImage, vectorLength } from './pixel-image.ts';

/** How far every pixel is from the plain ground, in 8-bit levels. */
export interface Deviation {
  /** Distance, lowered in soft shadows and raised where the picture has texture. */
  distance: Float32Array;
  /** 1 where the pixel by itself could be ground, lit or in a soft shadow. Its surroundings do not count. */
  isGroundLike: Uint8Array;
  /** 1 where the pixel has the ground's hue at any brightness. Only edges tell such a pixel from cloth. */
  isShadeOfGround: Uint8Array;
  /** Brightness minus that of the ground, in levels. */
  difference: Float32Array;
  /**
   * Brightness minus that of the ground, averaged over a few pixels. Shows differences that grain hides in single
   * pixels.
   */
  faintDifference: Float32Array;
  /** Colour gradient between neighbours, in levels per pixel (largest of the three channels). */
  gradient: Float32Array;
  /** Gradient of the ground itself, caused by grain and compression. */
  gradientNoise: number;
  /** Distance from which a pixel is probably not ground. */
  threshold: number;
}

export function measureDeviation({ width, height, data }: RgbImage, background: BackgroundModel): Deviation {
  const pixels = width * height;
  const gradient = colourGradient(width, height, data);
  const smoothed = boxBlur({ width, height, data: gradient }, 2).data;
  const threshold = Math.max(4, background.noise * 2.2);
  const isNearGround = (pixel: number) =>
    [0, 1, 2].every((c) => Math.abs(data[pixel * 3 + c]! - background.colours[pixel * 3 + c]!) < threshold);
  const gradientNoise = groundGradient(smoothed, width, height, isNearGround);
  const distance = new Float32Array(pixels);
  const isGroundLike = new Uint8Array(pixels);
  const isShadeOfGround = new Uint8Array(pixels);
  const difference = new Float32Array(pixels);
  const { colours } = background;
  for (let pixel = 0; pixel < pixels; pixel++) {
    const at = pixel * 3;
    const luma = (data[at]! + data[at + 1]! + data[at + 2]!) / 3;
    const groundLuma = (colours[at]! + colours[at + 1]! + colours[at + 2]!) / 3 || 1;
    const brightness = luma / groundLuma;
    let chroma = 0;
    for (let c = 0; c < 3; c++) chroma += (data[at + c]! - colours[at + c]! * brightness) ** 2;
    chroma = Math.sqrt(chroma);
    const texture = smoothed[pixel]!;
    let levels = vectorLength(luma - groundLuma, 1.5 * chroma);
    // A cast shadow is darkened ground: same hue, no texture, soft rim.
    const isShadowLike =
      brightness < 1 && brightness > 0.5 && chroma < 9 && texture < Math.max(3.2, gradientNoise * 1.8);
    const isSoftlyShaded =
      brightness < 1 && brightness > 0.5 && chroma < 8 && gradient[pixel]! < Math.max(4, gradientNoise * 2.6);
    isGroundLike[pixel] = levels < threshold * 0.9 || isSoftlyShaded ? 1 : 0;
    isShadeOfGround[pixel] = chroma < 10 && brightness > 0.35 && (brightness < 1 || levels < threshold * 2.2) ? 1 : 0;
    difference[pixel] = luma - groundLuma;
    if (isShadowLike) levels *= 0.28;
    distance[pixel] = levels + Math.max(0, texture - gradientNoise * 1.6 - 1) * 0.9;
  }
  const faintDifference = boxBlur({ width, height, data: difference }, 3).data;
  return {
    distance,
    isGroundLike,
    isShadeOfGround,
    difference,
    faintDifference,
    gradient,
    gradientNoise,
    threshold,
  };
}

/** Difference between neighbours, in levels per pixel: the largest of the three channels. */
export function colourGradient(width: number, height: number, data: Uint8Array): Float32Array {
  const gradient = new Float32Array(width * height);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = (y * width + x) * 3;
      let strongest = 0;
      for (let c = 0; c < 3; c++) {
        const across = data[at + c + 3]! - data[at + c - 3]!;
        const down = data[at + c + 3 * width]! - data[at + c - 3 * width]!;
        strongest = Math.max(strongest, across * across + down * down);
      }
      gradient[y * width + x] = Math.sqrt(strongest) / 2;
    }
  }
  return gradient;
}

/** Gradient along the top and both sides of the photo, where these show ground. Few subjects fill all three. */
function groundGradient(
  smoothed: Float32Array,
  width: number,
  height: number,
  isNearGround: (pixel: number) => boolean,
): number {
  const strips: number[][] = [[], [], []];
  const look = (strip: number, pixel: number) => {
    if (isNearGround(pixel)) strips[strip]!.push(smoothed[pixel]!);
  };
  for (let x = 4; x < width - 4; x += 2) look(0, 5 * width + x);
  for (let y = 4; y < height - 4; y += 2) {
    look(1, y * width + 4);
    look(2, y * width + width - 5);
  }
  const eighthDeciles = strips.map((strip) => strip.sort((a, b) => a - b)[Math.floor(strip.length * 0.8)] ?? 0);
  return eighthDeciles.sort((a, b) => a - b)[1]!;
}

export interface GroundTolerances {
  /** Largest gradient of ground, in levels per pixel. */
  smooth: number;
  /** Largest distance of a colour from the ground's that still counts as ground, in levels. */
  tolerance: number;
}

/** How uniform ground enclosed by limbs has to be. It follows from how uniform the ground around the subject is. */
export function groundTolerances({
  gradientNoise,
  threshold,
}: Pick<Deviation, 'gradientNoise' | 'threshold'>): GroundTolerances {
  return { smooth: Math.max(2.2, gradientNoise * 4), tolerance: threshold < 4.5 ? 1.6 : threshold * 0.7 };
}
