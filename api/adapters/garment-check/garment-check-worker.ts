import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { lowerPriority } from '#api/adapters/generation-engines/local/lower-priority.ts';
import { checkGarment } from './check-garment.ts';
import type { GarmentChecker } from './garment-checker.ts';

/** The input of a thread that compares garments. */
export type GarmentCheckTask = Parameters<GarmentChecker['check']>[0];

lowerPriority();
// Every picture is used once, so a cache of operations would only occupy memory.
sharp.cache(false);
const { source, results, thresholds } = workerData as GarmentCheckTask;
const files = results.map((result) => Buffer.from(result));
parentPort!.postMessage(await checkGarment(Buffer.from(source), files, thresholds));
