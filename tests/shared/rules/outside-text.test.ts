import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

/** One text takes some hundredths of a second. */
const HANG_MS = 30_000;

test('no expression over text from outside takes for ever, however long and hostile the text', async () => {
  const worker = new Worker(path.join(import.meta.dirname, 'outside-text-worker.ts'));
  const hung = await new Promise<string | null>((resolve, reject) => {
    let text = 'nothing';
    let timer = setTimeout(() => resolve(text), HANG_MS);
    worker.on('message', (next: string) => {
      text = next;
      clearTimeout(timer);
      timer = setTimeout(() => resolve(text), HANG_MS);
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      clearTimeout(timer);
      resolve(null);
    });
  });
  await worker.terminate();
  expect(hung).toBeNull();
});
