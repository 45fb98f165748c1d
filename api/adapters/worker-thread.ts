import type { Worker } from 'node:worker_threads';

/** Settles as `listen` decides, or rejects when the thread fails or the signal aborts. Then ends the thread. */
export async function withThread<Result>(
  start: () => Worker,
  signal: AbortSignal,
  listen: (worker: Worker, resolve: (result: Result) => void, reject: (error: unknown) => void) => void,
): Promise<Result> {
  signal.throwIfAborted();
  const worker = start();
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  worker.once('error', reject);
  listen(worker, resolve, reject);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
