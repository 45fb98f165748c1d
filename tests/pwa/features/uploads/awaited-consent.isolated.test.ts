import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { purgeStored } from '#pwa/device/storage.ts';
import {
  queueFile,
  queueStart,
  readQueuedUpload,
  resumeAfterConsent,
  sendQueuedUploads,
  withdrawStart,
} from '#pwa/features/uploads/upload-queue.ts';
import { PHOTO } from '#tests/pwa/support/samples.ts';
import { createFakeIndexedDb } from '#tests/support/fake-indexed-db.ts';

const USER_ID = 2000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The Idempotency-Keys of the starts that were sent. */
let keys: (string | null)[];
let answer: () => Response;
const queued = () => readQueuedUpload(USER_ID, 'photosession');
const send = () => sendQueuedUploads(USER_ID);

beforeAll(() => vi.stubGlobal('indexedDB', createFakeIndexedDb()));
/** A start was agreed to without a network, and the documents have changed since. */
beforeEach(async () => {
  keys = [];
  answer = () => Response.json({ code: 'consent_required', message: 'Документы обновились' }, { status: 403 });
  vi.stubGlobal('fetch', async (_path: string, { headers }: RequestInit) => {
    keys.push(new Headers(headers).get('idempotency-key'));
    return answer();
  });
  await queueStart(USER_ID, { slot: 'photosession', price: 2, agreedAt: Date.now() }, { photo: PHOTO });
  expect(await send()).toBeNull();
  expect(await queued()).toMatchObject({ start: { price: 2 }, awaitsConsent: true, failure: null });
});
afterEach(async () => {
  vi.useRealTimers();
  await purgeStored(USER_ID);
});
afterAll(() => vi.unstubAllGlobals());

test('a start waits for the consent to the documents, and then goes on under the same key', async () => {
  answer = () => Response.json({ sessionId: 'g1' });
  expect(await send()).toBeNull();
  expect(keys).toHaveLength(1);
  await resumeAfterConsent(USER_ID);
  await send();
  expect(await queued()).toMatchObject({ generationId: 'g1', awaitsConsent: false });
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('after a day nothing is started, and the photo stays', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1.1 * DAY_MS });
  await send();
  expect(await queued()).toMatchObject({ start: null, photo: { id: PHOTO.id }, failure: { code: null } });
  expect(keys).toHaveLength(1);
});

test('the start can be taken back before', async () => {
  expect(await withdrawStart(USER_ID, 'photosession')).toBe('withdrawn');
  await resumeAfterConsent(USER_ID);
  await send();
  expect(keys).toHaveLength(1);
});

test('a photo without a start waits for the consent too, and is sent under the same key once it is given', async () => {
  const photo = () => readQueuedUpload(USER_ID, 'video');
  await queueFile(USER_ID, 'video', new File(['bytes'], 'dress.jpg', { type: 'image/jpeg' }));
  await send();
  expect(await photo()).toMatchObject({ file: { name: 'dress.jpg' }, awaitsConsent: true, failure: null });
  // It is not sent again before.
  const sent = keys.length;
  await send();
  expect(keys).toHaveLength(sent);
  answer = () => Response.json(PHOTO);
  await resumeAfterConsent(USER_ID);
  await send();
  expect(await photo()).toMatchObject({ file: null, photo: { id: PHOTO.id }, failure: null });
  expect(keys.at(-2)).toBe(keys[sent - 1]);
});
