import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readWait } from '#pwa/features/uploads/queued-upload.ts';
import {
  queueFile,
  queueStart,
  readQueuedUpload,
  retryQueuedUpload,
  sendQueuedUploads,
  subscribeUploads,
} from '#pwa/features/uploads/upload-queue.ts';
import { createFakeIndexedDb } from '#tests/support/fake-indexed-db.ts';
import { until } from '#tests/support/until.ts';

const MAX_TRIES = 8;
const HOUR_MS = 60 * 60 * 1000;
const FILE = new File(['new'], 'new.jpg', { type: 'image/jpeg' });
const PHOTO = {
  id: 'new',
  name: 'new.jpg',
  width: 600,
  height: 800,
  size: 1000,
  type: 'image/jpeg',
  previewUrl: '/p',
  thumbnailUrl: '/t',
};

let userId = 2000;
/** The keys of the requests so far. */
let keys: (string | null)[];
let isAway: boolean;

beforeAll(() => vi.stubGlobal('indexedDB', createFakeIndexedDb()));
beforeEach(async () => {
  userId += 1;
  keys = [];
  isAway = true;
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    keys.push(new Headers(init.headers).get('idempotency-key'));
    if (isAway) return Response.json({}, { status: 503 });
    return Response.json(path === '/api/upload' ? PHOTO : { sessionId: 'g1' });
  });
  await queueFile(userId, 'photosession', FILE);
});
afterEach(() => vi.useRealTimers());
afterAll(() => vi.unstubAllGlobals());

const send = () => sendQueuedUploads(userId);
const sendPatiently = () => sendQueuedUploads(userId, { isPatient: true });
const readQueued = () => readQueuedUpload(userId, 'photosession');

test('after eight tries an upload stays until the person sends it again, and all pages hear of both', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const received: boolean[] = [];
  const stop = subscribeUploads((isNew) => received.push(isNew));
  let pause: number | null = 0;
  while (pause !== null) {
    vi.setSystemTime(Date.now() + pause);
    pause = await sendPatiently();
  }
  expect(keys).toHaveLength(MAX_TRIES);
  await until(() => expect(received).toEqual([false]));
  // Neither time nor a new connection sends it.
  vi.setSystemTime(Date.now() + HOUR_MS);
  expect([await sendPatiently(), await send()]).toEqual([null, null]);
  expect(keys).toHaveLength(MAX_TRIES);
  const stopped = await readQueued();
  expect(stopped && readWait(stopped)).toEqual({
    isStopped: true,
    trouble: null,
    isRepeated: false,
    awaitsConsent: false,
  });
  expect(stopped).toMatchObject({ file: { name: 'new.jpg' }, failure: null });

  isAway = false;
  await retryQueuedUpload(userId, 'photosession');
  await until(() => expect(received).toContain(true));
  stop();
  expect(await sendPatiently()).toBeNull();
  expect((await readQueued())?.photo?.id).toBe('new');
  expect(new Set(keys).size).toBe(1);
});

test('a consent that comes after the tries have stopped sends the photo, too', async () => {
  for (let round = 1; round <= MAX_TRIES; round += 1) await send();
  isAway = false;
  expect(await send()).toBeNull();
  expect(keys).toHaveLength(MAX_TRIES);
  const start = { slot: 'photosession', price: 2, agreedAt: Date.now() } as const;
  await queueStart(userId, start, { queuedId: (await readQueued())?.id ?? '' });
  await send();
  expect((await readQueued())?.generationId).toBe('g1');
});
