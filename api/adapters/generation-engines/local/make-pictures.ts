import { Worker } from 'node:worker_threads';
import { PhotoUnsuitableError } from './photo-unsuitable-error.ts';
import type { PictureMessage, PictureTask } from './picture-worker.ts';

/**
 * Makes the pictures of one order in a thread of its own and hands them over one by one. Rejects with a
 * PhotoUnsuitableError when the photo does not allow it, and with the signal's reason when aborted; the thread has
 * then ended.
 */
export async function makePictures(
  task: PictureTask,
  signal: AbortSignal,
  onPicture: (picture: { jpeg: Uint8Array; position: number }) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./picture-worker.ts', import.meta.url), { workerData: task, name: 'pictures' });
  let kept = Promise.resolve();
  let stop: (() => void) | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      stop = () => reject(signal.reason as Error);
      signal.addEventListener('abort', stop, { once: true });
      worker.on('message', (message: PictureMessage) => {
        if ('refusal' in message) reject(new PhotoUnsuitableError(message.refusal));
        else {
          kept = kept.then(() => onPicture(message));
          kept.catch(reject);
        }
      });
      worker.once('error', reject);
      worker.once('exit', () => resolve());
    });
    await kept;
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
    await worker.terminate();
    await kept.catch(() => undefined);
  }
}
