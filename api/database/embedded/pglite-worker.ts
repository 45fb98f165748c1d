import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

/** Requests to the thread: wire messages of one round trip, or closing. */
export type PGliteRequest = { id: number; messages: Uint8Array } | { id: number; close: true };
export type PGliteAnswer = { id: number; output: Uint8Array } | { id: number; error: string };

const port = parentPort;
if (!port) throw new Error('pglite-worker.ts runs as a worker thread');

// Raw protocol fails before the database is ready, so the thread listens only afterwards.
const database = await PGlite.create({
  dataDir: workerData.folder,
  // PostgreSQL's own 128 MB would stay in memory for good. The system caches the files as well.
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
});

port.on('message', (request: PGliteRequest) => {
  answer(request).then(
    (output) => port.postMessage({ id: request.id, output } satisfies PGliteAnswer),
    (error) => port.postMessage({ id: request.id, error: String(error?.message ?? error) } satisfies PGliteAnswer),
  );
});
port.postMessage({ id: 0, output: new Uint8Array() } satisfies PGliteAnswer);

async function answer(request: PGliteRequest): Promise<Uint8Array> {
  if ('messages' in request) return database.runExclusive(() => exchange(request.messages));
  await database.close();
  setImmediate(() => port?.close());
  return new Uint8Array();
}

/**
 * Passes the bytes through as a stream. PGlite's other calls for raw messages also parse every answer, and keep what
 * they have parsed until a call of another kind follows. Here none does.
 */
async function exchange(messages: Uint8Array): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  // A chunk is a view of the database's own memory, which the next one overwrites.
  await database.execProtocolRawStream(messages, { onRawData: (chunk) => chunks.push(chunk.slice()) });
  // Not cut from a buffer of Node's that is shared, all of which would be copied to the other thread.
  const answer = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    answer.set(chunk, offset);
    offset += chunk.length;
  }
  return answer;
}
