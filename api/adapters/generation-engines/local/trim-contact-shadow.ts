import type { Deviation } from './deviation.ts';

/** Part of the subject's height, from below, where it may touch a floor. */
const FLOOR_ZONE = 0.14;
/** A shadow's rim under a sole is steeper than one on a wall, and still softer than the sole's own. */
const SHADOW_GRADIENT = 13;
const MAX_TRIMMED_SHARE = 0.03;

/** Takes the dark shadow right under soles out of the mask, working inwards from the ground around it. */
export function trimContactShadow(mask: Uint8Array, width: number, { isShadeOfGround, gradient }: Deviation): void {
  const first = mask.indexOf(255);
  const last = mask.lastIndexOf(255);
  if (first < 0) return;
  const top = Math.floor(first / width);
  const bottom = Math.floor(last / width);
  const from = Math.round(bottom - (bottom - top) * FLOOR_ZONE) * width;
  const queue: number[] = [];
  const seen = new Uint8Array(mask.length);
  const trimmed: number[] = [];
  for (let pixel = from; pixel < Math.min(mask.length, (bottom + 2) * width); pixel++)
    if (!mask[pixel]) queue.push(pixel);
  while (queue.length > 0) {
    const pixel = queue.pop()!;
    const x = pixel % width;
    for (const neighbour of [x > 0 ? pixel - 1 : -1, x < width - 1 ? pixel + 1 : -1, pixel - width, pixel + width]) {
      if (neighbour < from || neighbour >= mask.length || seen[neighbour] || !mask[neighbour]) continue;
      seen[neighbour] = 1;
      if (!isShadeOfGround[neighbour] || gradient[neighbour]! > SHADOW_GRADIENT) continue;
      trimmed.push(neighbour);
      queue.push(neighbour);
    }
  }
  const area = mask.reduce((sum, value) => sum + (value ? 1 : 0), 0);
  // More than that is not a shadow but cloth of the ground's colour.
  if (trimmed.length < area * MAX_TRIMMED_SHARE) for (const pixel of trimmed) mask[pixel] = 0;
}
