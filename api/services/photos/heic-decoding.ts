import { Worker } from 'node:worker_threads';
import { PhotoRefusal, refuse } from './photo-refusal.ts';

export interface HeicTask {
  file: string;
  maxPixels: number;
}
export type HeicAnswer = { isTooLarge: true } | { isTooLarge: false; width: number; height: number; data: ArrayBuffer };

/** The pixels of the file: RGBA, 8 bits, upright, in the file's own colour space. */
export interface RawPicture {
  width: number;
  height: number;
  data: Buffer;
}

/** A 48-megapixel photo takes a few seconds. A file that takes this long was crafted for it. */
const TIMEOUT_MS = 30_000;
/** The pixels themselves are outside the heap and limited by `maxPixels`. */
const HEAP_MB = 128;

/**
 * Decodes the first picture of a HEIC file in a worker thread, which ends afterwards. Throws photo_too_many_pixels, and
 * photo_heic_unsupported for any other problem.
 */
export async function decodeHeic(task: HeicTask): Promise<RawPicture> {
  const worker = new Worker(new URL('./heic-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    // The decoder prints messages about broken files to stdout.
    stdout: true,
    stderr: true,
  });
  try {
    const answer = await receiveAnswer(worker);
    if (answer.isTooLarge) throw new PhotoRefusal('photo_too_many_pixels');
    return { width: answer.width, height: answer.height, data: Buffer.from(answer.data) };
  } catch (error) {
    throw refuse(error, 'photo_heic_unsupported');
  } finally {
    await worker.terminate();
  }
}

function receiveAnswer(worker: Worker): Promise<HeicAnswer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no picture after ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
    worker.on('message', resolve);
    worker.on('error', reject);
    worker.on('exit', () => {
      clearTimeout(timer);
      reject(new Error('the decoder ended without an answer'));
    });
  });
}
