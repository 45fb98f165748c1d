import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** The server's answer to each probe. */
let answer: () => Promise<Response>;
const reach = async () => new Response(null, { status: 200 });
const fail = async () => {
  throw new TypeError('Failed to fetch');
};
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => answer());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function watch() {
  vi.resetModules();
  const connection = await import('#pwa/device/connection.ts');
  connection.beginWatching();
  return connection;
}

test('an answer to a call from before the network was lost does not restore the connection', async () => {
  const { noteDisconnected, noteAnswered, hasConnection } = await watch();
  answer = fail;
  noteDisconnected();
  noteAnswered();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(hasConnection()).toBe(false);
});

test('a probe sent before the network was lost does not restore the connection', async () => {
  const { noteDisconnected, probeConnection, hasConnection } = await watch();
  const { promise, resolve } = Promise.withResolvers<Response>();
  answer = () => promise;
  const asked = probeConnection();
  noteDisconnected();
  answer = fail;
  resolve(await reach());
  await asked;
  expect(hasConnection()).toBe(false);
});

test('an answered call restores the connection at once', async () => {
  const { noteDisconnected, noteAnswered, hasConnection } = await watch();
  answer = reach;
  noteDisconnected();
  noteAnswered();
  await vi.advanceTimersByTimeAsync(0);
  expect(hasConnection()).toBe(true);
});

test('without an event of the browser the server is probed until it answers', async () => {
  const { noteDisconnected, hasConnection } = await watch();
  answer = fail;
  noteDisconnected();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(hasConnection()).toBe(false);
  answer = reach;
  await vi.advanceTimersByTimeAsync(5000);
  expect(hasConnection()).toBe(true);
});

test('a single lost call changes nothing as long as the server answers', async () => {
  const { noteUnanswered, hasConnection } = await watch();
  answer = reach;
  noteUnanswered();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(hasConnection()).toBe(true);
});
