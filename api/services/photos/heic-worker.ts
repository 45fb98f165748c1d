import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import decodeHeif from 'heic-decode';
import type { HeicAnswer, HeicTask } from './heic-decoding.ts';

const { file, maxPixels } = workerData as HeicTask;

function answer(message: HeicAnswer, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

const images = await decodeHeif.all({ buffer: readFileSync(file) });
const image = images[0];
if (!image) throw new Error('no picture in the file');
if (image.width * image.height > maxPixels) {
  answer({ isTooLarge: true });
} else {
  const { width, height, data } = await image.decode();
  answer({ isTooLarge: false, width, height, data: data.buffer }, [data.buffer]);
}
