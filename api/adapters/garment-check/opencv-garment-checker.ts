import { workIn } from '#api/platform/work-processes/work-process.ts';
import type * as GarmentCheckWork from './garment-check-work.ts';
import type { GarmentChecker } from './garment-checker.ts';

/**
 * Compares garments with OpenCV in a process per order. Clothes are found by the cut-out of the local engine
 * (GrabCut; without skin, head and hair), laid over each other by AKAZE features with RANSAC, by their outlines where
 * the features do not suffice, and bent by tracking the print. docs/garment-check.md says what is compared and how
 * well.
 */
export function createOpenCvGarmentChecker(): GarmentChecker {
  const run = workIn<typeof GarmentCheckWork>(new URL('./garment-check-work.ts', import.meta.url));
  return { check: (order, signal) => run('check', order, { signal }) };
}
