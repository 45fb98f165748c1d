import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openEmbeddedPostgres } from '#api/database/embedded/open-embedded-postgres.ts';
import { copyEmbeddedTemplate } from '#tests/support/database-template.ts';

const CHANNEL = 'listening_pool';
type Database = Awaited<ReturnType<typeof openEmbeddedPostgres>>;

let folder: string;
/** Goes on for the next test unless one has ended it. */
let database: Database;
/** The thread that the database runs in. */
let worker: Worker;
let isOpen = false;

async function open(): Promise<void> {
  const started = Promise.withResolvers<Worker>();
  process.once('worker', started.resolve);
  database = await openEmbeddedPostgres(folder, vi.fn());
  database.pool.on('error', () => undefined);
  worker = await started.promise;
  isOpen = true;
}

async function close(): Promise<void> {
  isOpen = false;
  await database.close();
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'podium-pool-'));
  await copyEmbeddedTemplate(folder);
});
beforeEach(async () => {
  if (!isOpen) await open();
});
afterAll(async () => {
  if (isOpen) await close();
  await rm(folder, { recursive: true, force: true });
});

/** Notes what a listener hears. */
async function follow(channel = CHANNEL): Promise<{ heard: string[]; stop: () => Promise<void> }> {
  const heard: string[] = [];
  const stop = await database.pool.listen({
    channel,
    onMessage: (payload) => void heard.push(payload),
    onReconnect: () => void heard.push('reconnected'),
  });
  return { heard, stop };
}

const send = (text: string) => database.pool.query('select pg_notify($1, $2)', [CHANNEL, text]);
const fail = () => expect(database.pool.query('select 1 / 0')).rejects.toThrow('division by zero');

test('every listener hears each message, also after failed statements, and is told of the reconnection', async () => {
  const [one, other, elsewhere] = [await follow(), await follow(), await follow('another_channel')];
  await send('before');
  await fail();
  await send('between');
  await fail();
  await send('after');
  const heard = ['before', 'reconnected', 'between', 'reconnected', 'after'];
  expect(one.heard).toEqual(heard);
  expect(other.heard).toEqual(heard);
  expect(elsewhere.heard).toEqual(['reconnected', 'reconnected']);
  for (const { stop } of [one, other, elsewhere]) await stop();
});

test('a listener that has stopped hears nothing, and the other one of its channel still does', async () => {
  const [one, other] = [await follow(), await follow()];
  await one.stop();
  await fail();
  await send('to the other');
  await other.stop();
  await send('to nobody');
  expect(one.heard).toEqual([]);
  expect(other.heard).toEqual(['reconnected', 'to the other']);
  expect((await database.pool.query('select pg_listening_channels()')).rows).toEqual([]);
});

test('a listener whose LISTEN fails is refused, and the pool goes on without it', async () => {
  await expect(follow('no identifier')).rejects.toThrow('syntax error');
  await fail();
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('a database that has ended refuses new listeners and lets the others stop', async () => {
  const { heard, stop } = await follow();
  await worker.terminate();
  await expect(follow()).rejects.toThrow();
  await stop();
  expect(heard).toEqual([]);
  await close();
});
