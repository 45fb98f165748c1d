import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openPGliteThread } from '#api/database/embedded/pglite-thread.ts';
import { copyEmbeddedTemplate } from '#tests/support/database-template.ts';

const SYNC = new Uint8Array([0x53, 0, 0, 0, 4]);
let folder: string;
/** Goes on for the next test unless one has ended it. One at a time may have the folder. */
let opened: Awaited<ReturnType<typeof open>> | undefined;

async function open() {
  const started = Promise.withResolvers<Worker>();
  process.once('worker', started.resolve);
  const onCrash = vi.fn();
  const thread = await openPGliteThread(path.join(folder, 'db'), onCrash);
  return { thread, worker: await started.promise, onCrash };
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'podium-thread-'));
  await copyEmbeddedTemplate(folder);
});
afterAll(async () => {
  await opened?.thread.close();
  await rm(folder, { recursive: true, force: true });
});

async function useThread() {
  opened ??= await open();
  return opened;
}

/** A thread that the test ends. */
async function takeThread() {
  const taken = await useThread();
  opened = undefined;
  return taken;
}

test('the thread passes on a large answer whole, and keeps nothing of it', async () => {
  const { thread, worker } = await useThread();
  const rows = 5000;
  const query = queryMessage(`SELECT n, 'row ' || n AS name FROM generate_series(1, ${rows}) AS n`);
  const wanted = Array.from({ length: rows }, (_, index) => `row ${index + 1}`).join();
  const before = (await worker.getHeapStatistics()).used_heap_size;

  for (let count = 0; count < 60; count++) {
    const answer = Buffer.from(await thread.exchange(query)).toString('latin1');
    // As one text, because toEqual needs long for so many rows.
    expect(answer.match(/row \d+/g)?.join()).toBe(wanted);
  }

  // 300,000 rows take more than 50 MB when they are kept.
  const { used_heap_size: after } = await worker.getHeapStatistics();
  expect((after - before) / 1024 / 1024).toBeLessThan(20);
});

test('a thread that is closed is no crash', async () => {
  const { thread, onCrash } = await takeThread();
  await thread.close();
  await expect(thread.exchange(SYNC)).rejects.toThrow('has ended');
  expect(onCrash).not.toHaveBeenCalled();
});

test('a thread that ends by itself reports it once, and refuses running and later requests', async () => {
  const { thread, worker, onCrash } = await takeThread();
  await thread.exchange(SYNC);

  const underWay = thread.exchange(queryMessage('SELECT count(*) FROM generate_series(1, 1000000000)'));
  const [refused] = await Promise.allSettled([underWay, worker.terminate()]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('has ended') } });
  await expect(thread.exchange(SYNC)).rejects.toThrow('has ended');
  expect(onCrash).toHaveBeenCalledTimes(1);
});

/** A simple query of the wire protocol: its letter, its length and the text with a final zero. */
function queryMessage(sql: string): Uint8Array {
  const text = Buffer.from(`${sql}\0`);
  const head = Buffer.alloc(5, 'Q');
  head.writeInt32BE(text.length + 4, 1);
  return Buffer.concat([head, text]);
}
