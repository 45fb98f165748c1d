import type { BackgroundModel } from './background-model.ts';
import type { Deviation } from './deviation.ts';
import { boxBlur, type Matte, type Plane, type RgbImage, vectorLength } from './pixel-image.ts';
import { forEachRegion } from './regions.ts';
import type { Sharpness } from './sharpness.ts';

/** What the gate measured. Shares are 0 to 1. */
interface CutOutEvidence {
  areaShare: number;
  /** Area over the area of the filled-in rows. Low for nets and scattered crumbs. */
  solidity: number;
  /** Share of the outline that follows an edge of the picture. */
  edgeSupport: number;
  /** Share of the worst section of the outline that follows an edge of the picture. */
  weakestStretch: number;
  /** Share of the outline that is darker than the ground and fades out softly, as only a shadow does. */
  softShare: number;
  /** Area that differs from the ground but is not in the mask, over the mask's area. */
  missedShare: number;
  /**
   * Area that differs faintly from the ground but is not in the mask, over the mask's area: the cloth of a white shirt
   * when only its print was cut out.
   */
  faintShare: number;
  /**
   * Area of the largest bite: cloth that hardly differs from the ground and is next to the mask, such as the tip of a
   * toe.
   */
  bittenShare: number;
  /** Share of the left, right and upper border covered by the mask. */
  borderContact: number;
}

export type CutOutVerdict =
  | { isTrusted: true; evidence: CutOutEvidence }
  /** The file itself had a transparent ground. */
  | { isTrusted: true; by: 'transparency'; evidence?: never }
  | {
      isTrusted: false;
      reason:
        | 'ground_not_plain'
        | 'no_subject'
        | 'outline_not_supported'
        | 'cut_too_small'
        | 'shape_implausible'
        | 'ground_enclosed';
      evidence?: CutOutEvidence;
    };

/** Whether the border fits the model well enough. GrabCut is not worth its time on any other ground. */
export function isPlainGround(background: BackgroundModel): boolean {
  return background.medianResidual < 5 && background.noise < 9 && background.inlierShare > 0.6;
}

const STRETCH_PIXELS = 28;
/** Where the outline is this much darker than the ground, in levels, it has to be sharp. */
const SHADOW_DEPTH = 10;
/** Sharpness that is enough there, as a share of that of an edge. With less, the outline certainly fades out softly. */
const SHARP_ENOUGH = 0.5;

/**
 * Decides whether a mask may be moved separately from its ground. A wrong yes is visible. A wrong no only makes the
 * video less lively. `bare`: deviation from the ground without shadows. `deviation`: from the ground with the shadows
 * that were found, which are no part of the subject.
 */
export function judgeCutOut(
  mask: Plane<Uint8Array>,
  bare: Deviation,
  deviation: Deviation,
  sharpness: Sharpness,
): CutOutVerdict {
  const evidence = measure(mask, bare, deviation, sharpness);
  const refuse = (reason: Extract<CutOutVerdict, { isTrusted: false }>['reason']): CutOutVerdict => ({
    isTrusted: false,
    reason,
    evidence,
  });
  if (evidence.areaShare < 0.03) return refuse('no_subject');
  if (evidence.areaShare > 0.8 || evidence.solidity < 0.5 || evidence.borderContact > 0.3)
    return refuse('shape_implausible');
  if (evidence.missedShare > 0.08 || evidence.faintShare > 0.6 || evidence.bittenShare > 0.05)
    return refuse('cut_too_small');
  if (evidence.edgeSupport < 0.86 || evidence.weakestStretch < 0.3 || evidence.softShare > 0.08)
    return refuse('outline_not_supported');
  return { isTrusted: true, evidence };
}

/**
 * The refusal for an island inside the outline that may be ground or cloth. Both opening and keeping it could be wrong.
 */
export function refuseEnclosedGround({ evidence }: CutOutVerdict): CutOutVerdict {
  return { isTrusted: false, reason: 'ground_enclosed', evidence };
}

function measure(
  { width, height, data: mask }: Plane<Uint8Array>,
  bare: Deviation,
  deviation: Deviation,
  sharpness: Sharpness,
): CutOutEvidence {
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
  const { missed, faint, bitten } = measureLeftOut(mask, width, height, deviation);
  return {
    areaShare: area / (width * height),
    solidity: area / Math.max(1, filled),
    ...measureOutline(mask, width, height, bare, sharpness),
    missedShare: missed / Math.max(1, area),
    faintShare: faint / Math.max(1, area),
    bittenShare: bitten / Math.max(1, area),
    borderContact: contact / (2 * (width + 2 * height)),
  };
}

/**
 * Follows the outline and looks for a strong gradient and, where it is dark, a sharp edge near every point. The gradient
 * needed is well above the ground's own grain, so a pale garment passes only if its rim is really visible.
 */
function measureOutline(
  mask: Uint8Array,
  width: number,
  height: number,
  { gradient, gradientNoise, difference }: Deviation,
  sharpness: Sharpness,
): Pick<CutOutEvidence, 'edgeSupport' | 'weakestStretch' | 'softShare'> {
  const needed = Math.max(1.4, gradientNoise * 2.5);
  const stretches = new Map<number, { points: number; supported: number }>();
  const cells = Math.ceil(width / STRETCH_PIXELS);
  let points = 0;
  let supported = 0;
  let soft = 0;
  for (let y = 3; y < height - 3; y++) {
    for (let x = 3; x < width - 3; x++) {
      const pixel = y * width + x;
      if (!mask[pixel]) continue;
      if (mask[pixel - 1] && mask[pixel + 1] && mask[pixel - width] && mask[pixel + width]) continue;
      let strongest = 0;
      let isSharp = difference[pixel]! > -SHADOW_DEPTH;
      for (let dy = -2; dy <= 2; dy++) {
        for (let dx = -2; dx <= 2; dx++) {
          const beside = pixel + dy * width + dx;
          strongest = Math.max(strongest, gradient[beside]!);
          if (sharpness.excess[beside]! > sharpness.threshold * SHARP_ENOUGH) isSharp = true;
        }
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
      if (!isSharp) soft++;
      stretches.set(key, stretch);
    }
  }
  const long = [...stretches.values()].filter((stretch) => stretch.points >= STRETCH_PIXELS / 2);
  return {
    edgeSupport: points ? supported / points : 0,
    weakestStretch: long.length ? Math.min(...long.map((stretch) => stretch.supported / stretch.points)) : 0,
    softShare: points ? soft / points : 0,
  };
}

const RIM_PIXELS = 5;
/**
 * Share of a rim that has to be sharp before a region counts as cloth. Light that falls off is never sharp; a shadow
 * may be.
 */
const CLOTH_RIM = { brighter: 0.25, darker: 0.6 };
/** A bite borders on the mask along this share of its rim and on an edge along the rest. */
const BITE = { besideMask: 0.35, rim: 0.6, restPixels: 30 };

/** Pixels of regions outside the mask that a cut would leave behind, measured in three ways (see CutOutEvidence). */
function measureLeftOut(
  mask: Uint8Array,
  width: number,
  height: number,
  deviation: Deviation,
): { missed: number; faint: number; bitten: number } {
  const { distance, threshold, faintDifference } = deviation;
  const near = boxBlur({ width, height, data: mask }, RIM_PIXELS).data;
  const rimOf = measureRims(width, height, deviation, near);
  const area = { missed: 0, faint: 0, bitten: 0 };
  const isCloth = ({ sharpShare, meanDifference }: Rim) =>
    sharpShare > (meanDifference > 0 ? CLOTH_RIM.brighter : CLOTH_RIM.darker);
  const isMissed = (pixel: number) => near[pixel] === 0 && distance[pixel]! > threshold;
  forEachRegion(width, height, isMissed, (region) => {
    if (region.length > 40 && isCloth(rimOf(region, isMissed))) area.missed += region.length;
  });
  const needed = Math.max(1.2, threshold * 0.3);
  const isFaint = (pixel: number) => near[pixel] === 0 && Math.abs(faintDifference[pixel]!) > needed;
  forEachRegion(width, height, isFaint, (region) => {
    if (region.length < width * height * 0.004) return;
    // A floor that is slightly darker than the wall runs along the photo's border. Cloth only touches the border.
    const isAtBorder = (pixel: number) =>
      pixel % width === 0 || pixel % width === width - 1 || pixel >= width * (height - 1);
    if (region.filter(isAtBorder).length > width * 0.25) return;
    const rim = rimOf(region, isFaint);
    if (isCloth(rim)) area.faint += region.length;
    if (rim.besideMaskShare > BITE.besideMask && rim.restPixels > BITE.restPixels && rim.sharpShare > BITE.rim)
      area.bitten = Math.max(area.bitten, region.length);
  });
  return area;
}

interface Rim {
  /** Share of the rim away from the mask that is sharper than grain and compression make it anywhere. */
  sharpShare: number;
  /** Pixels of the rim away from the mask. */
  restPixels: number;
  besideMaskShare: number;
  /** Brightness of the region minus that of the ground. */
  meanDifference: number;
}

/** A rim less steep than this share of the region's difference in brightness belongs to a shadow. */
const SHADOW_STEEPNESS = 0.15;
/** In levels per pixel, averaged. Light that falls off slowly has steps of one 8-bit level; these are not edges. */
const LEAST_EDGE = 0.6;
/** Strip along the photo's border that shows how sharp the ground itself is, as a share of each side. */
const GROUND_STRIP = 0.1;

/** Returns a function that describes a region's rim. Cloth ends at an edge; light and shadow fade out. */
function measureRims(
  width: number,
  height: number,
  { gradient, gradientNoise, faintDifference }: Deviation,
  near: Float32Array,
) {
  // Averaged, because grain is sharp, too, but only in single pixels.
  const edges = boxBlur({ width, height, data: gradient }, 1).data;
  const strongestAround = (pixel: number) => {
    let strongest = 0;
    for (let dy = -3; dy <= 3; dy++)
      for (let dx = -3; dx <= 3; dx++) strongest = Math.max(strongest, edges[pixel + dy * width + dx] ?? 0);
    return strongest;
  };
  const strip = { x: width * GROUND_STRIP, y: height * GROUND_STRIP };
  const ground: number[] = [];
  for (let y = 4; y < height - 4; y += 2) {
    for (let x = 4; x < width - 4; x += 2) {
      const isInStrip = x < strip.x || x > width - strip.x || y < strip.y || y > height - strip.y;
      if (isInStrip && near[y * width + x] === 0) ground.push(strongestAround(y * width + x));
    }
  }
  return (region: number[], isInside: (pixel: number) => boolean): Rim => {
    const meanDifference = region.reduce((sum, pixel) => sum + faintDifference[pixel]!, 0) / region.length;
    const needed = Math.max(LEAST_EDGE, gradientNoise * 2.2, Math.abs(meanDifference) * SHADOW_STEEPNESS);
    let rest = 0;
    let sharp = 0;
    let beside = 0;
    for (const pixel of region) {
      const neighbours = [pixel - 1, pixel + 1, pixel - width, pixel + width];
      if (neighbours.every(isInside)) continue;
      if (neighbours.some((neighbour) => near[neighbour]! > 0)) beside++;
      else {
        rest++;
        if (strongestAround(pixel) > needed) sharp++;
      }
    }
    const anywhere = ground.filter((strongest) => strongest > needed).length / Math.max(1, ground.length);
    return {
      sharpShare: Math.max(0, sharp / Math.max(1, rest) - anywhere) / Math.max(0.01, 1 - anywhere),
      restPixels: rest,
      besideMaskShare: beside / Math.max(1, rest + beside),
      meanDifference,
    };
  };
}

/** Distance inside the outline at which the subject's own colour is measured, as a share of the photo's longer side. */
const INWARD_SHARE = 1 / 160;
/**
 * Difference between subject and ground below which an edge is hardly visible, in levels (root mean square of the
 * channels).
 */
const FAINT_LEVELS = 20;
/**
 * Largest share of the outline that may be faint. With more, the product dissolves as soon as it moves separately from
 * its ground.
 */
const MOST_FAINT = 0.2;

/**
 * Share of the outline along which the subject hardly differs in colour from the ground, as white cloth on light grey
 * does.
 */
export function measureFaintShare({ data }: RgbImage, { width, height, alpha, ground }: Matte): number {
  const inward = Math.max(2, Math.round(Math.max(width, height) * INWARD_SHARE));
  let points = 0;
  let faint = 0;
  for (let y = inward; y < height - inward; y++) {
    for (let x = inward; x < width - inward; x++) {
      const pixel = y * width + x;
      if (alpha[pixel]! < 128) continue;
      const isInside =
        alpha[pixel - 1]! >= 128 &&
        alpha[pixel + 1]! >= 128 &&
        alpha[pixel - width]! >= 128 &&
        alpha[pixel + width]! >= 128;
      if (isInside) continue;
      const across = alpha[pixel + inward]! - alpha[pixel - inward]!;
      const down = alpha[pixel + inward * width]! - alpha[pixel - inward * width]!;
      const length = vectorLength(across, down);
      if (length === 0) continue;
      const cloth = pixel + Math.round((down / length) * inward) * width + Math.round((across / length) * inward);
      let squares = 0;
      for (let c = 0; c < 3; c++) squares += (data[cloth * 3 + c]! - ground[pixel * 3 + c]!) ** 2;
      points++;
      if (Math.sqrt(squares / 3) < FAINT_LEVELS) faint++;
    }
  }
  return points ? faint / points : 1;
}

/** Whether the outline is too faint to move the subject separately from its ground. */
export function isOutlineFaint(faintShare: number): boolean {
  return faintShare > MOST_FAINT;
}
