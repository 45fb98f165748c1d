import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { lowerPriority } from './lower-priority.ts';
import { makeModelChange } from './make-model-change.ts';
import { makePhotosession } from './make-photosession.ts';
import { PhotoUnsuitableError } from './photo-unsuitable-error.ts';
import type { FrameSize } from './placement.ts';

/** The input of a thread that makes pictures. */
export type PictureTask = { photo: Uint8Array; frameSize?: FrameSize } & (
  | { kind: 'model_change'; background: Uint8Array | null; floor: number | null }
  | { kind: 'photosession'; positions: number[] }
);

/** The thread's messages: one per picture, or one that refuses the photo. */
export type PictureMessage = { jpeg: Uint8Array; position: number } | { refusal: string };

function send(message: PictureMessage): void {
  parentPort!.postMessage(message);
}

lowerPriority();
// Every picture is used once, so a cache of operations would only occupy memory.
sharp.cache(false);
const task = workerData as PictureTask;
const photo = Buffer.from(task.photo);
try {
  if (task.kind === 'model_change') {
    const background = task.background && Buffer.from(task.background);
    send({ jpeg: await makeModelChange(photo, background, task.frameSize, task.floor), position: 0 });
  } else {
    for await (const picture of makePhotosession(photo, task.positions, task.frameSize)) send(picture);
  }
} catch (error) {
  if (!(error instanceof PhotoUnsuitableError)) throw error;
  send({ refusal: error.message });
}
