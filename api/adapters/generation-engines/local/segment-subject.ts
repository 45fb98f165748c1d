import { fitBackground } from './background-model.ts';
import { type CutOutVerdict, isPlainGround, judgeCutOut, refuseEnclosedGround } from './cutout-gate.ts';
import { measureDeviation } from './deviation.ts';
import { floodGround } from './flood-ground.ts';
import { forEachRegion, grabCut } from './grabcut.ts';
import { type RgbImage, resizeRgb } from './pixel-image.ts';
import { refineMask } from './refine-mask.ts';
import { trimContactShadow } from './trim-contact-shadow.ts';

/** A box in shares of the photo, 0 to 1. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Segmentation {
  width: number;
  height: number;
  /** 255 for subject; empty where the ground is not plain. */
  mask: Uint8Array;
  verdict: CutOutVerdict;
  isPlainGround: boolean;
  /** The mask's bounds; all that stands out where it is not trusted, the whole photo where the ground is not plain. */
  subjectBox: Box;
}

/** Longest side that the segmentation works at: GrabCut's time grows with the area, its outline is refined later. */
const WORKING_SIDE = 480;
const WHOLE: Box = { left: 0, top: 0, right: 1, bottom: 1 };

/** Finds the subject of a product photo before a plain ground and says whether the finding can be trusted. */
export async function segmentSubject(photo: RgbImage): Promise<Segmentation> {
  const scale = WORKING_SIDE / Math.max(photo.width, photo.height);
  const small = await resizeRgb(
    photo,
    Math.max(16, Math.round(photo.width * scale)),
    Math.max(16, Math.round(photo.height * scale)),
  );
  const { width, height } = small;
  const background = fitBackground(small);
  if (!isPlainGround(background)) {
    const mask = new Uint8Array(width * height);
    return {
      width,
      height,
      mask,
      verdict: { isTrusted: false, reason: 'ground_not_plain' },
      isPlainGround: false,
      subjectBox: WHOLE,
    };
  }
  const deviation = measureDeviation(small, background);
  const flooded = floodGround(width, height, deviation);
  const mask = await grabCut(small, deviation, flooded);
  trimContactShadow(mask, width, deviation);
  const rough = judgeCutOut(mask, width, height, deviation);
  const refined = rough.isTrusted ? await refineMask(photo, { width, height, data: mask }, deviation) : null;
  const verdict = refined?.hasDoubtfulIsland ? refuseEnclosedGround(rough) : rough;
  // Where the outline is sure, what else stands out is light and shadow.
  const standsOut = (pixel: number) =>
    mask[pixel] !== 0 || (!verdict.isTrusted && deviation.distance[pixel]! > deviation.threshold);
  const subjectBox = boxAround(width, height, standsOut);
  if (!refined || !verdict.isTrusted) return { width, height, mask, verdict, isPlainGround: true, subjectBox };
  const { data: fine, ...size } = refined.mask;
  return { ...size, mask: fine, verdict, isPlainGround: true, subjectBox };
}

function boxAround(width: number, height: number, isInside: (pixel: number) => boolean): Box {
  let [left, top, right, bottom] = [width, height, 0, 0];
  forEachRegion(width, height, isInside, (region) => {
    if (region.length < 30) return;
    for (const pixel of region) {
      const x = pixel % width;
      const y = Math.floor(pixel / width);
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
    }
  });
  if (right <= left) return WHOLE;
  return { left: left / width, top: top / height, right: right / width, bottom: bottom / height };
}
