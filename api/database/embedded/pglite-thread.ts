import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { PGliteAnswer, PGliteRequest } from './pglite-worker.ts';

/** A PGlite database in a worker thread, so that a long query does not block the server's event loop. */
export interface PGliteThread {
  /** Sends complete messages of the PostgreSQL wire protocol. Resolves with the bytes of the answer. */
  exchange(messages: Uint8Array): Promise<Uint8Array>;
  /** Ends a thread whose database is broken, like a crash. Resolves with the error for callers. */
  abandon(reason: string): Promise<Error>;
  close(): Promise<void>;
}

interface Waiting {
  resolve(output: Uint8Array): void;
  reject(error: Error): void;
}

/** Opens the database in `folder`, or creates it. `onCrash` is called when the thread ends without being closed. */
export async function openPGliteThread(folder: string, onCrash: (error: Error) => void): Promise<PGliteThread> {
  const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), {
    workerData: { folder },
    // The thread does not inherit flags of the process such as --watch.
    execArgv: [],
  });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let isClosing = false;
  let ended: Error | null = null;

  function call(request: { messages: Uint8Array } | { close: true }): Promise<Uint8Array> {
    // A thread that has ended accepts messages silently and never answers.
    if (ended) return Promise.reject(ended);
    return new Promise((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      worker.postMessage({ ...request, id: lastId } satisfies PGliteRequest);
    });
  }

  await once(worker, 'message');
  worker.on('message', (answer: PGliteAnswer) => {
    const caller = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('error' in answer) caller?.reject(new Error(answer.error));
    else caller?.resolve(answer.output);
  });
  worker.on('error', (error: Error) => end('The thread of the embedded database has failed', error));
  worker.on('exit', () => end('The thread of the embedded database has ended'));

  function end(reason: string, cause?: Error): Error {
    // Statements fail as on a server whose connection has broken.
    ended ??= Object.assign(new Error(reason, { cause }), { code: '08006', severity: 'FATAL' });
    for (const caller of waiting.values()) caller.reject(ended);
    waiting.clear();
    if (!isClosing) onCrash(ended);
    isClosing = true;
    return ended;
  }

  return {
    exchange: (messages) => call({ messages }),
    async abandon(reason) {
      const error = end(reason);
      await worker.terminate();
      return error;
    },
    async close() {
      if (isClosing) return;
      isClosing = true;
      const ended = once(worker, 'exit');
      await call({ close: true });
      await ended;
    },
  };
}
