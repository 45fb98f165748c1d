import type { RgbImage } from './pixel-image.ts';

/**
 * Model of a photo's plain ground: its colour is a quadratic function of position, fitted to a band along the border.
 */
export interface BackgroundModel {
  /** Expected colour of every pixel, three floats per pixel. */
  colours: Float32Array;
  /** Distance of border pixels from the model, in 8-bit levels. Median and ninth decile of the inliers. */
  medianResidual: number;
  noise: number;
  /** Share of border pixels that fit the model. */
  inlierShare: number;
}

const BAND_SHARE = 0.04;
const TERMS = 6;
const ROBUST_ROUNDS = 4;

/**
 * Fits the model in a few rounds and drops outliers after each, so that a subject touching the border does not distort
 * it. Meant for small pictures (480 pixels).
 */
export function fitBackground({ width, height, data }: RgbImage): BackgroundModel {
  const band = borderPixels(width, height);
  let kept = band;
  let coefficients: number[][] = [];
  let residuals: number[] = [];
  for (let round = 0; round < ROBUST_ROUNDS; round++) {
    coefficients = [0, 1, 2].map((channel) => fitChannel(kept, channel, width, height, data));
    residuals = kept.map((pixel) => residualOf(pixel, coefficients, width, height, data));
    const sorted = residuals.toSorted((a, b) => a - b);
    const cut = Math.max(6, (sorted[Math.floor(sorted.length * 0.8)] ?? 0) * 1.6);
    kept = kept.filter((_, index) => residuals[index]! <= cut);
    residuals = residuals.filter((residual) => residual <= cut);
  }
  residuals.sort((a, b) => a - b);
  const colours = new Float32Array(width * height * 3);
  const terms = new Float64Array(TERMS);
  for (let pixel = 0; pixel < width * height; pixel++) {
    fillTerms(terms, pixel, width, height);
    for (let channel = 0; channel < 3; channel++) colours[pixel * 3 + channel] = dot(coefficients[channel]!, terms);
  }
  return {
    colours,
    medianResidual: residuals[Math.floor(residuals.length * 0.5)] ?? 255,
    noise: residuals[Math.floor(residuals.length * 0.9)] ?? 255,
    inlierShare: kept.length / band.length,
  };
}

function borderPixels(width: number, height: number): number[] {
  const across = Math.max(2, Math.round(width * BAND_SHARE));
  const down = Math.max(2, Math.round(height * BAND_SHARE));
  const pixels: number[] = [];
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      if (x < across || x >= width - across || y < down || y >= height - down) pixels.push(y * width + x);
    }
  }
  return pixels;
}

function fillTerms(terms: Float64Array, pixel: number, width: number, height: number): void {
  const x = (pixel % width) / width - 0.5;
  const y = Math.floor(pixel / width) / height - 0.5;
  terms[0] = 1;
  terms[1] = x;
  terms[2] = y;
  terms[3] = x * x;
  terms[4] = y * y;
  terms[5] = x * y;
}

function dot(coefficients: readonly number[], terms: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < TERMS; i++) sum += coefficients[i]! * terms[i]!;
  return sum;
}

function residualOf(pixel: number, coefficients: number[][], width: number, height: number, data: Uint8Array): number {
  const terms = new Float64Array(TERMS);
  fillTerms(terms, pixel, width, height);
  let squares = 0;
  for (let channel = 0; channel < 3; channel++)
    squares += (dot(coefficients[channel]!, terms) - data[pixel * 3 + channel]!) ** 2;
  return Math.sqrt(squares / 3);
}

/** Least squares by the normal equations. The small ridge keeps a band of a single colour solvable. */
function fitChannel(pixels: number[], channel: number, width: number, height: number, data: Uint8Array): number[] {
  const matrix = Array.from({ length: TERMS }, () => new Array<number>(TERMS + 1).fill(0));
  const terms = new Float64Array(TERMS);
  for (const pixel of pixels) {
    fillTerms(terms, pixel, width, height);
    for (let row = 0; row < TERMS; row++) {
      for (let column = 0; column < TERMS; column++) matrix[row]![column]! += terms[row]! * terms[column]!;
      matrix[row]![TERMS]! += terms[row]! * data[pixel * 3 + channel]!;
    }
  }
  for (let i = 0; i < TERMS; i++) matrix[i]![i]! += 1e-3;
  for (let pivot = 0; pivot < TERMS; pivot++) {
    for (let row = pivot + 1; row < TERMS; row++) {
      const factor = matrix[row]![pivot]! / matrix[pivot]![pivot]!;
      for (let column = pivot; column <= TERMS; column++) matrix[row]![column]! -= factor * matrix[pivot]![column]!;
    }
  }
  const solution = new Array<number>(TERMS).fill(0);
  for (let row = TERMS - 1; row >= 0; row--) {
    let sum = matrix[row]![TERMS]!;
    for (let column = row + 1; column < TERMS; column++) sum -= matrix[row]![column]! * solution[column]!;
    solution[row] = sum / matrix[row]![row]!;
  }
  return solution;
}
