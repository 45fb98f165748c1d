import { Worker } from 'node:worker_threads';
import type { SubjectKind } from '#shared/rules/suiting-backgrounds.ts';

/** Guesses what a photo shows, in a thread of its own. Rejects when the file cannot be read or the signal aborts. */
export async function lookAtPhoto(photo: Buffer, signal: AbortSignal): Promise<SubjectKind> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./subject-worker.ts', import.meta.url), { workerData: photo, name: 'subject' });
  let stop: (() => void) | undefined;
  try {
    return await new Promise<SubjectKind>((resolve, reject) => {
      stop = () => reject(signal.reason as Error);
      signal.addEventListener('abort', stop, { once: true });
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the thread ended without an answer')));
    });
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
