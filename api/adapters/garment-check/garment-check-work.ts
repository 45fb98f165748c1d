import sharp from 'sharp';
import { checkGarment } from './check-garment.ts';
import type { GarmentCheck, GarmentChecker } from './garment-checker.ts';

// Every picture is used once, so a cache of operations would only occupy memory.
sharp.cache(false);

/** Compares garments. Its calls block, so it runs in another process. */
export function check({ source, results, thresholds }: Parameters<GarmentChecker['check']>[0]): Promise<GarmentCheck> {
  const files = results.map((result) => Buffer.from(result));
  return checkGarment(Buffer.from(source), files, thresholds);
}
