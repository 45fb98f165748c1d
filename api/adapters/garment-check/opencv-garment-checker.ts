import { Worker } from 'node:worker_threads';
import { withThread } from '#api/adapters/worker-thread.ts';
import type { GarmentCheckTask } from './garment-check-worker.ts';
import type { GarmentChecker } from './garment-checker.ts';

/**
 * Compares garments with OpenCV in a worker thread per order. Clothes are found by the cut-out of the local engine
 * (GrabCut; without skin, head and hair), laid over each other by AKAZE features with RANSAC, by their outlines where
 * the features do not suffice, and bent by tracking the print. docs/garment-check.md says what is compared and how well.
 */
export function createOpenCvGarmentChecker(): GarmentChecker {
  return {
    check(order, signal) {
      const task: GarmentCheckTask = order;
      const url = new URL('./garment-check-worker.ts', import.meta.url);
      const start = () => new Worker(url, { workerData: task, name: 'garment-check' });
      return withThread(start, signal, (worker, resolve, reject) => {
        worker.once('message', resolve);
        worker.once('exit', () => reject(new Error('the thread ended without an answer')));
      });
    },
  };
}
