import { judge, measureResult, NO_GARMENT, readSource } from '#api/adapters/garment-check/check-garment.ts';
import type { GarmentCheck, GarmentCheckThresholds } from '#api/adapters/garment-check/garment-checker.ts';
import { type Drift, inventPhoto } from '#tests/fixtures/draw-garment-pairs.ts';

/** The thresholds that were chosen on the photos of `TUNING_SEEDS`. */
export const THRESHOLDS: GarmentCheckThresholds = { colourDifference: 3, printSimilarity: 0.88 };

/** The labelled photos are split by seed. A held-out photo that was looked into belongs to the tuning half from then on. */
export const TUNING_SEEDS = [1, 2, 3, 5, 6, 8, 10, 12, 13, 107, 101, 103, 106, 108, 110, 102, 104, 109, 111, 112];
export const HELD_OUT_SEEDS = [201, 202, 203, 204, 205, 206, 207, 208, 209, 210];

/** Hue that differs less from the photo's is no drift that a buyer sees. It is measured, but not part of the score. */
export const VISIBLE_DEGREES = 8;

export interface Judged {
  name: string;
  label: Drift | null;
  check: GarmentCheck;
}

/** Compares photos with their labelled results. */
export async function judgePhotos(seeds: number[]): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const seed of seeds) {
    const { drawPhoto, results } = inventPhoto(seed);
    const source = await readSource(await drawPhoto());
    for (const result of results) {
      const name = `${seed} ${result.harmless} ${result.label ? nameOf(result.label) : ''}`;
      const check = source ? judge(await measureResult(source, await result.draw()), THRESHOLDS, 0) : NO_GARMENT;
      judged.push({ name, label: result.label, check });
    }
  }
  return judged;
}

export function nameOf(drift: Drift): string {
  return drift.kind === 'hue' ? `hue ${drift.degrees}°` : drift.kind;
}

export interface Score {
  precision: number;
  recall: number;
  /** Drifts that passed and good results that did not. */
  mistakes: string[];
}

/** Precision and recall of «drifted». A result that could not be compared counts as not drifted. */
export function scoreOf(judged: Judged[]): Score {
  const counted = judged.filter(({ label }) => label?.kind !== 'hue' || label.degrees >= VISIBLE_DEGREES);
  const isFound = ({ check }: Judged) => check.verdict === 'drifted';
  const found = counted.filter(isFound);
  const drifted = counted.filter(({ label }) => label !== null);
  const right = drifted.filter(isFound);
  return {
    precision: right.length / Math.max(1, found.length),
    recall: right.length / Math.max(1, drifted.length),
    mistakes: counted.filter((one) => isFound(one) !== (one.label !== null)).map(({ name }) => name),
  };
}
