import type { BackgroundModel } from './background-model.ts';
import type { Deviation } from './deviation.ts';
import { forEachRegion } from './grabcut.ts';
import { boxBlur } from './pixel-image.ts';

/** What the gate measured; shares are 0 to 1. */
export interface CutOutEvidence {
  areaShare: number;
  /** Area over the area of the filled-in rows: low for nets and scattered crumbs. */
  solidity: number;
  /** Share of the outline that follows an edge of the picture. */
  edgeSupport: number;
  /** The same for the worst of the stretches the outline is cut into. */
  weakestStretch: number;
  /** Area that differs from the ground but is not in the mask, over the mask's area. */
  missedShare: number;
  /** The same for faint differences: the cloth of a white shirt around a printed figure that was cut out alone. */
  faintShare: number;
  /** Share of the left, right and upper border that the mask covers. */
  borderContact: number;
}

export type CutOutVerdict =
  | { isTrusted: true; evidence: CutOutEvidence }
  | {
      isTrusted: false;
      reason: 'ground_not_plain' | 'no_subject' | 'outline_not_supported' | 'cut_too_small' | 'shape_implausible';
      evidence?: CutOutEvidence;
    };

/** A ground is plain when its border follows the model closely enough; anything else is not worth a GrabCut. */
export function isPlainGround(background: BackgroundModel): boolean {
  return background.medianResidual < 5 && background.noise < 9 && background.inlierShare > 0.6;
}

const STRETCH_PIXELS = 28;

/** Decides whether a mask may be moved apart from its ground. A wrong yes is visible, a wrong no is only less lively. */
export function judgeCutOut(mask: Uint8Array, width: number, height: number, deviation: Deviation): CutOutVerdict {
  const evidence = measure(mask, width, height, deviation);
  const refuse = (reason: Extract<CutOutVerdict, { isTrusted: false }>['reason']): CutOutVerdict => ({
    isTrusted: false,
    reason,
    evidence,
  });
  if (evidence.areaShare < 0.03) return refuse('no_subject');
  if (evidence.areaShare > 0.8 || evidence.solidity < 0.5 || evidence.borderContact > 0.3)
    return refuse('shape_implausible');
  if (evidence.missedShare > 0.08 || evidence.faintShare > 0.6) return refuse('cut_too_small');
  if (evidence.edgeSupport < 0.86 || evidence.weakestStretch < 0.3) return refuse('outline_not_supported');
  return { isTrusted: true, evidence };
}

function measure(mask: Uint8Array, width: number, height: number, deviation: Deviation): CutOutEvidence {
  let area = 0;
  let filled = 0;
  let contact = 0;
  for (let y = 0; y < height; y++) {
    let first = -1;
    let last = -1;
    for (let x = 0; x < width; x++) {
      if (!mask[y * width + x]) continue;
      area++;
      if (first < 0) first = x;
      last = x;
      if (x < 2 || x > width - 3 || y < 2) contact++;
    }
    if (first >= 0) filled += last - first + 1;
  }
  const { edgeSupport, weakestStretch } = measureOutline(mask, width, height, deviation);
  return {
    areaShare: area / (width * height),
    solidity: area / Math.max(1, filled),
    edgeSupport,
    weakestStretch,
    missedShare: missedArea(mask, width, height, deviation) / Math.max(1, area),
    faintShare: faintArea(mask, width, height, deviation) / Math.max(1, area),
    borderContact: contact / (2 * (width + 2 * height)),
  };
}

/**
 * Follows the outline and asks at every point for a strong gradient close by. The threshold stands well above
 * the ground's own grain, so a pale garment passes only where its rim is really seen.
 */
function measureOutline(
  mask: Uint8Array,
  width: number,
  height: number,
  { gradient, gradientNoise }: Deviation,
): { edgeSupport: number; weakestStretch: number } {
  const needed = Math.max(1.4, gradientNoise * 2.5);
  const stretches = new Map<number, { points: number; supported: number }>();
  const cells = Math.ceil(width / STRETCH_PIXELS);
  let points = 0;
  let supported = 0;
  for (let y = 3; y < height - 3; y++) {
    for (let x = 3; x < width - 3; x++) {
      const pixel = y * width + x;
      if (!mask[pixel]) continue;
      if (mask[pixel - 1] && mask[pixel + 1] && mask[pixel - width] && mask[pixel + width]) continue;
      let strongest = 0;
      for (let dy = -2; dy <= 2; dy++) {
        for (let dx = -2; dx <= 2; dx++) strongest = Math.max(strongest, gradient[pixel + dy * width + dx]!);
      }
      const isSupported = strongest >= needed;
      const key = Math.floor(y / STRETCH_PIXELS) * cells + Math.floor(x / STRETCH_PIXELS);
      const stretch = stretches.get(key) ?? { points: 0, supported: 0 };
      stretch.points++;
      points++;
      if (isSupported) {
        stretch.supported++;
        supported++;
      }
      stretches.set(key, stretch);
    }
  }
  const shares = [...stretches.values()]
    .filter((s) => s.points >= STRETCH_PIXELS / 2)
    .map((s) => s.supported / s.points);
  return { edgeSupport: points ? supported / points : 0, weakestStretch: shares.length ? Math.min(...shares) : 0 };
}

const RIM_PIXELS = 5;

/** Pixels in sizeable regions that stand out from the ground, away from the mask: what a cut would leave behind. */
function missedArea(mask: Uint8Array, width: number, height: number, deviation: Deviation): number {
  const { distance, threshold } = deviation;
  const near = boxBlur({ width, height, data: mask }, RIM_PIXELS).data;
  const rim = measureRims(width, height, deviation);
  let missed = 0;
  const isMissed = (pixel: number) => near[pixel] === 0 && distance[pixel]! > threshold;
  forEachRegion(width, height, isMissed, (region) => {
    if (region.length > 40 && rim(region, isMissed, near) > 0.25) missed += region.length;
  });
  return missed;
}

/** Pixels in large regions beside the mask that differ from the ground by less than single pixels show. */
function faintArea(mask: Uint8Array, width: number, height: number, deviation: Deviation): number {
  const { faintDifference, threshold } = deviation;
  const near = boxBlur({ width, height, data: mask }, RIM_PIXELS).data;
  const rim = measureRims(width, height, deviation);
  const needed = Math.max(1.2, threshold * 0.3);
  const isFaint = (pixel: number) => near[pixel] === 0 && Math.abs(faintDifference[pixel]!) > needed;
  let area = 0;
  forEachRegion(width, height, isFaint, (region) => {
    if (region.length < width * height * 0.004) return;
    // A floor a shade darker than the wall runs along the photo's border; cloth at most touches it.
    const isAtBorder = (pixel: number) =>
      pixel % width === 0 || pixel % width === width - 1 || pixel >= width * (height - 1);
    if (region.filter(isAtBorder).length > width * 0.25) return;
    const brighter = region.reduce((sum, pixel) => sum + faintDifference[pixel]!, 0) > 0;
    if (rim(region, isFaint, near) > (brighter ? 0.25 : 0.6)) area += region.length;
  });
  return area;
}

/**
 * Answers a function that tells the share of a region's rim, away from the mask, that is sharp: cloth ends at an edge,
 * a fall of light or a shadow fades out.
 */
function measureRims(width: number, height: number, { gradient, gradientNoise }: Deviation) {
  // Averaged, because grain is sharp too, but only in single pixels.
  const edges = boxBlur({ width, height, data: gradient }, 1).data;
  const needed = Math.max(0.45, gradientNoise * 2.2);
  return (region: number[], isInside: (pixel: number) => boolean, near: Float32Array): number => {
    let rim = 0;
    let sharp = 0;
    for (const pixel of region) {
      const neighbours = [pixel - 1, pixel + 1, pixel - width, pixel + width];
      if (neighbours.every(isInside) || neighbours.some((neighbour) => near[neighbour]! > 0)) continue;
      rim++;
      let strongest = 0;
      for (let dy = -3; dy <= 3; dy++)
        for (let dx = -3; dx <= 3; dx++) strongest = Math.max(strongest, edges[pixel + dy * width + dx] ?? 0);
      if (strongest > needed) sharp++;
    }
    return sharp / Math.max(1, rim);
  };
}
