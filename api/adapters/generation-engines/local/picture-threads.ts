import { Worker } from 'node:worker_threads';
import { withThread } from '#api/adapters/worker-thread.ts';
import type { SubjectKind } from '#shared/rules/suiting-backgrounds.ts';
import { PhotoUnsuitableError } from './photo-unsuitable-error.ts';
import type { PictureMessage, PictureTask } from './picture-worker.ts';

/**
 * Makes the pictures of one order in a worker thread and passes them on one by one. Rejects with a PhotoUnsuitableError
 * when the photo does not allow it, and with the signal's reason when aborted. The thread has ended when this settles.
 */
export async function makePictures(
  task: PictureTask,
  signal: AbortSignal,
  onPicture: (picture: { jpeg: Uint8Array; position: number }) => Promise<void>,
): Promise<void> {
  let kept = Promise.resolve();
  const start = () =>
    new Worker(new URL('./picture-worker.ts', import.meta.url), { workerData: task, name: 'pictures' });
  try {
    await withThread<void>(start, signal, (worker, resolve, reject) => {
      worker.on('message', (message: PictureMessage) => {
        if ('refusal' in message) reject(new PhotoUnsuitableError(message.refusal));
        else {
          kept = kept.then(() => onPicture(message));
          kept.catch(reject);
        }
      });
      worker.once('exit', () => resolve());
    });
    await kept;
  } finally {
    await kept.catch(() => undefined);
  }
}

/** Guesses in a worker thread what a photo shows. Rejects when the file cannot be read or the signal aborts. */
export function detectSubject(photo: Buffer, signal: AbortSignal): Promise<SubjectKind> {
  const start = () =>
    new Worker(new URL('./subject-worker.ts', import.meta.url), { workerData: photo, name: 'subject' });
  return withThread(start, signal, (worker, resolve, reject) => {
    worker.once('message', resolve);
    worker.once('exit', () => reject(new Error('the thread ended without an answer')));
  });
}
