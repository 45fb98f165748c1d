import type { FrameSize } from '#api/imaging/pixel-image.ts';
import { type Affine, applyAffine } from './align.ts';
import type { Garment } from './find-garment.ts';

/** A garment in a picture of the size `picture`. Its mask may be smaller than the picture. */
export interface Placed {
  garment: Garment;
  mask: FrameSize;
  picture: FrameSize;
}

export interface OutlineAlignment {
  affine: Affine;
  /** Intersection over union of both masks within the result, 0 to 1. */
  agreement: number;
}

/** Every sixth pixel of the source's mask is compared. */
const STRIDE = 6;
const ROUNDS = 6;
const TRIES = 6;

/**
 * Lays the mask of the source over the garment of the result: shift, scale in two directions and turn, improved one by
 * one as long as the masks agree better. `isInside`: mask of the source in its frame.
 */
export function alignOutlines(isInside: Uint8Array, frame: FrameSize, result: Placed): OutlineAlignment {
  const agree = measureAgreement(isInside, frame, result);
  const { box } = result.garment;
  const { width, height } = result.picture;
  const scales = [((box.right - box.left) * width) / frame.width, ((box.bottom - box.top) * height) / frame.height];
  // Middle, scales across and down, turn in radians.
  let best = [((box.left + box.right) / 2) * width, ((box.top + box.bottom) / 2) * height, scales[0]!, scales[1]!, 0];
  let agreement = agree(affineOf(best, frame));
  let steps = [width * 0.04, height * 0.04, scales[0]! * 0.08, scales[1]! * 0.08, 0.08];
  for (let round = 0; round < ROUNDS; round++) {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const before = agreement;
      for (const axis of steps.keys()) {
        for (const sign of [1, -1]) {
          const next = best.with(axis, best[axis]! + sign * steps[axis]!);
          const found = agree(affineOf(next, frame));
          if (found > agreement) [best, agreement] = [next, found];
        }
      }
      if (agreement === before) break;
    }
    steps = steps.map((step) => step / 2);
  }
  return { affine: affineOf(best, frame), agreement };
}

function affineOf([u, v, across, down, turn]: number[], frame: FrameSize): Affine {
  const [cos, sin] = [Math.cos(turn!), Math.sin(turn!)];
  const [a, b, d, e] = [cos * across!, -sin * down!, sin * across!, cos * down!];
  const [x, y] = [frame.width / 2, frame.height / 2];
  return [a, b, u! - a * x - b * y, d, e, v! - d * x - e * y];
}

/** Returns how well the masks agree when an affine map lays one over the other: intersection over union, 0 to 1. */
export function measureAgreement(isInside: Uint8Array, frame: FrameSize, { garment, mask, picture }: Placed) {
  const points: [number, number][] = [];
  for (let y = 0; y < frame.height; y += STRIDE)
    for (let x = 0; x < frame.width; x += STRIDE) if (isInside[y * frame.width + x]) points.push([x, y]);
  const [across, down] = [mask.width / picture.width, mask.height / picture.height];
  const area = garment.mask.reduce((sum, value) => sum + (value ? 1 : 0), 0) / (across * down);
  return (affine: Affine): number => {
    let [both, own] = [0, 0];
    for (const [x, y] of points) {
      const [u, v] = applyAffine(affine, x, y);
      // What the result cuts off neither agrees nor disagrees.
      if (u < 0 || v < 0 || u >= picture.width || v >= picture.height) continue;
      own++;
      if (garment.mask[Math.floor(v * down) * mask.width + Math.floor(u * across)]) both++;
    }
    const cell = Math.abs(affine[0] * affine[4] - affine[1] * affine[3]) * STRIDE * STRIDE;
    return (both * cell) / Math.max(1, own * cell + area - both * cell);
  };
}
