/** Three float channels per pixel with a weight: 1 for known, 0 for unknown. */
export interface WeightedImage {
  width: number;
  height: number;
  colours: Float32Array;
  weights: Float32Array;
}

/**
 * Fills unknown pixels from their surroundings, in place: averages known pixels down a pyramid, then pushes the
 * averages back up into the gaps. The result is smooth and without seams. The cost does not depend on the size of the
 * holes.
 */
export function fillGaps(image: WeightedImage): void {
  if (image.width <= 2 || image.height <= 2) {
    fillWithMean(image);
    return;
  }
  const coarse = halve(image);
  fillGaps(coarse);
  const { width, height, colours, weights } = image;
  for (let y = 0; y < height; y++) {
    const fy = Math.max(0, (y - 0.5) / 2);
    const top = Math.min(coarse.height - 1, fy | 0);
    const below = Math.min(coarse.height - 1, top + 1) * coarse.width;
    const ty = fy - top;
    for (let x = 0; x < width; x++) {
      const known = weights[y * width + x]!;
      if (known >= 1) continue;
      const fx = Math.max(0, (x - 0.5) / 2);
      const left = Math.min(coarse.width - 1, fx | 0);
      const right = Math.min(coarse.width - 1, left + 1);
      const tx = fx - left;
      const at = (y * width + x) * 3;
      const upperLeft = (top * coarse.width + left) * 3;
      const upperRight = (top * coarse.width + right) * 3;
      const lowerLeft = (below + left) * 3;
      const lowerRight = (below + right) * 3;
      for (let c = 0; c < 3; c++) {
        const upper = coarse.colours[upperLeft + c]! * (1 - tx) + coarse.colours[upperRight + c]! * tx;
        const lower = coarse.colours[lowerLeft + c]! * (1 - tx) + coarse.colours[lowerRight + c]! * tx;
        colours[at + c] = known * colours[at + c]! + (1 - known) * (upper * (1 - ty) + lower * ty);
      }
    }
  }
}

/** The top of the pyramid. Pixels without known neighbours get the mean of all known ones. */
function fillWithMean({ colours, weights }: WeightedImage): void {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return;
  for (let c = 0; c < 3; c++) {
    const mean = weights.reduce((sum, weight, pixel) => sum + weight * colours[pixel * 3 + c]!, 0) / total;
    weights.forEach((weight, pixel) => {
      colours[pixel * 3 + c] = weight * colours[pixel * 3 + c]! + (1 - weight) * mean;
    });
  }
}

function halve({ width, height, colours, weights }: WeightedImage): WeightedImage {
  const half = { width: (width + 1) >> 1, height: (height + 1) >> 1 };
  const sums = new Float32Array(half.width * half.height * 3);
  const totals = new Float32Array(half.width * half.height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const weight = weights[y * width + x]!;
      if (weight === 0) continue;
      const from = (y * width + x) * 3;
      const to = (y >> 1) * half.width + (x >> 1);
      totals[to]! += weight;
      for (let c = 0; c < 3; c++) sums[to * 3 + c]! += weight * colours[from + c]!;
    }
  }
  for (let pixel = 0; pixel < totals.length; pixel++) {
    const total = totals[pixel]!;
    if (total === 0) continue;
    for (let c = 0; c < 3; c++) sums[pixel * 3 + c]! /= total;
    totals[pixel] = Math.min(1, total);
  }
  return { ...half, colours: sums, weights: totals };
}
